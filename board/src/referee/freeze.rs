//! A ply can freeze the game: for a few seconds no ply counts.
//!
//! The relay measures its own time, and its freeze began before the board received its start. So a ply that this board reads after its own freeze is never
//! too early for the relay. A ply that is made during the freeze is read when it is over.

use super::Referee;
use crate::time::Instant;

impl Referee {
    /// Begins the freeze that the last ply has caused, if it has caused one, and moves time from one clock to the other.
    pub(super) fn freeze(&mut self, now: Instant) {
        self.freeze_again(now);
        if let (Some(clock), Some(freeze)) = (&mut self.clock, self.play.situation().freeze()) {
            clock.freeze(freeze);
        }
    }

    /// The same after a game was loaded, whose clocks know of it already. How much of the freeze is over is not known.
    pub(super) fn freeze_again(&mut self, now: Instant) {
        let freeze = self.play.situation().freeze().filter(|_| self.play.verdict().is_none());
        self.frozen_until = freeze.map(|freeze| now.after(freeze.ms.into()));
    }

    /// Ends a freeze whose time is over.
    pub(super) fn thaw(&mut self, now: Instant) {
        if self.frozen_until.is_some_and(|until| now >= until) {
            self.frozen_until = None;
            self.settle(now);
        }
    }

    pub(super) fn is_frozen(&self, now: Instant) -> bool {
        self.frozen_until.is_some_and(|until| now < until)
    }
}
