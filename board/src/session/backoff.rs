use crate::time::Instant;

/// Delay after the first failure, in milliseconds.
const SHORTEST: u64 = 1_000;
/// Upper bound of the delay, in milliseconds.
const LONGEST: u64 = 60_000;

/// Exponential backoff with jitter for reconnecting to the relay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    at: Instant,
    wait: u64,
}

impl Backoff {
    /// The first attempt has no delay.
    pub(crate) const fn new() -> Self {
        Self { at: Instant::at(0), wait: SHORTEST }
    }

    pub(crate) const fn at(&self) -> Instant {
        self.at
    }

    /// A connection attempt failed, or a connection broke. The random number is the jitter: it spreads the boards that lost the same
    /// relay at the same time over half of the delay.
    pub(crate) fn failed(&mut self, random: u32, now: Instant) {
        let half = self.wait / 2;
        // The remainder is by a half that is never 0.
        let spread = u64::from(random).checked_rem(half).unwrap_or(0);
        self.at = now.after(half.saturating_add(spread));
        self.wait = self.wait.saturating_mul(2).min(LONGEST);
    }

    /// The network is available again: the next attempt is due now, and delays start from the shortest again.
    pub(crate) fn reset(&mut self, now: Instant) {
        self.at = self.at.min(now);
        self.wait = SHORTEST;
    }

    /// The relay has said hello: delays start from the shortest again.
    pub(crate) const fn succeeded(&mut self) {
        self.wait = SHORTEST;
    }
}
