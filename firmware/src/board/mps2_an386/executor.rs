//! An executor that sleeps with WFI.
//!
//! Embassy's own sleeps with WFE, which the emulator takes for a no-op: every simulated board would keep a core of the
//! host busy for nothing.
#![expect(unsafe_code, reason = "embassy wants the waker function by its symbol, and a promise about who polls")]

use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::{asm, interrupt};
use embassy_executor::{Spawner, raw};
use static_cell::StaticCell;

/// Set when a task has become ready since the last poll.
static READY: AtomicBool = AtomicBool::new(false);

// SAFETY: the symbol is the one that embassy-executor looks for, and nothing else in this image defines it.
#[unsafe(export_name = "__pender")]
fn pend(_executor: *mut ()) {
    READY.store(true, Ordering::Relaxed);
}

/// Runs the tasks that `spawn` starts, and those they start, for ever.
pub(super) fn run(spawn: impl FnOnce(Spawner)) -> ! {
    static EXECUTOR: StaticCell<raw::Executor> = StaticCell::new();

    let executor: &'static raw::Executor = EXECUTOR.init(raw::Executor::new(ptr::null_mut()));
    spawn(executor.spawner());
    loop {
        READY.store(false, Ordering::Relaxed);
        // SAFETY: this function is the only one that polls, and it is not entered again from within a task, because
        // `StaticCell` lets nobody through twice.
        unsafe { executor.poll() };
        // With interrupts masked, none can make a task ready between the question and the sleep. A masked interrupt still
        // ends WFI, and its handler runs as soon as the mask is lifted.
        interrupt::free(|_| {
            if !READY.load(Ordering::Relaxed) {
                asm::wfi();
            }
        });
    }
}
