//! Counts instructions on QEMU's mps2-an386, if it runs with `-icount shift=10`.

use core::ptr::read_volatile;

/// The free-running counter of the network chip: 25 MHz, 32 bits, no set-up.
const COUNTER: *const u32 = 0x4020_009c as *const u32;

#[expect(unsafe_code, reason = "reading a register")]
fn ticks() -> u32 {
    // SAFETY: the register is there on this machine, it is aligned, and reading it changes nothing.
    unsafe { read_volatile(COUNTER) }
}

/// Does some work, and says how many instructions it took: up to 160 million, with the few that reading the counter takes.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let start = ticks();
    let result = work();
    let ticks = ticks().wrapping_sub(start);
    // An instruction takes 1024 ns of the machine's time, which is 25.6 ticks.
    (result, (u64::from(ticks) * 10 + 128) / 256)
}
