//! Reads the reeds, a thousand times a second.

use core::sync::atomic::Ordering;

use defmt::{Display2Format, warn};
use embassy_futures::select::select;
use embassy_time::{Duration, Instant, Timer};

use super::clock;
use super::meeting::{CHECK_WIRES, FAULTS, LOST_SCANS, SCANS, Scan, WIRES};
use super::roll::check_in;
use crate::drivers::wiring::Wiring;
use crate::parts::Reeds;
use crate::roll_call::Who;

/// Time between two scans.
const EVERY: Duration = Duration::from_millis(1);

/// Reeds that can tell when they change are left alone when nothing has changed for so long: longer than anything that the
/// brain waits for.
const STILL_AFTER: Duration = Duration::from_secs(12);

/// But not for longer than this, since a clock may run out.
const AT_LEAST: Duration = Duration::from_millis(100);

pub(crate) async fn scan(mut reeds: impl Reeds) -> ! {
    let mut due = Instant::now();
    let mut last = None;
    check(&mut reeds).await;
    let mut changed = Instant::now();
    loop {
        let raw = reeds.scan().await;
        check_in(Who::Scan);
        if last.replace(raw) != Some(raw) {
            changed = Instant::now();
        }
        if SCANS.try_send(Scan { raw, at: clock::now() }).is_err() {
            LOST_SCANS.fetch_add(1, Ordering::Relaxed);
        }
        if CHECK_WIRES.try_take().is_some() {
            WIRES.signal(check(&mut reeds).await);
        }
        // What is late is not made up for: scans right behind each other would take one bounce of a switch for its rest.
        let now = Instant::now();
        due = if due + EVERY > now { due + EVERY } else { now + EVERY };
        Timer::at(due).await;
        if reeds.can_tell() && changed.elapsed() > STILL_AFTER {
            select(reeds.change(), Timer::after(AT_LEAST)).await;
        }
    }
}

/// Looks at the wires of the switches, where there are some, and has the squares lit that cannot be trusted.
async fn check(reeds: &mut impl Reeds) -> Option<Wiring> {
    let wiring = reeds.wires().await?;
    if !wiring.is_sound() {
        warn!("something is wrong with the wires of the switches:\n{}", Display2Format(&wiring));
    }
    FAULTS.signal(wiring.squares());
    Some(wiring)
}
