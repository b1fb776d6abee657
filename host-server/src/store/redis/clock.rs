use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;

use super::connection::Connection;
use super::keys::Keys;
use super::script;
use crate::room::Time;
use crate::store::StoreError;

/// How often Redis is asked.
const SAMPLE: Duration = Duration::from_secs(3);

/// How much slower than time our clock may go while it waits for the others.
const SLOWEST: f64 = 0.5;

/// The time that Redis has, as well as it can be known from here. In between it goes by our own clock.
#[derive(Debug)]
pub(super) struct Clock {
    hand: Mutex<Hand>,
    /// What was said last.
    last: AtomicU64,
}

/// What time it was at a moment, and how fast it goes from there.
#[derive(Clone, Copy, Debug)]
struct Hand {
    moment: Instant,
    milliseconds: f64,
    rate: f64,
}

/// What Redis said, and how far off that may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    moment: Instant,
    milliseconds: f64,
    margin: f64,
}

/// Asks for the time. It was told at some moment between asking and hearing it, so most likely in the middle.
pub(super) async fn ask(connection: &Connection, keys: &Keys) -> Result<Sample, StoreError> {
    let asked = Instant::now();
    let now: u64 = script::TIME.on(&[&keys.time()]).run(connection).await?;
    let trip = asked.elapsed();
    // Milliseconds since 1970 are exact in here for a few hundred thousand years.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let milliseconds = now as f64;
    // It counts whole ones.
    let margin = trip.as_secs_f64() * 500.0 + 1.0;
    Ok(Sample { moment: asked + trip / 2, milliseconds, margin })
}

impl Clock {
    /// Asks once, and then again and again until the task is ended.
    pub(super) async fn start(
        connection: Connection,
        keys: &Arc<Keys>,
    ) -> Result<(Arc<Self>, AbortHandle), StoreError> {
        let first = ask(&connection, keys).await?;
        let hand = Hand { moment: first.moment, milliseconds: first.milliseconds, rate: 1.0 };
        let clock = Arc::new(Self { hand: Mutex::new(hand), last: AtomicU64::new(0) });
        let (task_clock, keys) = (clock.clone(), keys.clone());
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(SAMPLE).await;
                match ask(&connection, &keys).await {
                    Ok(sample) => task_clock.correct(sample),
                    Err(error) => tracing::debug!(%error, "the time could not be asked for"),
                }
            }
        });
        Ok((clock, task.abort_handle()))
    }

    pub(super) fn now(&self) -> Time {
        let hand = *self.hand.lock().unwrap_or_else(PoisonError::into_inner);
        let milliseconds = hand.at(Instant::now());
        #[expect(clippy::cast_sign_loss, reason = "nobody's clock is set to before 1970 for long")]
        let now = milliseconds as u64;
        Time(self.last.fetch_max(now, Ordering::Relaxed).max(now))
    }

    fn correct(&self, sample: Sample) {
        let mut hand = self.hand.lock().unwrap_or_else(PoisonError::into_inner);
        *hand = hand.corrected(sample);
    }
}

impl Hand {
    fn at(&self, moment: Instant) -> f64 {
        self.milliseconds + moment.saturating_duration_since(self.moment).as_secs_f64() * 1000.0 * self.rate
    }

    /// Behind, it jumps; ahead, it slows down until the others have caught up. What may be no more than the way there and back
    /// is left alone.
    fn corrected(self, sample: Sample) -> Self {
        let ours = self.at(sample.moment);
        let ahead = ours - sample.milliseconds;
        let (milliseconds, rate) = if ahead.abs() <= sample.margin {
            (ours, 1.0)
        } else if ahead < 0.0 {
            (sample.milliseconds, 1.0)
        } else {
            (ours, (1.0 - ahead / (SAMPLE.as_secs_f64() * 1000.0)).max(SLOWEST))
        };
        Self { moment: sample.moment, milliseconds, rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand_and_sample(ahead: f64, margin: f64) -> (Hand, Sample) {
        let moment = Instant::now();
        let hand = Hand { moment, milliseconds: 10_000.0 + ahead, rate: 1.0 };
        (hand, Sample { moment, milliseconds: 10_000.0, margin })
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn a_clock_that_is_behind_jumps() {
        let (hand, sample) = hand_and_sample(-700.0, 1.0);
        let later = sample.moment + Duration::from_secs(1);
        assert!(close(hand.corrected(sample).at(later), 11_000.0));
    }

    #[test]
    fn a_clock_that_is_ahead_waits_without_going_back() {
        let (hand, sample) = hand_and_sample(600.0, 1.0);
        let corrected = hand.corrected(sample);
        assert!(close(corrected.at(sample.moment), 10_600.0));
        // After one more sample's time they agree.
        assert!(close(corrected.at(sample.moment + SAMPLE), 13_000.0));
    }

    #[test]
    fn a_clock_that_is_far_ahead_still_goes() {
        let (hand, sample) = hand_and_sample(60_000.0, 1.0);
        assert!(close(hand.corrected(sample).rate, SLOWEST));
    }

    #[test]
    fn what_may_be_the_way_there_is_left_alone() {
        let (hand, sample) = hand_and_sample(-90.0, 100.0);
        assert!(close(hand.corrected(sample).at(sample.moment), 9_910.0));
    }
}
