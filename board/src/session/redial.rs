use crate::time::Instant;

/// How long to wait after the first failure, in milliseconds.
const SHORTEST: u64 = 1_000;
/// How long to wait at most.
const LONGEST: u64 = 60_000;

/// When to call again: soon at first, then less and less often, and never all boards at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redial {
    at: Instant,
    wait: u64,
}

impl Redial {
    /// At once.
    pub(super) const fn new() -> Self {
        Self { at: Instant::at(0), wait: SHORTEST }
    }

    pub(super) const fn at(&self) -> Instant {
        self.at
    }

    /// A call came to nothing, or a connection broke. The random number spreads the boards that lost the same relay at
    /// the same time over half of the wait.
    pub(super) fn failed(&mut self, random: u32, now: Instant) {
        let half = self.wait / 2;
        // The remainder is by a half that is never 0.
        let spread = u64::from(random).checked_rem(half).unwrap_or(0);
        self.at = now.after(half.saturating_add(spread));
        self.wait = self.wait.saturating_mul(2).min(LONGEST);
    }

    /// Whatever was in the way is gone: at once, and then soon again.
    pub(super) fn hurry(&mut self, now: Instant) {
        self.at = self.at.min(now);
        self.wait = SHORTEST;
    }

    /// The other side is there.
    pub(super) const fn succeeded(&mut self) {
        self.wait = SHORTEST;
    }
}
