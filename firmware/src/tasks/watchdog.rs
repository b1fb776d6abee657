//! Feeds the watchdog while all tasks are alive, and blinks the status LED.

use defmt::{info, warn};
use embassy_futures::select::{Either, select};
use embassy_time::{Duration, Ticker};

use super::channels::ERASE_AHEAD;
use super::liveness;
use crate::hal::{StatusLed, Watchdog};
use crate::liveness::Liveness;
use crate::uptime::{BEAT_MS, UptimeBlink};

/// Beats without a complete round until the missing tasks are logged. The watchdog's timeout is longer.
const WARN_AFTER_BEATS: u32 = 6;

pub(crate) async fn watch(mut watchdog: impl Watchdog, mut status_led: impl StatusLed) -> ! {
    let mut uptime = UptimeBlink::default();
    let mut incomplete_beats = 0;
    let mut ticker = Ticker::every(Duration::from_millis(BEAT_MS));
    loop {
        if let Either::Second(()) = select(ticker.next(), ERASE_AHEAD.wait()).await {
            status_led.set(true);
            continue;
        }
        let beat = uptime.beat();
        status_led.set(beat.lit);
        if let Some(minutes) = beat.minutes {
            info!("up {=u32} min", minutes);
        }
        if liveness::with(Liveness::is_complete) {
            watchdog.feed();
            incomplete_beats = 0;
            continue;
        }
        incomplete_beats += 1;
        if incomplete_beats == WARN_AFTER_BEATS {
            liveness::with(|liveness| {
                for task in liveness.missing() {
                    warn!("task {=str} missed its check-in, the watchdog will reset the board", task.name());
                }
            });
        }
    }
}
