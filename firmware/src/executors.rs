//! Three priorities: the scan of the switches, all other tasks, and the engine.
//!
//! The first two are executors that run in interrupts of unused peripherals, the scan above the tasks; the drivers' interrupts are above both. Thread
//! mode is left to the engine (`tasks/engine.rs`), which therefore delays nothing, and the scan is not delayed by a task that
//! computes for milliseconds, like the key exchange of the link.

#![expect(unsafe_code, reason = "a spawner of the current executor must be asked for in one of its tasks")]

use embassy_executor::{InterruptExecutor, Spawner};

/// Scans the switches.
pub(crate) static SCAN: InterruptExecutor = InterruptExecutor::new();
/// All other tasks.
pub(crate) static TASKS: InterruptExecutor = InterruptExecutor::new();

/// The spawner of the executor that runs the calling task. Unlike a spawner from outside, it also takes tasks whose arguments must stay on one
/// executor.
pub(crate) async fn current() -> Spawner {
    // SAFETY: only tasks of embassy's executors run in this firmware, so the context is one of theirs.
    unsafe { Spawner::for_current_executor() }.await
}
