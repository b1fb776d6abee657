use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::room::Time;

/// A monotonic clock that excludes downtime and ignores changes of the system clock: it continues from the time of the last
/// commit.
#[derive(Debug)]
pub(super) struct Clock {
    base: u64,
    started: Instant,
    /// The last time returned, in case the system's monotonic clock is not.
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
