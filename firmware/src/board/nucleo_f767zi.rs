//! The NUCLEO-F767ZI: the board that people build.
//!
//! The flash is driven in single-bank mode (see the manifest), because that is how ST ships the chip and what probe-rs
//! expects: the board works out of its box. Dual-bank mode has smaller sectors and reads one bank while it erases the
//! other, but it takes an option byte that no common tool of this project sets, after which what was flashed before is
//! scrambled. The price is that the processor stands still while the journal erases a sector.
//!
//! The journal has the last two sectors, which memory.x leaves out. It erases one only when the other is nearly full, once
//! in some seventy games, and waits for a moment at which nobody minds if it can: when the board has just been switched on,
//! or a game is over.
//!
//! The brown-out level is an option byte as well, and is left as it is. Raising it to level 3 (2.7 V) is worth it, for then
//! the chip stops before it can stumble; docs/hardware.md says how. The firmware does not do it by itself: a power cut in
//! the moment in which option bytes are written can lock the chip, and that moment would be the first power-up, with a
//! person at the plug. The journal does not need it: whatever is half written does not count.

use embassy_executor::Spawner;
use embassy_stm32::peripherals::RNG;
use embassy_stm32::{Config, bind_interrupts, rcc, rng};

use super::nucleo_144::{self, Chip, PROBE_CLOCK};

/// The journal has sectors 10 and 11 of the flash.
const CHIP: Chip = Chip { name: "NUCLEO-F767ZI", journal: 0x18_0000, bank_len: 256 * 1024 };

bind_interrupts!(struct Interrupts {
    RNG => rng::InterruptHandler<RNG>;
});

/// Wakes the chip up and starts every task.
pub async fn start(spawner: Spawner) {
    if let Some(mut core) = cortex_m::Peripherals::take() {
        // Without it every instruction would wait for the flash. Code never changes, so nothing can be stale in it.
        core.SCB.enable_icache();
    }
    nucleo_144::live(spawner, CHIP, embassy_stm32::init(clocks()), Interrupts).await;
}

/// 208 MHz of the 216 that are possible: a sixteenth of a quarter of it is a clock that every WS2812 understands.
fn clocks() -> Config {
    let mut config = Config::default();
    config.rcc.hse = Some(PROBE_CLOCK);
    config.rcc.pll_src = rcc::PllSource::HSE;
    config.rcc.pll = Some(rcc::Pll {
        prediv: rcc::PllPreDiv::DIV4,
        mul: rcc::PllMul::MUL208,
        divp: Some(rcc::PllPDiv::DIV2),
        // 46 MHz for the dice, which may have 48.
        divq: Some(rcc::PllQDiv::DIV9),
        divr: None,
    });
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config.rcc.apb1_pre = rcc::APBPrescaler::DIV4;
    config.rcc.apb2_pre = rcc::APBPrescaler::DIV2;
    config.rcc.mux.clk48sel = rcc::mux::Clk48sel::PLL1_Q;
    config
}
