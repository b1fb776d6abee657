//! Panic and hard fault handlers: log the reason, store it for the next run, and reset.
#![expect(unsafe_code, reason = "the fault handler is naked assembly, and the panic record is in uninitialised memory")]

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
use crate::panic_record::{PANIC_RECORD_BYTES, PanicRecord};

/// The panic record in memory that a reset does not clear.
struct PanicRecordCell(UnsafeCell<MaybeUninit<PanicRecord>>);

// SAFETY: it is only accessed through `with_record`, with interrupts masked, and there is one core.
unsafe impl Sync for PanicRecordCell {}

// SAFETY: the section is one that cortex-m-rt neither loads nor clears, which suits a value that may be anything.
#[unsafe(link_section = ".uninit.panic_record")]
static RECORD: PanicRecordCell = PanicRecordCell(UnsafeCell::new(MaybeUninit::uninit()));

/// Set by the first failure. A second one, such as a panic in the logger, is neither logged nor stored.
static FAILED: AtomicBool = AtomicBool::new(false);

/// The reason why the previous run ended, if it panicked or faulted. It is returned once.
pub(crate) fn panic_record() -> Option<&'static str> {
    static REASON: StaticCell<String<PANIC_RECORD_BYTES>> = StaticCell::new();

    let reason: &'static String<PANIC_RECORD_BYTES> = REASON.init(with_record(PanicRecord::take)?);
    Some(reason)
}

fn with_record<R>(action: impl FnOnce(&mut PanicRecord) -> R) -> R {
    interrupt::free(|_| {
        // SAFETY: interrupts are masked, so there is no other reference. Reading memory that this run has not written is
        // sound here: the linker section is neither loaded nor cleared, so the compiler cannot assume its content, and
        // every bit pattern is a valid `PanicRecord`.
        let record = unsafe { &mut *RECORD.0.get().cast::<PanicRecord>() };
        action(record)
    })
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    fail(format_args!("{info}"))
}

/// Logs and stores the reason, and resets the board.
pub(crate) fn fail(reason: fmt::Arguments<'_>) -> ! {
    let is_first = !FAILED.swap(true, Ordering::Relaxed);
    if is_first {
        with_record(|record| record.store(reason));
        error!("{}", Display2Format(&reason));
    }
    here::reset_or_exit(is_first)
}

/// The hard fault handler, with the exception frame on the stack.
///
/// After a stack overflow, or with less than 256 bytes of stack left, the frame is lost and the handler would not have room
/// to run: the stack pointer is set back to the start of the stack, and the handler gets no frame.
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
        Some(frame) => fail(format_args!("hard fault at {:#010x}, called from {:#010x}", frame.pc(), frame.lr())),
        None => fail(format_args!("stack overflow")),
    }
}
