//! ST's Nucleo-144 boards with Ethernet (MB1137): the same board with one chip or another.
//!
//! What the chips differ in is in the file of each: its clocks, and where the journal has its flash. Everything else is
//! here, and nothing of it can be tested without the hardware, so it stays thin: pins are handed to drivers that were tested
//! elsewhere.
//!
//! The DMA controllers may work on any memory that has statics in it. Nothing keeps a second copy of it: the Cortex-M4 has no
//! data cache, and that of the Cortex-M7 is off after a reset and stays so, for the sake of every buffer that the network
//! and the lights share with the program. The clocks go on while the processor sleeps (`enable_debug_during_sleep`, which
//! also lets the probe read the log), so memory that is closely coupled to the processor can be reached then as well.

mod pins;

use cortex_m::asm;
use cortex_m::peripheral::{DCB, SCB};
use defmt::unwrap;
use embassy_executor::Spawner;
use embassy_stm32::eth::{Ethernet, GenericPhy, PacketQueue, Sma};
use embassy_stm32::flash::{Blocking, Flash};
use embassy_stm32::gpio::{Level, Output, OutputOpenDrain, Pin, Pull, Speed};
use embassy_stm32::interrupt::typelevel::Binding;
use embassy_stm32::mode::Async;
use embassy_stm32::peripherals::{DMA1_CH5, ETH, ETH_SMA, IWDG, RNG, USART3};
use embassy_stm32::rng::Rng;
use embassy_stm32::spi::mode::Master;
use embassy_stm32::spi::{self, Spi};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, BufferedUart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{Peri, Peripherals, bind_interrupts, dma, eth, rcc, rng, uid};
use embassy_time::Delay;
use static_cell::ConstStaticCell;

use self::pins::with_pins;
use crate::drivers::flash_banks::FlashBanks;
use crate::drivers::mac::mac;
use crate::drivers::matrix::Matrix;
use crate::drivers::ws2812::{self, Chain, Strip};
use crate::{fault, life, parts};

/// How the lights under the squares are wired: docs/hardware.md says how, and that this is the line to change.
const CHAIN: Chain = Chain::Serpentine;

/// Every chip has a divider that makes this of its clocks, exactly.
const LIGHTS_HZ: u32 = 3_250_000;
const _: () = assert!(*ws2812::CLOCK_HZ.start() <= LIGHTS_HZ && LIGHTS_HZ <= *ws2812::CLOCK_HZ.end());

/// An erasure stops the whole processor, and with it the one who feeds the dog. It may take up to eight seconds, and the dog's
/// own clock may run half as fast again as it should, so that this is not more than eleven.
const PATIENCE_US: u32 = 16_000_000;

/// As many frames are kept in memory, coming and going. A chess move is one.
const FRAMES: usize = 4;

/// As the serial port of the probe is set by most programs that talk to it.
const CONSOLE_BAUD: u32 = 115_200;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM5 => dma::InterruptHandler<DMA1_CH5>;
    ETH => eth::InterruptHandler;
    USART3 => usart::BufferedInterruptHandler<USART3>;
});

/// The reeds of this board.
pub(crate) type Reeds = Matrix<OutputOpenDrain<'static>, Delay>;
/// Its lights.
pub(crate) type Lamps = Strip<Spi<'static, Async, Master>>;
/// Its journal.
pub(crate) type Vault = FlashBanks<Flash<'static, Blocking>>;
/// Its network.
pub(crate) type Network = Ethernet<'static, ETH, GenericPhy<Sma<'static, ETH_SMA>>>;
/// Its serial port.
pub(crate) type Console = BufferedUart<'static>;

/// What one chip has otherwise than another.
pub(super) struct Chip {
    /// What is printed on the board.
    pub(super) name: &'static str,
    /// How many bytes of flash come before the first bank of the journal.
    pub(super) journal: u32,
    /// How many bytes each bank has.
    pub(super) bank_len: u32,
}

/// The clock that the probe gives to the chip, made of its crystal.
pub(super) const PROBE_CLOCK: rcc::Hse = rcc::Hse { freq: Hertz(8_000_000), mode: rcc::HseMode::Bypass };

/// Puts the board together, and starts every task.
pub(super) async fn live(
    spawner: Spawner,
    chip: Chip,
    p: Peripherals,
    rng_interrupt: impl Binding<<RNG as rng::Instance>::Interrupt, rng::InterruptHandler<RNG>> + 'static,
) {
    static PACKETS: ConstStaticCell<PacketQueue<FRAMES, FRAMES>> = ConstStaticCell::new(PacketQueue::new());
    static TYPED: ConstStaticCell<[u8; 256]> = ConstStaticCell::new([0; 256]);
    static SHOWN: ConstStaticCell<[u8; 256]> = ConstStaticCell::new([0; 256]);

    life::hello(chip.name);
    let last_words = fault::last_words();

    macro_rules! wire_up {
        (ranks { $($rank:ident $_r:literal $_rc:literal $_rn:literal,)* }
         files { $($file:ident $_f:literal $_fc:literal $_fn:literal,)* }
         lights { $lights:ident $_l:literal $_lc:literal $_ln:literal, }) => {
            (Matrix::new([$(wire(p.$rank)),*], [$(wire(p.$file)),*], Delay), p.$lights)
        };
    }
    let (reeds, lights) = with_pins!(wire_up);

    let mut spi = spi::Config::default();
    spi.frequency = Hertz(LIGHTS_HZ);
    let spi = Spi::new_txonly_nosck(p.SPI3, lights, p.DMA1_CH5, Interrupts, spi);

    // In the order of the driver: clock, carrier sense, received bits, sent bits, enable; then the two wires on which the
    // network's own chip is set up.
    let (queue, mac) = (PACKETS.take(), mac(&uid::uid()));
    let network = Ethernet::new(
        queue, p.ETH, Interrupts, p.PA1, p.PA7, p.PC4, p.PC5, p.PG13, p.PB13, p.PG11, mac, p.ETH_SMA, p.PA2, p.PC1,
    );

    let mut serial = usart::Config::default();
    serial.baudrate = CONSOLE_BAUD;
    let console = BufferedUart::new(p.USART3, p.PD9, p.PD8, SHOWN.take(), TYPED.take(), Interrupts, serial);

    let parts = life::Parts {
        name: chip.name,
        reeds,
        lamps: Strip::new(spi, CHAIN),
        vault: FlashBanks::new(Flash::new_blocking(p.FLASH), chip.journal, chip.bank_len),
        dice: Dice(Rng::new(p.RNG, rng_interrupt)),
        dog: Dog::unleash(p.IWDG),
        console: unwrap!(console),
        network,
        pilot: Pilot(Output::new(p.PB0, Level::Low, Speed::Low)),
        reboot: SCB::sys_reset,
        amend: |_| {},
        last_words,
    };
    life::live(spawner, parts).await;
}

/// What is left to do when the board cannot go on, and has said so: it starts again. If a debugger is there, it stops for it
/// the first time.
pub(crate) fn go_down(is_first: bool) -> ! {
    if is_first && DCB::is_debugger_attached() {
        // probe-rs catches the fault that this is, and shows how it came to it.
        asm::udf();
    }
    SCB::sys_reset()
}

/// A wire of the matrix. Its edges are slow, so that they do not disturb the wires beside it.
fn wire(pin: Peri<'static, impl Pin>) -> OutputOpenDrain<'static> {
    OutputOpenDrain::new_pull(pin, Level::High, Speed::Low, Pull::Up)
}

/// The noise of the chip.
pub(crate) struct Dice(Rng<'static, RNG>);

impl parts::Dice for Dice {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

/// The watchdog that has a clock of its own.
pub(crate) struct Dog(IndependentWatchdog<'static, IWDG>);

impl Dog {
    /// From here on it must be fed: nothing but a reset stops it.
    fn unleash(iwdg: Peri<'static, IWDG>) -> Self {
        let mut dog = IndependentWatchdog::new(iwdg, PATIENCE_US);
        dog.unleash();
        Self(dog)
    }
}

impl parts::Dog for Dog {
    fn feed(&mut self) {
        self.0.pet();
    }
}

/// The green light on the board itself.
pub(crate) struct Pilot(Output<'static>);

impl parts::Pilot for Pilot {
    fn light(&mut self, lit: bool) {
        self.0.set_level(lit.into());
    }
}
