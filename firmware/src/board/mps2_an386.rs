//! The MPS2+ board with Arm's AN386 image, as QEMU emulates it: the board that the system tests play on.
//!
//! The same tasks as on the real board, on other drivers. It takes its orders from the command line that QEMU passes on
//! by semihosting, and can end the emulator with an exit code.

mod executor;
mod fault;
mod interrupts;
mod registers;
mod time_driver;

use defmt::unwrap;
use semihosting::experimental::env;
use semihosting::process;

use crate::life;

/// What QEMU calls this machine.
pub const NAME: &str = "mps2-an386";

/// More than any command line that the tests give.
const COMMAND_LINE_BYTES: usize = 256;

/// Starts the clock and every task, and runs them for ever.
pub fn start() -> ! {
    time_driver::init();
    executor::run(|spawner| {
        spawner.spawn(unwrap!(live()));
    })
}

#[embassy_executor::task]
async fn live() -> ! {
    life::hello(NAME);
    if is_ordered("exit-after-hello") {
        process::exit(0);
    }
    life::heartbeat(|lit| registers::FPGAIO_LED.write(lit.into())).await
}

/// Whether `order` is a word of the command line. A command line that cannot be read holds no orders.
fn is_ordered(order: &str) -> bool {
    env::args::<COMMAND_LINE_BYTES>().is_ok_and(|args| (&args).any(|arg| arg == Ok(order)))
}
