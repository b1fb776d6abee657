use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::task::AbortHandle;

use super::connection::Connection;
use super::keys::Keys;
use super::replication::Replication;
use super::script;
use crate::room::Time;
use crate::store::StoreError;

/// Interval of synchronisation with Redis.
const SAMPLE: Duration = Duration::from_secs(1);

/// How long the clock goes on without a sample. Then it stands still: Redis is unreachable, and no move can be stored.
const COASTING: Duration = Duration::from_millis(1_500);

/// The longest time between two samples of any relay that counts. All relays were down in a longer one, or too busy to take a move, or
/// the clock of Redis has jumped.
const LONGEST_GAP: Duration = Duration::from_secs(2);

/// How much the clock slows down while it is ahead of Redis.
const SLOWEST: f64 = 0.5;

/// An estimate of the shared clock in Redis. Between samples it follows the local monotonic clock.
#[derive(Debug)]
pub(super) struct Clock {
    estimate: Mutex<Estimate>,
    /// The last time returned.
    last: AtomicU64,
}

/// The estimate: a time at an instant, and the rate from there.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    moment: Instant,
    milliseconds: f64,
    rate: f64,
}

/// A sample of the shared clock, with its error bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    moment: Instant,
    milliseconds: f64,
    margin: f64,
}

/// Takes a sample. This moves the time of all games on, so the caller waits for replicas first. Redis read its clock between request and response, so the midpoint is the best estimate.
pub(super) async fn ask(connection: &Connection, keys: &Keys) -> Result<Sample, StoreError> {
    let asked = Instant::now();
    let now: u64 = script::TIME.on(&[&keys.time()]).with(LONGEST_GAP.as_millis() as u64).run(connection).await?;
    let trip = asked.elapsed();
    // Milliseconds since 1970 are exact in here for a few hundred thousand years.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let milliseconds = now as f64;
    // Redis returns whole milliseconds.
    let margin = trip.as_secs_f64() * 500.0 + 1.0;
    Ok(Sample { moment: asked + trip / 2, milliseconds, margin })
}

impl Clock {
    /// Synchronises once, and starts the task that keeps synchronising.
    pub(super) async fn start(
        connection: Connection,
        keys: &Arc<Keys>,
        replication: Replication,
    ) -> Result<(Arc<Self>, AbortHandle), StoreError> {
        let first = ask(&connection, keys).await?;
        let estimate = Estimate { moment: first.moment, milliseconds: first.milliseconds, rate: 1.0 };
        let clock = Arc::new(Self { estimate: Mutex::new(estimate), last: AtomicU64::new(0) });
        let (task_clock, keys) = (clock.clone(), keys.clone());
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(SAMPLE).await;
                let sample = async {
                    // Without the replicas no move is confirmed, and the clock must stand still.
                    replication.wait().await?;
                    ask(&connection, &keys).await
                };
                match sample.await {
                    Ok(sample) => task_clock.correct(sample),
                    Err(error) => tracing::debug!(%error, "clock synchronisation with Redis failed"),
                }
            }
        });
        Ok((clock, task.abort_handle()))
    }

    pub(super) fn now(&self) -> Time {
        let estimate = *self.estimate.lock();
        let milliseconds = estimate.at(Instant::now());
        #[expect(clippy::cast_sign_loss, reason = "clocks are not set to before 1970")]
        let now = milliseconds as u64;
        Time(self.last.fetch_max(now, Ordering::Relaxed).max(now))
    }

    fn correct(&self, sample: Sample) {
        let mut estimate = self.estimate.lock();
        *estimate = estimate.corrected(sample);
    }
}

impl Estimate {
    fn at(&self, moment: Instant) -> f64 {
        let passed = moment.saturating_duration_since(self.moment).min(COASTING);
        self.milliseconds + passed.as_secs_f64() * 1000.0 * self.rate
    }

    /// Corrects the estimate: jumps forward if it is behind, slows down if it is ahead. Deviations within the error bound are
    /// ignored.
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

    fn estimate_and_sample(ahead: f64, margin: f64) -> (Estimate, Sample) {
        let moment = Instant::now();
        let estimate = Estimate { moment, milliseconds: 10_000.0 + ahead, rate: 1.0 };
        (estimate, Sample { moment, milliseconds: 10_000.0, margin })
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn a_clock_that_lags_jumps_forward() {
        let (estimate, sample) = estimate_and_sample(-700.0, 1.0);
        let later = sample.moment + Duration::from_secs(1);
        assert!(close(estimate.corrected(sample).at(later), 11_000.0));
    }

    #[test]
    fn a_clock_that_is_ahead_never_goes_back() {
        let (estimate, sample) = estimate_and_sample(300.0, 1.0);
        let corrected = estimate.corrected(sample);
        assert!(close(corrected.at(sample.moment), 10_300.0));
        // After one more sample's time they agree.
        assert!(close(corrected.at(sample.moment + SAMPLE), 11_000.0));
    }

    #[test]
    fn a_clock_without_samples_stands_still() {
        let (estimate, sample) = estimate_and_sample(0.0, 1.0);
        let stopped = estimate.at(sample.moment + COASTING);
        assert!(close(stopped, 11_500.0));
        assert!(close(estimate.at(sample.moment + Duration::from_mins(10)), stopped));
        // It goes on from the next sample, in which Redis has not counted the outage either.
        let back = Sample { moment: sample.moment + Duration::from_mins(10), milliseconds: 10_500.0, margin: 1.0 };
        let corrected = estimate.corrected(back);
        assert!(close(corrected.at(back.moment), stopped));
        assert!(close(corrected.at(back.moment + SAMPLE), stopped + 500.0));
    }

    #[test]
    fn a_clock_that_is_far_ahead_still_advances() {
        let (estimate, sample) = estimate_and_sample(60_000.0, 1.0);
        assert!(close(estimate.corrected(sample).rate, SLOWEST));
    }

    #[test]
    fn an_offset_within_the_round_trip_time_is_ignored() {
        let (estimate, sample) = estimate_and_sample(-90.0, 100.0);
        assert!(close(estimate.corrected(sample).at(sample.moment), 9_910.0));
    }
}
