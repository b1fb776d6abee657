//! Measures the stack depth by painting the stack.

use core::arch::asm;
use core::ptr;

/// Paint pattern: neither an address nor a small number.
const PAINT: u32 = 0xcccc_cccc;

/// Runs some work, and returns its stack depth in bytes.
#[expect(unsafe_code, reason = "the stack lies below everything that the language knows of")]
pub(crate) fn depth<T>(work: impl FnOnce() -> T) -> (T, usize) {
    unsafe extern "C" {
        /// The lowest word of the stack, from memory.x.
        static mut _stack_end: u32;
    }
    let top = pointer();
    let end = &raw mut _stack_end;
    let mut cell = end;
    while cell < top {
        // SAFETY: the memory from the end of the stack up to its pointer is there, and no code uses it.
        unsafe { ptr::write_volatile(cell, PAINT) };
        cell = cell.wrapping_add(1);
    }
    let result = apart(work);
    cell = end;
    // SAFETY: as above; the work has returned.
    while cell < top && unsafe { ptr::read_volatile(cell) } == PAINT {
        cell = cell.wrapping_add(1);
    }
    (result, top.addr() - cell.addr())
}

/// Has a frame of its own, so that everything in it lies below the stack pointer of the caller.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[expect(unsafe_code, reason = "reading a register")]
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is the pointer of the caller that is wanted")]
fn pointer() -> *mut u32 {
    let pointer: *mut u32;
    // SAFETY: reading the stack pointer changes nothing.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}
