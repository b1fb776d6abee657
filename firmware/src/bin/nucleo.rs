//! Image for the NUCLEO-F767ZI, the main board. Its log goes to the debug probe (RTT).
//!
//! The flash is used in single-bank mode (see the feature in Cargo.toml): ST ships the chip so, and probe-rs expects it, so
//! a new board works without configuration. Dual-bank mode has smaller sectors, and one bank can be read while the other
//! is erased. But it needs an option byte that none of this project's tools sets, and changing it scrambles what was
//! flashed before. The cost of single-bank mode: the processor stalls while the journal erases a sector.
//!
//! The journal has the last two sectors of the flash. It erases one only when the other is nearly full, about once in
//! seventy games. If it can, it waits for a start of the board or the end of a game, when the stall disturbs no player.
//!
//! The brown-out level is an option byte too, and is left as it is. Level 3 (2.7 V) is recommended: the chip then stops
//! before its supply is too low to run correctly. docs/hardware.md says how to set it. The firmware does not set it
//! itself, because a power cut while option bytes are written can lock the chip. The journal does not depend on it: an
//! incomplete write is detected and ignored.
#![no_std]
#![no_main]

use defmt_rtt as _;
use embassy_stm32::peripherals::RNG;
use embassy_stm32::{bind_interrupts, rcc, rng};
use engine::Slot;
use firmware::board::nucleo_144::{self, Chip};
use firmware::chip::{ClockTree, JournalPlace, Limits, Sectors};
use static_cell::ConstStaticCell;

/// End of the flash that the linker uses: `memory.flash` in Cargo.toml.
const IMAGE_END: u32 = 0x18_0000;

/// 208 MHz of at most 216.
const CLOCKS: ClockTree = ClockTree {
    input_hz: 2_000_000,
    multiplier: 208,
    system_divider: 2,
    rng_divider: 9,
    apb1_divider: 4,
    apb2_divider: 2,
    spi_divider: 16,
    limits: Limits { system_hz: 216_000_000, apb1_hz: 54_000_000, apb2_hz: 108_000_000 },
}
.checked();

/// The 2 MB of flash in single-bank mode.
const FLASH: [Sectors; 3] = [
    Sectors { count: 4, len: 32 * 1024 },
    Sectors { count: 1, len: 128 * 1024 },
    Sectors { count: 7, len: 256 * 1024 },
];

const CHIP: Chip = Chip {
    board: "NUCLEO-F767ZI",
    clocks: CLOCKS,
    journal: JournalPlace::last_two_sectors(&FLASH, IMAGE_END),
    rng: |rng| rng::Rng::new(rng, Interrupts),
};

/// The transposition table of the engine: 128 KB.
static TABLE: ConstStaticCell<[Slot; 16 * 1024]> = ConstStaticCell::new([Slot::EMPTY; 16 * 1024]);

bind_interrupts!(struct Interrupts {
    RNG => rng::InterruptHandler<RNG>;
});

#[cortex_m_rt::entry]
fn main() -> ! {
    // Nothing else takes them.
    let mut core = defmt::unwrap!(cortex_m::Peripherals::take());
    let boot = nucleo_144::boot(&mut core);
    // Without the cache every instruction would wait for the flash. Code never changes, so no entry becomes stale.
    core.SCB.enable_icache();
    let mut config = nucleo_144::clock_config(&CHIP.clocks, boot.clock_source);
    config.rcc.mux.clk48sel = rcc::mux::Clk48sel::PLL1_Q;
    nucleo_144::run(CHIP, boot, embassy_stm32::init(config), TABLE.take())
}
