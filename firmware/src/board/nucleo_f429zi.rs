//! The NUCLEO-F429ZI: the same board with an older chip, to show what another board costs.
//!
//! Its 192 KB of RAM are in one piece and have the statics; the stack has the 64 KB that only the processor reaches (see
//! memory.x). The second half of its flash is a bank of its own, so the program is not stopped while the journal erases a
//! sector there, though it does not do anything else meanwhile either.

use embassy_executor::Spawner;
use embassy_stm32::gpio::{Level, OutputOpenDrain, Pull, Speed};
use embassy_stm32::peripherals::RNG;
use embassy_stm32::{Config, bind_interrupts, rcc, rng};

use super::nucleo_144::{self, Chip, PROBE_CLOCK};

/// The journal has sectors 22 and 23 of the flash.
const CHIP: Chip = Chip { name: "NUCLEO-F429ZI", journal: 0x1c_0000, bank_len: 128 * 1024 };

bind_interrupts!(struct Interrupts {
    HASH_RNG => rng::InterruptHandler<RNG>;
});

/// Wakes the chip up and starts every task.
pub async fn start(spawner: Spawner) {
    let mut p = embassy_stm32::init(clocks());
    // In early chips a change on this pin, which belongs to the USB socket, spoils what is read from the second bank of the
    // flash (ST ES0206). So it is held down for ever.
    core::mem::forget(OutputOpenDrain::new_pull(p.PA12.reborrow(), Level::Low, Speed::Low, Pull::Down));
    nucleo_144::live(spawner, CHIP, p, Interrupts).await;
}

/// 104 MHz of the 180 that are possible: an eighth of a quarter of it is a clock that every WS2812 understands.
fn clocks() -> Config {
    let mut config = Config::default();
    config.rcc.hse = Some(PROBE_CLOCK);
    config.rcc.pll_src = rcc::PllSource::HSE;
    config.rcc.pll = Some(rcc::Pll {
        prediv: rcc::PllPreDiv::DIV4,
        mul: rcc::PllMul::MUL104,
        divp: Some(rcc::PllPDiv::DIV2),
        // 41.6 MHz for the dice, which may have 48.
        divq: Some(rcc::PllQDiv::DIV5),
        divr: None,
    });
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config.rcc.apb1_pre = rcc::APBPrescaler::DIV4;
    config.rcc.apb2_pre = rcc::APBPrescaler::DIV2;
    config
}
