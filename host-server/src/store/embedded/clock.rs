use std::time::Instant;

use parking_lot::Mutex;

use crate::room::Time;

/// A monotonic clock that excludes downtime and ignores changes of the system clock: it continues from the time of the last
/// commit. It can be stopped while no move can be stored.
#[derive(Debug)]
pub(super) struct Clock {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The time at an instant, from which it goes on unless it is stopped.
    time: u64,
    since: Instant,
    is_stopped: bool,
    /// The last time returned, in case the system's monotonic clock is not.
    last: u64,
}

impl From<Time> for Clock {
    fn from(base: Time) -> Self {
        let state = State { time: base.0, since: Instant::now(), is_stopped: false, last: base.0 };
        Self { state: Mutex::new(state) }
    }
}

impl Clock {
    pub(super) fn now(&self) -> Time {
        self.state.lock().now()
    }

    /// Stops the clock, or lets it go on from where it stands.
    pub(super) fn set_stopped(&self, is_stopped: bool) {
        let mut state = self.state.lock();
        if state.is_stopped != is_stopped {
            (state.time, state.since) = (state.now().0, Instant::now());
            state.is_stopped = is_stopped;
        }
    }
}

impl State {
    fn now(&mut self) -> Time {
        let elapsed = if self.is_stopped { 0 } else { self.since.elapsed().as_millis() };
        self.last = self.last.max(self.time.saturating_add(u64::try_from(elapsed).unwrap_or(u64::MAX)));
        Time(self.last)
    }
}
