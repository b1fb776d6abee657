//! The brain counts milliseconds, the executor microseconds.

use board::Instant;
use embassy_time::Timer;

/// This moment, for the brain.
pub(crate) fn now() -> Instant {
    Instant::at(embassy_time::Instant::now().as_millis())
}

/// Ends at this moment; never, if there is none.
pub(crate) async fn reach(moment: Option<Instant>) {
    match moment {
        Some(moment) => Timer::at(embassy_time::Instant::from_millis(moment.milliseconds())).await,
        None => core::future::pending().await,
    }
}
