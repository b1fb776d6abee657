use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::room::Time;

/// A time that stands still while the relay is down, and that nobody can set: it goes on from what the last commit says, by a
/// clock that only counts.
#[derive(Debug)]
pub(super) struct Clock {
    base: u64,
    started: Instant,
    /// What was said last. It only matters where the system's clock is not as steady as it promises.
    last: AtomicU64,
}

impl From<Time> for Clock {
    fn from(base: Time) -> Self {
        Self { base: base.0, started: Instant::now(), last: AtomicU64::new(base.0) }
    }
}

impl Clock {
    pub(super) fn now(&self) -> Time {
        let elapsed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let now = self.base.saturating_add(elapsed);
        Time(self.last.fetch_max(now, Ordering::Relaxed).max(now))
    }
}
