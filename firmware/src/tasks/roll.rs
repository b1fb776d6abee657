//! The roll that the watchdog calls, where every task can reach it.

use core::cell::Cell;
use core::pin::pin;

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::{Duration, Timer};

use crate::roll_call::{RollCall, Who};

/// How often a task that waits says that it is still there.
const EVERY: Duration = Duration::from_secs(1);

static ROLL: Mutex<CriticalSectionRawMutex, Cell<RollCall>> = Mutex::new(Cell::new(RollCall::new()));

/// Does something to the roll.
pub(crate) fn with<R>(action: impl FnOnce(&mut RollCall) -> R) -> R {
    ROLL.lock(|roll| {
        let mut call = roll.get();
        let result = action(&mut call);
        roll.set(call);
        result
    })
}

/// Somebody is alive.
pub(crate) fn check_in(who: Who) {
    with(|roll| roll.check_in(who));
}

/// Waits for something that may take as long as it likes, like a person or a network, and says all the while that somebody
/// waits. What is waited for is never begun anew, so it need not bear that.
pub(crate) async fn patiently<T>(who: Who, wait: impl Future<Output = T>) -> T {
    let mut wait = pin!(wait);
    loop {
        check_in(who);
        if let Either::First(result) = select(wait.as_mut(), Timer::after(EVERY)).await {
            return result;
        }
    }
}
