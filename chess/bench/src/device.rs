//! Prints the nodes and the instructions of kiwipete at depth 3, on an emulated Cortex-M whose clock counts instructions.
#![cfg_attr(target_os = "none", no_std)]
#![cfg_attr(target_os = "none", no_main)]

#[cfg(target_os = "none")]
mod image {
    use core::hint::black_box;
    use core::panic::PanicInfo;

    use rules_bench::counter;
    use semihosting::{println, process};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[cortex_m_rt::entry]
    fn main() -> ! {
        let (nodes, instructions) = counter::count(|| black_box(rules_bench::perft(black_box(KIWIPETE), 3)));
        println!("{nodes} {instructions}");
        process::exit(0)
    }

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        process::exit(1)
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
