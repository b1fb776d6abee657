//! The end of a board that cannot go on: one line in the log, the reason where the next run finds it, and then whatever the
//! board does about it.
#![expect(unsafe_code, reason = "a fault is handled below Rust: by symbol, and with the stack in doubt")]

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::interrupt;
use cortex_m_rt::ExceptionFrame;
use defmt::{Display2Format, error};
use heapless::String;
use static_cell::StaticCell;

use crate::board::here;
use crate::last_words::{LAST_WORDS_BYTES, LastWords};

/// Memory that nothing clears when the board starts.
struct Kept(UnsafeCell<MaybeUninit<LastWords>>);

// SAFETY: it is only reached through `with_kept`, with interrupts masked, and there is one core.
unsafe impl Sync for Kept {}

// SAFETY: the section is one that cortex-m-rt neither loads nor clears, which suits a value that may be anything.
#[unsafe(link_section = ".uninit.last_words")]
static KEPT: Kept = Kept(UnsafeCell::new(MaybeUninit::uninit()));

/// Set once something has gone wrong, so that what goes wrong on the way out ends at once, and a panic out of the logger
/// itself is not logged again.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Why the run before this one ended, if it said so. It is told once.
pub(crate) fn last_words() -> Option<&'static str> {
    static WORDS: StaticCell<String<LAST_WORDS_BYTES>> = StaticCell::new();

    let words: &'static String<LAST_WORDS_BYTES> = WORDS.init(with_kept(LastWords::take)?);
    Some(words)
}

fn with_kept<R>(action: impl FnOnce(&mut LastWords) -> R) -> R {
    interrupt::free(|_| {
        // SAFETY: interrupts are masked, so nobody else is here. The memory is not the compiler's to reason about: the
        // linker keeps it out of what is cleared, every pattern of bits is a value of the type, and the compiler cannot know
        // that nobody has written to what a link section names.
        let kept = unsafe { &mut *KEPT.0.get().cast::<LastWords>() };
        action(kept)
    })
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    end(format_args!("{info}"))
}

/// Says why, keeps it, and goes down.
pub(crate) fn end(reason: fmt::Arguments<'_>) -> ! {
    let is_first = !ENDING.swap(true, Ordering::Relaxed);
    if is_first {
        with_kept(|kept| kept.say(reason));
        error!("{}", Display2Format(&reason));
    }
    here::go_down(is_first)
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
