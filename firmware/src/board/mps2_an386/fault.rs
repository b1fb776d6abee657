//! The end of a board that cannot go on: one line in the log, and exit code 1 for whoever started the emulator. If it was
//! told to live on, it starts again instead, and knows why.
#![expect(unsafe_code, reason = "a fault is handled below Rust: by symbol, and with the stack in doubt")]

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use cortex_m_rt::ExceptionFrame;
use defmt::{Display2Format, error};
use heapless::String;
use semihosting::process;
use static_cell::StaticCell;

use crate::last_words::{LAST_WORDS_BYTES, LastWords};

/// Set once something has gone wrong, so that a second panic out of the logger itself is not logged again.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Whether to start again instead of ending the emulator.
static LIVE_ON: AtomicBool = AtomicBool::new(false);

/// Memory that nothing clears when the board starts.
struct Kept(UnsafeCell<MaybeUninit<LastWords>>);

// SAFETY: it is only reached through `with_kept`, whose callers come one after the other.
unsafe impl Sync for Kept {}

// SAFETY: the section is one that cortex-m-rt neither loads nor clears, which is all that a value which may be anything needs.
#[unsafe(link_section = ".uninit.last_words")]
static KEPT: Kept = Kept(UnsafeCell::new(MaybeUninit::uninit()));

/// Does something to what is kept. It is called once at the start and once at the end, when nothing else runs any more.
fn with_kept<R>(action: impl FnOnce(&mut LastWords) -> R) -> R {
    // SAFETY: any bytes are a value of this type, and no two callers are there at once.
    action(unsafe { &mut *KEPT.0.get().cast::<LastWords>() })
}

/// Why the run before this one ended, if it said so.
pub(super) fn last_words() -> Option<&'static str> {
    static WORDS: StaticCell<String<LAST_WORDS_BYTES>> = StaticCell::new();

    let words: &'static String<LAST_WORDS_BYTES> = WORDS.init(with_kept(LastWords::take)?);
    Some(words)
}

/// Chooses whether to start again after a panic or a fault.
pub(super) fn survive(live_on: bool) {
    LIVE_ON.store(live_on, Ordering::Relaxed);
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    end(format_args!("{info}"))
}

/// Says why, and ends.
pub(super) fn end(reason: fmt::Arguments<'_>) -> ! {
    if !ENDING.swap(true, Ordering::Relaxed) {
        with_kept(|kept| kept.say(reason));
        error!("{}", Display2Format(&reason));
    }
    if LIVE_ON.load(Ordering::Relaxed) {
        SCB::sys_reset();
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
    match frame {
        Some(frame) => end(format_args!("hard fault at {:#010x}, called from {:#010x}", frame.pc(), frame.lr())),
        None => end(format_args!("stack overflow")),
    }
}
