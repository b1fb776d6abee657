//! A timer that a loop waits for beside other events.

use std::pin::Pin;

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that is kept between waits. Setting it for a later time takes no lock; a new [`Sleep`] for every wait would take the one of
/// all timers of the runtime twice.
///
/// It is allocated when it is first waited for.
#[derive(Debug, Default)]
pub(crate) struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    /// Waits until a time. Cancel-safe.
    pub(crate) async fn wait_until(&mut self, at: Instant) {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if sleep.deadline() != at {
            sleep.as_mut().reset(at);
        }
        sleep.await;
    }

    /// Releases the memory of a timer that is not needed for a while.
    pub(crate) fn release(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_timer_can_be_set_again_for_a_later_or_an_earlier_time() {
        let (started, mut timer) = (Instant::now(), Timer::default());
        let at = |seconds| started + Duration::from_secs(seconds);
        for (due, waits_until) in [(10, 10), (30, 30), (20, 30), (40, 40)] {
            timer.wait_until(at(due)).await;
            assert_eq!(started.elapsed().as_secs(), waits_until);
        }
        for due in [100, 300, 60, 200, 50] {
            let is_early = timeout(Duration::from_millis(1), timer.wait_until(at(due))).await.is_err();
            assert!(is_early, "{due}");
        }
        timer.wait_until(at(50)).await;
        assert_eq!(started.elapsed().as_secs(), 50);
        timer.release();
        timer.wait_until(at(70)).await;
        assert_eq!(started.elapsed().as_secs(), 70);
    }
}
