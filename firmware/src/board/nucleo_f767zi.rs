//! The NUCLEO-F767ZI: the board that people build.
//!
//! Nothing in this file can be tested without the hardware, so it stays thin.
//!
//! The flash is driven in single-bank mode (see the manifest), because that is how ST ships the chip and what probe-rs
//! expects: the board works out of its box. Dual-bank mode has smaller sectors and reads one bank while it erases the
//! other, but it takes an option byte that no common tool of this project sets, after which what was flashed before is
//! scrambled. The price is that the processor stands still while the journal erases a sector.

use defmt::unwrap;
use embassy_executor::Spawner;
use embassy_stm32::Config;
use embassy_stm32::gpio::{Level, Output, Speed};

use crate::life;

/// What is printed on the board.
pub const NAME: &str = "NUCLEO-F767ZI";

/// Wakes the chip up and starts every task. The clock is the internal one, 16 MHz, as after a reset.
pub fn start(spawner: Spawner) {
    let peripherals = embassy_stm32::init(Config::default());
    let ld1 = Output::new(peripherals.PB0, Level::Low, Speed::Low);

    spawner.spawn(unwrap!(live(ld1)));
}

#[embassy_executor::task]
async fn live(mut ld1: Output<'static>) -> ! {
    life::hello(NAME);
    life::heartbeat(|lit| ld1.set_level(lit.into())).await
}
