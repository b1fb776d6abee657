//! An embassy executor that sleeps with WFI.
//!
//! The executor of embassy sleeps with WFE, which QEMU executes as a no-op: every emulated board would keep a core of the
//! host busy.
#![expect(unsafe_code, reason = "embassy finds the pender by its symbol, and polling is unsafe if it is re-entrant")]

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

/// Runs the tasks that `spawn` starts, and those that they start.
pub(super) fn run(spawn: impl FnOnce(Spawner)) -> ! {
    static EXECUTOR: StaticCell<raw::Executor> = StaticCell::new();

    let executor: &'static raw::Executor = EXECUTOR.init(raw::Executor::new(ptr::null_mut()));
    spawn(executor.spawner());
    loop {
        READY.store(false, Ordering::Relaxed);
        // SAFETY: only this function polls, and `StaticCell::init` panics if it is entered a second time.
        unsafe { executor.poll() };
        // Interrupts are masked, so that none makes a task ready between the check and the sleep. A masked interrupt
        // still ends WFI, and its handler runs when the mask is lifted.
        interrupt::free(|_| {
            if !READY.load(Ordering::Relaxed) {
                asm::wfi();
            }
        });
    }
}
