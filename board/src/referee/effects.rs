use arrayvec::ArrayVec;
use wire::link::Event;

use crate::computer::Computer;

/// What the referee wants done. The board core carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send an event over the link, and store it in the journal until it is acknowledged.
    Send(Event),
    /// A new local game has replaced the one before.
    Begin,
    /// The computer opponent or its seed has changed: store it in the journal.
    Computer(Computer),
}

/// The effects of one input, in order. One input never has more than eight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects(ArrayVec<Effect, 8>);

impl Effects {
    pub(super) fn send(&mut self, event: Event) {
        self.push(Effect::Send(event));
    }

    pub(super) fn push(&mut self, effect: Effect) {
        // Five quick plies, a takeback before them and two declined offers are the most there can be.
        let _ = self.0.try_push(effect);
    }

    #[expect(missing_docs, reason = "as everywhere")]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for Effects {
    type Item = Effect;
    type IntoIter = arrayvec::IntoIter<Effect, 8>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
