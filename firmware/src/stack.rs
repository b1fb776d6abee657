//! How deep the stack has been: it is painted before anything runs, and where the paint is gone, something was.
#![expect(unsafe_code, reason = "the stack is memory that belongs to nobody")]

use core::ptr;

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// Where the stack begins, from which it grows down. It is a place, and nothing is there.
    static _stack_start: u32;
    /// Where it may not go any further.
    static _stack_end: u32;
}

/// So many bytes there are.
pub(crate) fn size() -> usize {
    (&raw const _stack_start).addr() - (&raw const _stack_end).addr()
}

/// So many of them were in use at once, at most.
pub(crate) fn deepest() -> usize {
    let (start, mut at) = ((&raw const _stack_start).addr(), (&raw const _stack_end).addr());
    // SAFETY: all that lies between the two is memory, and of words. What is below the paint's edge nobody writes; what is
    // above it may change, and any word is a word.
    while at < start && unsafe { ptr::with_exposed_provenance::<u32>(at).read_volatile() } == STACK_PAINT_VALUE {
        at += size_of::<u32>();
    }
    start - at
}
