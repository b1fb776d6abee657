//! Time for the board core, which counts milliseconds; embassy counts microseconds.
//!
//! While a chip with a single flash bank erases a sector, it serves no interrupt, and the clock of embassy loses that time. It is
//! measured with a [`Stopwatch`] and added here, so that chess clocks stay right.

use core::sync::atomic::{AtomicU32, Ordering};

use board::Instant;
use embassy_time::Timer;

use crate::hal::Stopwatch;
use crate::lost_time::LostTime;

/// Milliseconds that the clock of embassy has lost.
static LOST_MS: AtomicU32 = AtomicU32::new(0);

pub(crate) fn now() -> Instant {
    Instant::at(embassy_time::Instant::now().as_millis() + lost_ms())
}

/// Completes at `deadline`; never without one.
pub(crate) async fn wait_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => {
            let milliseconds = deadline.milliseconds().saturating_sub(lost_ms());
            Timer::at(embassy_time::Instant::from_millis(milliseconds)).await;
        }
        None => core::future::pending().await,
    }
}

fn lost_ms() -> u64 {
    LOST_MS.load(Ordering::Relaxed).into()
}

/// Runs an action that may stall the processor, and adds the time that the clock of embassy loses in it.
pub(crate) fn run_stalling<R>(
    stopwatch: &mut impl Stopwatch,
    lost_time: &mut LostTime,
    action: impl FnOnce() -> R,
) -> R {
    let (start, counted) = (stopwatch.start(), embassy_time::Instant::now());
    let result = action();
    lost_time.add(stopwatch.elapsed_us(start), counted.elapsed().as_micros());
    LOST_MS.store(lost_time.milliseconds(), Ordering::Relaxed);
    result
}
