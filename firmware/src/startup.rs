//! Start-up: restores the board core from the journal, and spawns every task with the hardware of this image's board.
//!
//! An embassy task cannot be generic. So each board module defines its driver types under the same names, and
//! `board::here` is the board module of this image.

use core::cell::RefCell;

use board::{Address, BoardCore, Entry, Frame, Instant, Profile, Runner, Settings, Surface};
use chess::Bitboard;
use defmt::{Display2Format, info, unwrap, warn};
use embassy_net::{Stack, StackResources};
use embassy_net_driver::{Driver as _, HardwareAddress};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use heapless::String;
use rules::Play;
use static_cell::{ConstStaticCell, StaticCell};
use wire::link::MAX_SOFTWARE;

use crate::banner::Banner;
use crate::board::here;
use crate::executors::{self, SCAN};
use crate::hal::{Reeds as _, Rng};
use crate::host_name::host_name;
use crate::liveness::TaskId;
use crate::panic_record::PANIC_RECORD_BYTES;
use crate::reset_cause::{ResetCause, ResetCounts};
use crate::tasks::channels::{FRAME, LightFrame};
use crate::tasks::net::HostName;
use crate::tasks::{self, clock, main_loop::Resources};

/// Sockets of the network stack: one each for the relay, DHCP and DNS, and one spare.
const SOCKETS: usize = 4;

/// The drivers of a board, and the actions that differ between boards.
pub(crate) struct Hardware {
    /// The name that the manufacturer gave the board.
    pub(crate) name: &'static str,
    pub(crate) reeds: here::Reeds,
    pub(crate) leds: here::Leds,
    pub(crate) flash: here::Flash,
    pub(crate) rng: here::Rng,
    pub(crate) watchdog: here::Watchdog,
    pub(crate) console: here::Console,
    pub(crate) network: here::Network,
    pub(crate) status_led: here::StatusLed,
    pub(crate) stopwatch: here::Stopwatch,
    /// The clock that the processor runs on.
    pub(crate) clock_source: &'static str,
    /// Why the chip started; none if the hardware does not report it.
    pub(crate) reset_cause: Option<ResetCause>,
    /// Resets the board.
    pub(crate) reboot: fn() -> !,
    /// Changes the stored profile before it is used: the emulated board applies its command line here.
    pub(crate) override_profile: fn(&mut board::journal::Values),
    /// The panic or fault that ended the previous run, if one did.
    pub(crate) panic_record: Option<&'static str>,
}

type Flash = Mutex<NoopRawMutex, here::Flash>;

/// Logs the first line of every run: the firmware version and the board.
pub(crate) fn log_banner(board: &'static str) {
    info!("{}", Display2Format(&Banner { board }));
}

/// Restores the core, and spawns every task: the scan on its own executor, the others on the executor of the caller.
pub(crate) async fn spawn_tasks(hardware: Hardware) {
    static FLASH: StaticCell<Flash> = StaticCell::new();
    static RNG: StaticCell<SharedRng> = StaticCell::new();
    static RESOURCES: StaticCell<StackResources<SOCKETS>> = StaticCell::new();

    let Hardware { mut reeds, mut flash, rng, network, panic_record, .. } = hardware;
    if let Some(reason) = panic_record {
        warn!("previous run ended: {=str}", reason);
    }
    if let Some(cause) = hardware.reset_cause {
        info!("started by {=str}", cause.name());
    }
    let rng = &*RNG.init(SharedRng(RefCell::new(rng)));
    let wired = reeds.scan().await;
    // Before the core is on the stack: what lives across an await is in RAM for good.
    let spawner = executors::current().await;
    let software = software(hardware.reset_cause, panic_record);
    let board_runner = start_runner(&mut flash, hardware.override_profile, software, rng);
    let calibration = board_runner.calibration();
    let core = board_runner.core_mut();
    core.reset_reeds(calibration.switches.squares(wired), clock::now());
    if let Some(cause) = hardware.reset_cause {
        count_reset(core, cause);
    }
    let profile = Profile(board_runner.core().values());
    let HardwareAddress::Ethernet(mac) = network.hardware_address() else {
        defmt::unreachable!("a board has Ethernet")
    };
    let host_name = host_name(profile.name(), mac);
    let mut config = embassy_net::Config::default();
    config.ipv4 = tasks::net::config(Address::of(profile), &host_name);
    let (stack, runner) = embassy_net::new(network, config, RESOURCES.init(StackResources::new()), random_u64(rng));

    // WS2812 keep their colours over a reset, and show random ones after power-up.
    FRAME.signal(LightFrame { frame: Frame::DARK, layout: calibration.lights });
    let flash = &*FLASH.init(Mutex::new(flash));
    let banner = Banner { board: hardware.name };
    let resources = Resources {
        runner: board_runner,
        rng,
        flash,
        banner,
        clock_source: hardware.clock_source,
        reset_cause: hardware.reset_cause,
        panic_record,
        reboot: hardware.reboot,
    };
    SCAN.spawner().spawn(unwrap!(scan(reeds)));
    spawner.spawn(unwrap!(main_loop(resources)));
    spawner.spawn(unwrap!(lights(hardware.leds)));
    spawner.spawn(unwrap!(journal(flash, hardware.stopwatch)));
    spawner.spawn(unwrap!(net(stack, host_name)));
    spawner.spawn(unwrap!(packets(runner)));
    spawner.spawn(unwrap!(link(stack, rng)));
    spawner.spawn(unwrap!(console(hardware.console, banner)));
    spawner.spawn(unwrap!(watch(hardware.watchdog, hardware.status_led)));
}

/// Restores the core from the journal. The surface is constructed at compile time: on the stack it would not fit. The stack
/// is deepest here, so this is a function of its own, and nothing of its caller's frame is for later.
#[inline(never)]
#[expect(clippy::mut_from_ref, reason = "the runner is borrowed from its static, not from an argument")]
fn start_runner(
    flash: &mut here::Flash,
    override_profile: fn(&mut board::journal::Values),
    software: &'static str,
    rng: &'static SharedRng,
) -> &'static mut Runner {
    static RUNNER: StaticCell<Runner> = StaticCell::new();
    static SURFACE: ConstStaticCell<Surface> =
        ConstStaticCell::new(Surface::new(Settings::DEFAULT, Bitboard::EMPTY, Instant::at(0)));

    let now = clock::now();
    let surface = SURFACE.take();
    let random = random_u64(rng);
    let runner =
        RUNNER.init_with(|| Runner::new(BoardCore::start(surface, flash, override_profile, software, random, now)));
    let core = runner.core();
    let plies = core.play().map_or(0, Play::len);
    info!("journal {=str}, game restored with {=usize} plies", condition_name(core.condition()), plies);
    runner
}

const fn condition_name(condition: board::journal::Condition) -> &'static str {
    match condition {
        board::journal::Condition::Blank => "blank",
        board::journal::Condition::Whole => "intact",
        board::journal::Condition::Torn => "repaired after a torn write",
    }
}

/// Counts a reset in the journal.
fn count_reset(core: &mut BoardCore, cause: ResetCause) {
    let mut counts = ResetCounts::decode(Profile(core.values()).resets());
    counts.add(cause);
    // The random number is used with a new key only.
    core.change(
        |values| {
            // The counts are shorter than a value may be.
            let _ = Entry::Resets(&counts.encode()).keep(values);
        },
        0,
    );
}

/// The software version for the relay, with the reset cause, and the reason why the previous run ended, if it panicked.
fn software(reset_cause: Option<ResetCause>, panic_record: Option<&str>) -> &'static str {
    const NAME: &str = concat!("tabiya-board ", env!("CARGO_PKG_VERSION"));
    const STARTED: &str = ", started by ";
    const AFTER: &str = " after: ";
    const CAUSE_BYTES: usize = 16;
    const _: () = assert!(
        NAME.len() + STARTED.len() + CAUSE_BYTES + AFTER.len() + PANIC_RECORD_BYTES <= MAX_SOFTWARE,
        "the relay rejects longer texts"
    );
    static TEXT: StaticCell<String<MAX_SOFTWARE>> = StaticCell::new();

    let (started, cause) = reset_cause.map_or(("", ""), |cause| (STARTED, cause.name()));
    let (after, reason) = panic_record.map_or(("", ""), |reason| (AFTER, reason));
    let text = TEXT.init(String::new());
    for part in [NAME, started, cause, after, reason] {
        // The assertion above makes sure that all of it fits.
        let _ = text.push_str(part);
    }
    text
}

/// The random number generator, shared by tasks of one executor. The scan does not use it, and no borrow lives across an await.
struct SharedRng(RefCell<here::Rng>);

impl Rng for &SharedRng {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.borrow_mut().fill(bytes);
    }
}

fn random_u64(mut rng: &'static SharedRng) -> u64 {
    let mut bytes = [0; 8];
    rng.fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

#[embassy_executor::task]
async fn main_loop(resources: Resources<'static, &'static SharedRng, NoopRawMutex, here::Flash>) -> ! {
    tasks::main_loop::run(resources).await
}

#[embassy_executor::task]
async fn scan(reeds: here::Reeds) -> ! {
    tasks::scan::scan(reeds).await
}

#[embassy_executor::task]
async fn lights(leds: here::Leds) -> ! {
    tasks::lights::lights(leds).await
}

#[embassy_executor::task]
async fn journal(flash: &'static Flash, stopwatch: here::Stopwatch) -> ! {
    tasks::journal::journal(flash, stopwatch).await
}

#[embassy_executor::task]
async fn net(stack: Stack<'static>, host_name: HostName) -> ! {
    tasks::net::net(stack, host_name).await
}

#[embassy_executor::task]
async fn packets(mut runner: embassy_net::Runner<'static, here::Network>) -> ! {
    tasks::liveness::check_in_during(TaskId::Packets, runner.run()).await
}

#[embassy_executor::task]
async fn link(stack: Stack<'static>, rng: &'static SharedRng) -> ! {
    tasks::link::link(stack, rng).await
}

#[embassy_executor::task]
async fn console(cable: here::Console, banner: Banner) -> ! {
    tasks::console::console(cable, banner).await
}

#[embassy_executor::task]
async fn watch(watchdog: here::Watchdog, status_led: here::StatusLed) -> ! {
    tasks::watchdog::watch(watchdog, status_led).await
}
