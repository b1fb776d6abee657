//! The end of a board that cannot go on: one line in the log, and exit code 1 for whoever started the emulator.
#![expect(unsafe_code, reason = "a fault is handled below Rust: by symbol, and with the stack in doubt")]

use core::arch::naked_asm;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m_rt::ExceptionFrame;
use defmt::{Display2Format, error};
use semihosting::process;

/// Set once something has gone wrong, so that a second panic out of the logger itself is not logged again.
static ENDING: AtomicBool = AtomicBool::new(false);

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    if !ENDING.swap(true, Ordering::Relaxed) {
        error!("{}", Display2Format(info));
    }
    process::exit(1)
}

/// The processor comes here when it cannot carry on, with what it was doing on the stack.
///
/// Where the stack itself has overflowed there is nothing to read and no room to work: then, and also where less than a
/// quarter of a kilobyte is left, it is given up for a fresh one, and the handler gets no frame.
// SAFETY: the symbol is the one that cortex-m-rt puts in the vector table, and nothing else in this image defines it.
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn HardFault() -> ! {
    naked_asm!(
        "mov r0, sp",
        "ldr r1, =_stack_end + 256",
        "cmp r0, r1",
        "bhs 1f",
        "ldr r1, =_stack_start",
        "mov sp, r1",
        "movs r0, #0",
        "1: b {handler}",
        handler = sym hard_fault,
    )
}

extern "C" fn hard_fault(frame: Option<&ExceptionFrame>) -> ! {
    if !ENDING.swap(true, Ordering::Relaxed) {
        if let Some(frame) = frame {
            error!("hard fault at {=u32:#010x}, called from {=u32:#010x}", frame.pc(), frame.lr());
        } else {
            error!("stack overflow");
        }
    }
    process::exit(1)
}
