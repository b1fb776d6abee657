//! Scans the reed switches a thousand times a second.

use core::sync::atomic::Ordering;

use defmt::{Display2Format, warn};
use embassy_futures::select::select;
use embassy_time::{Duration, Instant, Timer};

use super::channels::{CHECK_WIRES, FAULTS, LOST_SCANS, SCANS, Scan, WIRES};
use super::clock;
use super::liveness::check_in;
use crate::drivers::wiring::Wiring;
use crate::hal::Reeds;
use crate::liveness::TaskId;

const SCAN_INTERVAL: Duration = Duration::from_millis(1);

/// Switches that report changes are scanned less often after this time without a change. It is longer than any timeout of
/// the board core.
const IDLE_AFTER: Duration = Duration::from_secs(12);

/// Scan interval of idle switches: short, because a chess clock may run out meanwhile.
const IDLE_SCAN_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) async fn scan(mut reeds: impl Reeds) -> ! {
    let mut due = Instant::now();
    let mut last = None;
    check_wiring(&mut reeds).await;
    let mut changed = Instant::now();
    loop {
        let wired = reeds.scan().await;
        check_in(TaskId::Scan);
        if last.replace(wired) != Some(wired) {
            changed = Instant::now();
        }
        if SCANS.try_send(Scan { wired, at: clock::now() }).is_err() {
            LOST_SCANS.fetch_add(1, Ordering::Relaxed);
        }
        if CHECK_WIRES.try_take().is_some() {
            WIRES.signal(check_wiring(&mut reeds).await);
        }
        // A late scan is not made up for: two scans in quick succession would see the same bounce of a switch twice, and
        // debouncing counts scans.
        let now = Instant::now();
        due = if due + SCAN_INTERVAL > now { due + SCAN_INTERVAL } else { now + SCAN_INTERVAL };
        Timer::at(due).await;
        if reeds.reports_changes() && changed.elapsed() > IDLE_AFTER {
            select(reeds.wait_for_change(), Timer::after(IDLE_SCAN_INTERVAL)).await;
        }
    }
}

/// Checks the wiring of the switches, and has faulty squares lit.
async fn check_wiring(reeds: &mut impl Reeds) -> Option<Wiring> {
    let wiring = reeds.check_wiring().await?;
    if !wiring.is_sound() {
        warn!("wiring faults of the reed switches:\n{}", Display2Format(&wiring));
    }
    FAULTS.signal(wiring.squares());
    Some(wiring)
}
