//! Image for the NUCLEO-F429ZI: the same board as the NUCLEO-F767ZI with an older chip. Its log goes to the debug probe (RTT).
//!
//! The journal is in the second bank of the flash, so the processor does not stall while a sector there is erased. The
//! driver blocks all the same until the erase is done.
#![no_std]
#![no_main]

use defmt_rtt as _;
use embassy_stm32::gpio::{Level, OutputOpenDrain, Pull, Speed};
use embassy_stm32::peripherals::RNG;
use embassy_stm32::{bind_interrupts, pac, rng};
use engine::Slot;
use firmware::board::nucleo_144::{self, Chip};
use firmware::chip::{ClockTree, JournalPlace, Limits, Sectors};
use static_cell::ConstStaticCell;

/// End of the flash that the linker uses: `memory.flash` in Cargo.toml.
const IMAGE_END: u32 = 0x18_0000;

/// 104 MHz of at most 180, from which the SPI of the lights gets its exact frequency.
const CLOCKS: ClockTree = ClockTree {
    input_hz: 2_000_000,
    multiplier: 104,
    system_divider: 2,
    rng_divider: 5,
    apb1_divider: 4,
    apb2_divider: 2,
    spi_divider: 8,
    limits: Limits { system_hz: 180_000_000, apb1_hz: 45_000_000, apb2_hz: 90_000_000 },
}
.checked();

/// The flash sectors of both banks of 1 MB.
const FLASH: [Sectors; 6] = [
    Sectors { count: 4, len: 16 * 1024 },
    Sectors { count: 1, len: 64 * 1024 },
    Sectors { count: 7, len: 128 * 1024 },
    Sectors { count: 4, len: 16 * 1024 },
    Sectors { count: 1, len: 64 * 1024 },
    Sectors { count: 7, len: 128 * 1024 },
];

const CHIP: Chip = Chip {
    board: "NUCLEO-F429ZI",
    clocks: CLOCKS,
    journal: JournalPlace::last_two_sectors(&FLASH, IMAGE_END),
    rng: |rng| rng::Rng::new(rng, Interrupts),
};

/// The transposition table of the engine: the RAM that is left, 16 KB.
static TABLE: ConstStaticCell<[Slot; 2 * 1024]> = ConstStaticCell::new([Slot::EMPTY; 2 * 1024]);

bind_interrupts!(struct Interrupts {
    HASH_RNG => rng::InterruptHandler<RNG>;
});

#[cortex_m_rt::entry]
fn main() -> ! {
    // Nothing else takes them.
    let mut core = defmt::unwrap!(cortex_m::Peripherals::take());
    let boot = nucleo_144::boot(&mut core);
    let mut p = embassy_stm32::init(nucleo_144::clock_config(&CHIP.clocks, boot.clock_source));
    // The flash accelerator: prefetch and both caches. Without it every branch waits three cycles for the flash.
    pac::FLASH.acr().modify(|w| {
        w.set_prften(true);
        w.set_icen(true);
        w.set_dcen(true);
    });
    // Erratum of early chips (ST ES0206): an edge on this pin, which belongs to the USB socket, corrupts reads from the
    // second bank of the flash. So it is held low permanently.
    core::mem::forget(OutputOpenDrain::new_pull(p.PA12.reborrow(), Level::Low, Speed::Low, Pull::Down));
    nucleo_144::run(CHIP, boot, p, TABLE.take())
}
