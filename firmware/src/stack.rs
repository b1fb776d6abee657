//! Stack high-water mark: cortex-m-rt fills the stack with a pattern before `main`, and words without it have been used.
#![expect(unsafe_code, reason = "reads memory outside of any Rust object")]

use core::ptr;

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// The upper end, from which the stack grows down. Only the address of this symbol has a meaning.
    static _stack_start: u32;
    /// The lower end.
    static _stack_end: u32;
}

/// Size of the stack in bytes.
pub(crate) fn size() -> usize {
    (&raw const _stack_start).addr() - (&raw const _stack_end).addr()
}

/// The most bytes that were in use at once.
pub(crate) fn high_water_mark() -> usize {
    let (start, mut at) = ((&raw const _stack_start).addr(), (&raw const _stack_end).addr());
    // SAFETY: both symbols are word-aligned bounds of RAM. Words in use may change concurrently; the read is volatile, and
    // every bit pattern is a valid u32.
    while at < start && unsafe { ptr::with_exposed_provenance::<u32>(at).read_volatile() } == STACK_PAINT_VALUE {
        at += size_of::<u32>();
    }
    start - at
}
