//! Prints the nodes and the instructions of kiwipete at depth 3, on an emulated Cortex-M whose clock counts instructions.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod image {
    use core::hint::black_box;
    use core::panic::PanicInfo;
    use core::ptr::read_volatile;

    use semihosting::{println, process};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// The free-running counter of the network chip on QEMU's mps2-an386: 25 MHz, 32 bits, no set-up.
    const COUNTER: *const u32 = 0x4020_009c as *const u32;

    #[expect(unsafe_code, reason = "reading a register")]
    fn ticks() -> u32 {
        // SAFETY: the register is there on this machine, it is aligned, and reading it changes nothing.
        unsafe { read_volatile(COUNTER) }
    }

    #[cortex_m_rt::entry]
    fn main() -> ! {
        let start = ticks();
        let nodes = black_box(rules_bench::perft(black_box(KIWIPETE), 3));
        let ticks = ticks().wrapping_sub(start);
        // With `-icount shift=10` an instruction takes 1024 ns of the machine's time, which is 25.6 ticks.
        println!("{nodes} {}", (u64::from(ticks) * 10 + 128) / 256);
        process::exit(0)
    }

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        process::exit(1)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
