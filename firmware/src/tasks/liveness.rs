//! The shared [`Liveness`] that tasks check in to and the watchdog task reads.

use core::cell::Cell;
use core::pin::pin;

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::{Duration, Timer};

use crate::liveness::{Liveness, TaskId};

/// How often a waiting task checks in.
const CHECK_IN_INTERVAL: Duration = Duration::from_secs(1);

static LIVENESS: Mutex<CriticalSectionRawMutex, Cell<Liveness>> = Mutex::new(Cell::new(Liveness::new()));

/// Runs an action on the shared value.
pub(crate) fn with<R>(action: impl FnOnce(&mut Liveness) -> R) -> R {
    LIVENESS.lock(|cell| {
        let mut liveness = cell.get();
        let result = action(&mut liveness);
        cell.set(liveness);
        result
    })
}

/// Records that a task is alive.
pub(crate) fn check_in(task: TaskId) {
    with(|liveness| liveness.check_in(task));
}

/// Awaits a future that may take any time, such as a user or a network, and checks in every second meanwhile. The future is
/// polled to completion and never restarted, so it need not be cancel-safe.
pub(crate) async fn check_in_during<T>(task: TaskId, wait: impl Future<Output = T>) -> T {
    let mut wait = pin!(wait);
    loop {
        check_in(task);
        if let Either::First(result) = select(wait.as_mut(), Timer::after(CHECK_IN_INTERVAL)).await {
            return result;
        }
    }
}
