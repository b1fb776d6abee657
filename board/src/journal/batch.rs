use wire::journal::MAX_FRAME;

use super::holdings::Holdings;
use super::mark::Mark;
use super::plan::Plan;
use super::walk::Place;

/// Records that count together, on their way into a bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    /// What is left to be written.
    plan: Plan,
    /// What is kept once it is complete. If the holdings are not the same to its end, it is worth nothing.
    pub(super) mark: Mark,
    /// Where the next frame goes.
    pub(super) place: Place,
}

impl Batch {
    /// A batch that brings what is kept, if anything is, to this mark.
    pub(super) fn new(plan: Plan, kept: Option<&Mark>, mut mark: Mark, place: Place) -> Self {
        if let Some(kept) = kept
            && !plan.has_acknowledged()
        {
            mark.memory.acknowledged = kept.memory.acknowledged;
        }
        Self { plan, mark, place }
    }

    /// Whether everything is written.
    pub(super) fn is_complete(&self) -> bool {
        self.plan.is_empty()
    }

    /// Puts the next frame into the buffer and returns its length.
    pub(super) fn next<const N: usize>(&mut self, now: &Holdings<'_, N>, buffer: &mut [u8; MAX_FRAME]) -> usize {
        let (len, place) = self.plan.write_frame(now, self.place, buffer);
        self.place = place;
        len
    }
}
