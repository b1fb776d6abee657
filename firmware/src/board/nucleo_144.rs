//! ST's Nucleo-144 boards with Ethernet (PCB MB1137), which carry different chips.
//!
//! The clocks and the flash sectors of the journal depend on the chip, and are in the chip's file in `src/bin`. Everything
//! else is here. None of it can be tested without hardware, so it only hands pins to drivers that are tested on the host.
//!
//! DMA and the processor share all memory that holds statics (`memory.dma` in Cargo.toml), without cache maintenance: the
//! Cortex-M4 has no data cache, and the data cache of the Cortex-M7 is off after a reset and stays off.
//!
//! The executors run in the interrupts of UART4 and UART5, which no board uses.
#![expect(unsafe_code, reason = "the interrupts poll the executors, which must not be re-entrant")]

mod boot;
mod console;
mod fast_erase;
mod network;
mod pins;

use board::forget_pairing;
use cortex_m::asm;
use cortex_m::peripheral::{DCB, DWT, SCB};
use defmt::{info, unwrap, warn};
use embassy_stm32::eth::{Ethernet, PacketQueue, Sma};
use embassy_stm32::flash;
use embassy_stm32::gpio::{Input, Level, Output, OutputOpenDrain, Pin, Pull, Speed};
use embassy_stm32::interrupt::{self, InterruptExt as _, Priority};
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::{DMA1_CH1, DMA1_CH3, DMA1_CH5, IWDG, RNG, USART3};
use embassy_stm32::spi::mode::Master;
use embassy_stm32::spi::{self, Spi};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, Uart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{Peri, Peripherals, bind_interrupts, dma, eth, rng, uid};
use embassy_time::{Delay, Timer};
use engine::Slot;
use static_cell::ConstStaticCell;

pub use self::boot::{Boot, ClockSource, boot, clock_config};
pub(crate) use self::console::Console;
use self::console::RECEIVE_BYTES;
use self::fast_erase::FastErase;
use self::network::Lan8742;
pub(crate) use self::network::Network;
use self::pins::with_pins;
use crate::chip::{ClockTree, JournalPlace};
use crate::drivers::flash_banks::FlashBanks;
use crate::drivers::mac::mac;
use crate::drivers::matrix::Matrix;
use crate::drivers::ws2812::Strip;
use crate::executors::{SCAN, TASKS};
use crate::tasks::channels::THINK;
use crate::{fault, hal, startup, tasks};

/// Watchdog timeout in microseconds. Erasing a sector stalls the processor for up to 4 s, and the watchdog's own oscillator
/// may run 50 % too fast, which leaves at least 10.6 s of these 16.
const WATCHDOG_TIMEOUT_US: u32 = 16_000_000;

/// Ethernet packets that are buffered in each direction. A chess move takes one.
const PACKET_BUFFERS: usize = 4;

/// How long the button B1 must be held from the start on to forget the pairing, and how often that is looked at, in milliseconds.
const HOLD_MS: u64 = 5_000;
const HOLD_STEP_MS: u64 = 100;

const CONSOLE_BAUD: u32 = 115_200;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM1 => dma::InterruptHandler<DMA1_CH1>;
    DMA1_STREAM3 => dma::InterruptHandler<DMA1_CH3>;
    DMA1_STREAM5 => dma::InterruptHandler<DMA1_CH5>;
    ETH => eth::InterruptHandler;
    USART3 => usart::InterruptHandler<USART3>;
});

pub(crate) type Reeds = Matrix<OutputOpenDrain<'static>, Delay>;
pub(crate) type Leds = Strip<Spi<'static, Async, Master>>;
pub(crate) type Flash = FlashBanks<FastErase>;

/// The differences between the chips.
pub struct Chip {
    /// The board with this chip, as printed on it.
    pub board: &'static str,
    /// Its clock frequencies.
    pub clocks: ClockTree,
    /// The flash sectors of the journal.
    pub journal: JournalPlace,
    /// Starts the random number generator, whose interrupt has another name on each chip.
    pub rng: fn(Peri<'static, RNG>) -> rng::Rng<'static, RNG>,
}

/// Starts the executors with every task, and then runs the engine with this transposition table.
pub fn run(chip: Chip, boot: Boot, p: Peripherals, table: &'static mut [Slot]) -> ! {
    interrupt::UART4.set_priority(Priority::P6);
    interrupt::UART5.set_priority(Priority::P7);
    SCAN.start(interrupt::UART4);
    TASKS.start(interrupt::UART5).spawn(unwrap!(start(chip, boot, p)));
    // An interrupt between the check of the command and WFE sets the event register, and WFE returns at once.
    tasks::engine::run(table, || {
        if !THINK.signaled() {
            asm::wfe();
        }
    })
}

#[embassy_stm32::interrupt]
unsafe fn UART4() {
    // SAFETY: this is the handler of the executor's interrupt, which the call of `start` has unmasked.
    unsafe { SCAN.on_interrupt() }
}

#[embassy_stm32::interrupt]
unsafe fn UART5() {
    // SAFETY: this is the handler of the executor's interrupt, which the call of `start` has unmasked.
    unsafe { TASKS.on_interrupt() }
}

/// Sets up the peripherals, and spawns every task.
#[embassy_executor::task]
async fn start(chip: Chip, boot: Boot, p: Peripherals) {
    static PACKETS: ConstStaticCell<PacketQueue<PACKET_BUFFERS, PACKET_BUFFERS>> =
        ConstStaticCell::new(PacketQueue::new());
    static TYPED: ConstStaticCell<[u8; RECEIVE_BYTES]> = ConstStaticCell::new([0; RECEIVE_BYTES]);

    startup::log_banner(chip.board);
    match boot.clock_source {
        ClockSource::External => info!("clock: {=str}", boot.clock_source.name()),
        ClockSource::Internal => warn!("clock: {=str}", boot.clock_source.name()),
    }
    let panic_record = fault::panic_record();

    let mut status_led = StatusLed(Output::new(p.PB0, Level::High, Speed::Low));
    let mut watchdog = boot.watchdog;
    // The board has a resistor to ground beside the button, too.
    let forgets_pairing = is_held(&Input::new(p.PC13, Pull::Down), &mut status_led, &mut watchdog).await;
    if forgets_pairing {
        warn!("button B1 was held: relay and pairing key are forgotten");
    }

    macro_rules! wire_up {
        (ranks { $($rank:ident $_r:literal $_rc:literal $_rn:literal,)* }
         files { $($file:ident $_f:literal $_fc:literal $_fn:literal,)* }
         lights { $lights:ident $_l:literal $_lc:literal $_ln:literal, }) => {
            (Matrix::new([$(wire(p.$rank)),*], [$(wire(p.$file)),*], Delay), p.$lights)
        };
    }
    let (reeds, lights) = with_pins!(wire_up);

    let mut spi = spi::Config::default();
    spi.frequency = Hertz(chip.clocks.spi_hz());
    // The wire to the level shifter is not a transmission line; slower edges ring less.
    spi.gpio_speed = Speed::Medium;
    let spi = Spi::new_txonly_nosck(p.SPI3, lights, p.DMA1_CH5, Interrupts, spi);

    // RMII pins in the driver's order: REF_CLK, CRS_DV, RXD0, RXD1, TXD0, TXD1, TX_EN; before that, MDIO and MDC to the PHY.
    let (queue, mac) = (PACKETS.take(), mac(&uid::uid()));
    let network = if let Some(phy) = Lan8742::find(Sma::new(p.ETH_SMA, p.PA2, p.PC1)) {
        Network::Ethernet(Ethernet::new_with_phy(
            queue, p.ETH, Interrupts, p.PA1, p.PA7, p.PC4, p.PC5, p.PG13, p.PB13, p.PG11, mac, phy,
        ))
    } else {
        warn!("the Ethernet PHY does not respond: no network, playing locally");
        Network::Absent { mac }
    };

    let mut serial = usart::Config::default();
    serial.baudrate = CONSOLE_BAUD;
    let serial = unwrap!(Uart::new(p.USART3, p.PD9, p.PD8, p.DMA1_CH3, p.DMA1_CH1, Interrupts, serial));

    let hardware = startup::Hardware {
        name: chip.board,
        reeds,
        leds: Strip::new(spi),
        flash: FlashBanks::new(
            FastErase(flash::Flash::new_blocking(p.FLASH)),
            chip.journal.start,
            chip.journal.bank_len,
        ),
        rng: Rng((chip.rng)(p.RNG)),
        watchdog,
        console: Console::new(serial, TYPED.take()),
        network,
        status_led,
        stopwatch: Stopwatch { cycles_per_us: chip.clocks.system_hz() / 1_000_000 },
        clock_source: boot.clock_source.name(),
        reset_cause: Some(boot.reset_cause),
        reboot: SCB::sys_reset,
        override_profile: if forgets_pairing { forget_pairing } else { |_| {} },
        panic_record,
    };
    startup::spawn_tasks(hardware).await;
}

/// Whether the button is held for five seconds from now on. LD1 blinks quickly meanwhile, and is lit after them.
async fn is_held(button: &Input<'_>, led: &mut StatusLed, watchdog: &mut Watchdog) -> bool {
    for step in 1..=HOLD_MS / HOLD_STEP_MS {
        if button.is_low() {
            return false;
        }
        hal::StatusLed::set(led, step % 2 == 0);
        hal::Watchdog::feed(watchdog);
        Timer::after_millis(HOLD_STEP_MS).await;
    }
    button.is_high()
}

/// Resets the board after a panic or fault that has been logged. With a debugger attached, the first one stops in it.
pub(crate) fn reset_or_exit(is_first: bool) -> ! {
    if is_first && DCB::is_debugger_attached() {
        // An undefined instruction: probe-rs catches the fault, and prints a backtrace.
        asm::udf();
    }
    SCB::sys_reset()
}

/// An open-drain wire of the reed matrix. Slow edges reduce crosstalk to neighbouring wires.
fn wire(pin: Peri<'static, impl Pin>) -> OutputOpenDrain<'static> {
    OutputOpenDrain::new_pull(pin, Level::High, Speed::Low, Pull::Up)
}

/// The hardware random number generator.
pub(crate) struct Rng(rng::Rng<'static, RNG>);

impl hal::Rng for Rng {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

/// The independent watchdog (IWDG), which has its own oscillator.
pub(crate) struct Watchdog(IndependentWatchdog<'static, IWDG>);

impl Watchdog {
    /// Starts the watchdog. It cannot be stopped again except by a reset.
    fn start(iwdg: Peri<'static, IWDG>) -> Self {
        let mut watchdog = IndependentWatchdog::new(iwdg, WATCHDOG_TIMEOUT_US);
        watchdog.unleash();
        Self(watchdog)
    }
}

impl hal::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.pet();
    }
}

/// The cycle counter of the processor, which keeps counting while the processor stalls. It wraps after 20 s.
pub(crate) struct Stopwatch {
    cycles_per_us: u32,
}

impl hal::Stopwatch for Stopwatch {
    fn start(&mut self) -> u32 {
        DWT::cycle_count()
    }

    fn elapsed_us(&self, start: u32) -> u32 {
        DWT::cycle_count().wrapping_sub(start) / self.cycles_per_us
    }
}

/// The green LED of the Nucleo (LD1).
pub(crate) struct StatusLed(Output<'static>);

impl hal::StatusLed for StatusLed {
    fn set(&mut self, lit: bool) {
        self.0.set_level(lit.into());
    }
}
