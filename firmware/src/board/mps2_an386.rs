//! The MPS2+ board with Arm's AN386 image, as QEMU emulates it: the board that the system tests play on.
//!
//! The same tasks as on the real board, on other drivers. It takes its orders from the command line that QEMU passes on
//! by semihosting (see `orders.rs`), and can end the emulator with an exit code.

mod dice;
mod dog;
mod executor;
mod interrupts;
mod network;
mod orders;
mod panel;
mod registers;
mod time_driver;
mod uart;
mod vault;

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use defmt::unwrap;
use embassy_executor::Spawner;
use semihosting::process;

use crate::{fault, life, parts};

pub(crate) use self::dice::EmulatedDice as Dice;
pub(crate) use self::dog::EmulatedDog as Dog;
pub(crate) use self::network::Lan9118Driver as Network;
pub(crate) use self::panel::{PanelLamps as Lamps, PanelReeds as Reeds};
pub(crate) use self::uart::Cable as Console;
pub(crate) use self::vault::EmulatedVault as Vault;

/// What QEMU calls this machine.
pub const NAME: &str = "mps2-an386";

/// Whether to start again after a panic or a fault, instead of ending the emulator.
static LIVES_ON: AtomicBool = AtomicBool::new(false);

/// What is left to do when the board cannot go on, and has said so: exit code 1 for whoever started the emulator; or, if it
/// was told to live on, another start.
pub(crate) fn go_down(_is_first: bool) -> ! {
    if LIVES_ON.load(Ordering::Relaxed) {
        SCB::sys_reset();
    }
    process::exit(1)
}

/// Starts the clock and every task, and runs them for ever.
pub fn start() -> ! {
    time_driver::init();
    executor::run(|spawner| {
        spawner.spawn(unwrap!(live(spawner)));
    })
}

#[embassy_executor::task]
async fn live(spawner: Spawner) {
    life::hello(NAME);
    if orders::is_given("exit-after-hello") {
        process::exit(0);
    }
    LIVES_ON.store(orders::is_given("live-on"), Ordering::Relaxed);
    dog::start();
    let last_words = fault::last_words();
    if last_words.is_none() {
        orders::misbehave();
    }
    uart::start();
    let parts = life::Parts {
        name: NAME,
        reeds: Reeds::new(),
        lamps: Lamps,
        vault: Vault::open(),
        dice: Dice::new(),
        dog: Dog,
        console: Console(&uart::CONSOLE),
        network: Network::start(),
        pilot: Pilot,
        reboot: SCB::sys_reset,
        amend: orders::amend,
        last_words,
    };
    life::live(spawner, parts).await;
}

/// The first of the two user LEDs.
pub(crate) struct Pilot;

impl parts::Pilot for Pilot {
    fn light(&mut self, lit: bool) {
        registers::FPGAIO_LED.write(lit.into());
    }
}
