//! The MPS2+ board with Arm's AN386 image, as QEMU emulates it. The system tests run on it.
//!
//! It runs the same tasks as a real board, with other drivers. Its configuration comes from the command line of QEMU by
//! semihosting (see `options.rs`), and it can end QEMU with an exit code.

mod flash;
mod interrupts;
mod network;
mod options;
mod panel;
mod registers;
mod rng;
mod time_driver;
mod uart;
mod watchdog;

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use cortex_m::{asm, interrupt};
use defmt::unwrap;
use engine::Slot;
use semihosting::process;
use static_cell::ConstStaticCell;

use self::interrupts::Interrupt;
use crate::executors::{SCAN, TASKS};
use crate::tasks::channels::THINK;
use crate::{fault, hal, startup, tasks};

pub(crate) use self::flash::EmulatedFlash as Flash;
pub(crate) use self::network::Lan9118Driver as Network;
pub(crate) use self::panel::{PanelLeds as Leds, PanelReeds as Reeds};
pub(crate) use self::rng::EmulatedRng as Rng;
pub(crate) use self::uart::UartStream as Console;
pub(crate) use self::watchdog::EmulatedWatchdog as Watchdog;

/// The machine name of QEMU.
pub const NAME: &str = "mps2-an386";

/// Whether to reset after a panic or a fault, instead of ending QEMU.
static RESETS_AFTER_FAILURE: AtomicBool = AtomicBool::new(false);

/// Ends QEMU with exit code 1 after a panic or fault that has been logged; with the option `live-on`, resets the machine.
pub(crate) fn reset_or_exit(_is_first: bool) -> ! {
    if RESETS_AFTER_FAILURE.load(Ordering::Relaxed) {
        SCB::sys_reset();
    }
    process::exit(1)
}

/// Starts the clock and the executors with every task, and then runs the engine.
pub fn start() -> ! {
    /// The table of the main board.
    static TABLE: ConstStaticCell<[Slot; 16 * 1024]> = ConstStaticCell::new([Slot::EMPTY; 16 * 1024]);

    time_driver::init();
    interrupts::set_priorities();
    SCAN.start(Interrupt::Scan);
    TASKS.start(Interrupt::Tasks).spawn(unwrap!(start_up()));
    // WFI and not WFE, which QEMU executes as a no-op: every emulated board would keep a core of the host busy. Interrupts are masked, so
    // that none gives a command between the check and the sleep. A masked interrupt still ends WFI, and its handler runs when the
    // mask is lifted.
    tasks::engine::run(TABLE.take(), || {
        interrupt::free(|_| {
            if !THINK.signaled() {
                asm::wfi();
            }
        });
    })
}

#[embassy_executor::task]
async fn start_up() {
    startup::log_banner(NAME);
    if options::is_given("exit-after-hello") {
        process::exit(0);
    }
    RESETS_AFTER_FAILURE.store(options::is_given("live-on"), Ordering::Relaxed);
    watchdog::start();
    let panic_record = fault::panic_record();
    if panic_record.is_none() {
        options::inject_faults();
    }
    uart::start();
    let wiring = options::wiring();
    let hardware = startup::Hardware {
        name: NAME,
        reeds: Reeds::new(wiring.switches),
        leds: Leds::new(wiring.lights),
        flash: Flash::open(),
        rng: Rng::new(),
        watchdog: Watchdog,
        console: Console(&uart::CONSOLE),
        network: Network::start(),
        status_led: StatusLed,
        stopwatch: Stopwatch,
        clock_source: "emulated",
        reset_cause: None,
        reboot: SCB::sys_reset,
        override_profile: options::override_profile,
        panic_record,
    };
    startup::spawn_tasks(hardware).await;
}

/// The first of the two user LEDs.
pub(crate) struct StatusLed;

impl hal::StatusLed for StatusLed {
    fn set(&mut self, lit: bool) {
        registers::FPGAIO_LED.write(lit.into());
    }
}

/// The counter of the time driver, which keeps counting while interrupts are masked.
pub(crate) struct Stopwatch;

impl hal::Stopwatch for Stopwatch {
    fn start(&mut self) -> u32 {
        registers::FPGAIO_COUNTER.read()
    }

    fn elapsed_us(&self, start: u32) -> u32 {
        registers::FPGAIO_COUNTER.read().wrapping_sub(start)
    }
}
