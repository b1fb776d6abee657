use std::time::Duration;

use tokio::time::Instant;

/// So many frames may come at once: the longest game that can be played takes 72.
const AT_ONCE: u32 = 256;

/// One more may come each time that this has passed.
const EVERY: Duration = Duration::from_millis(20);

/// How fast a board may talk. Whoever talks faster is not hung up on, but listened to more slowly.
#[derive(Debug)]
pub(super) struct Pace {
    /// When everything that has come so far would have come at the slow pace.
    due: Instant,
}

impl Pace {
    pub(super) fn new(now: Instant) -> Self {
        Self { due: now }
    }

    /// A frame has come.
    pub(super) fn count(&mut self, now: Instant) {
        self.due = self.due.max(now) + EVERY;
    }

    /// When the next frame may be listened to.
    pub(super) fn ready_at(&self) -> Instant {
        self.due.checked_sub(EVERY * AT_ONCE).unwrap_or(self.due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_game_may_come_at_once_and_then_less() {
        let now = Instant::now() + Duration::from_hours(1);
        let mut pace = Pace::new(now);
        for _ in 0..AT_ONCE {
            assert!(pace.ready_at() <= now);
            pace.count(now);
        }
        pace.count(now);
        assert_eq!(pace.ready_at(), now + EVERY);
    }
}
