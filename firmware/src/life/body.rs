//! All tasks, with the parts of the board that the image is for.
//!
//! A task cannot be generic. So a board says under fixed names what its parts are, and `here` is the board of this image.

use core::cell::RefCell;

use board::{Brain, Frame, Mind, Profile, Settings};
use chess::Bitboard;
use defmt::{info, unwrap, warn};
use embassy_executor::Spawner;
use embassy_net::{Runner, Stack, StackResources};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::mutex::Mutex;
use heapless::String;
use static_cell::StaticCell;
use wire::link::MAX_SOFTWARE;

use crate::address::Address;
use crate::board::here;
use crate::greeting::Greeting;
use crate::last_words::LAST_WORDS_BYTES;
use crate::parts::{Dice, Reeds as _};
use crate::roll_call::Who;
use crate::tasks::meeting::LIGHT;
use crate::tasks::{self, clock, referee::Bench};

/// How many sockets there are: one each for the relay, for addresses and for names, and one to spare.
const SOCKETS: usize = 4;

/// The parts of a board, and what it can do beside them.
pub(crate) struct Parts {
    /// What the board is called by its maker.
    pub(crate) name: &'static str,
    pub(crate) reeds: here::Reeds,
    pub(crate) lamps: here::Lamps,
    pub(crate) vault: here::Vault,
    pub(crate) dice: here::Dice,
    pub(crate) dog: here::Dog,
    pub(crate) console: here::Console,
    pub(crate) network: here::Network,
    pub(crate) pilot: here::Pilot,
    /// Starts the board again.
    pub(crate) reboot: fn() -> !,
    /// Changes the profile that was kept, before anybody looks at it.
    pub(crate) amend: fn(&mut board::journal::Values),
    /// Why the board went down the last time, if it did.
    pub(crate) last_words: Option<&'static str>,
}

type Vault = Mutex<NoopRawMutex, here::Vault>;

/// Starts every task.
pub(crate) async fn live(spawner: Spawner, parts: Parts) {
    static VAULT: StaticCell<Vault> = StaticCell::new();
    static MIND: StaticCell<Mind> = StaticCell::new();
    static CUP: StaticCell<Cup> = StaticCell::new();
    static RESOURCES: StaticCell<StackResources<SOCKETS>> = StaticCell::new();

    let Parts { mut reeds, mut vault, dice, network, last_words, .. } = parts;
    if let Some(words) = last_words {
        warn!("the last run ended: {=str}", words);
    }
    let cup = &*CUP.init(Cup(RefCell::new(dice)));
    let mind = MIND.init(wake(reeds.scan().await, &mut vault, parts.amend, software(last_words), cup));
    let mut config = embassy_net::Config::default();
    config.ipv4 = tasks::net::config(Address::of(Profile(mind.values())));
    let (stack, runner) = embassy_net::new(network, config, RESOURCES.init(StackResources::new()), roll64(cup));

    // Lights keep what they were last told, over a reset as well, and after power-up they show anything.
    LIGHT.signal(Frame::DARK);
    let vault = &*VAULT.init(Mutex::new(vault));
    let greeting = Greeting { board: parts.name };
    let bench = Bench { mind, dice: cup, vault, greeting, last_words, reboot: parts.reboot };
    spawner.spawn(unwrap!(referee(bench)));
    spawner.spawn(unwrap!(scan(reeds)));
    spawner.spawn(unwrap!(lights(parts.lamps)));
    spawner.spawn(unwrap!(journal(vault)));
    spawner.spawn(unwrap!(net(stack)));
    spawner.spawn(unwrap!(packets(runner)));
    spawner.spawn(unwrap!(link(stack, cup)));
    spawner.spawn(unwrap!(console(parts.console)));
    spawner.spawn(unwrap!(watch(parts.dog, parts.pilot)));
}

/// Wakes the mind up. The brain is made in its place, since it would fill most of the stack.
fn wake(
    raw: Bitboard,
    vault: &mut here::Vault,
    amend: fn(&mut board::journal::Values),
    software: &'static str,
    cup: &'static Cup,
) -> Mind {
    static BRAIN: StaticCell<Brain> = StaticCell::new();

    let now = clock::now();
    let brain = BRAIN.init_with(|| Brain::new(Settings::default(), raw, now));
    let (mind, condition) = Mind::wake(brain, vault, amend, software, roll64(cup), now);
    let plies = mind.game().map_or(0, |game| game.moves().len());
    info!("the journal is {=str}, and the game has {=usize} plies", condition_name(condition), plies);
    mind
}

const fn condition_name(condition: board::journal::Condition) -> &'static str {
    match condition {
        board::journal::Condition::Blank => "blank",
        board::journal::Condition::Whole => "whole",
        board::journal::Condition::Torn => "torn",
    }
}

/// What the relay is told that runs here, and why the run before ended, if it said so.
fn software(last_words: Option<&str>) -> &'static str {
    const NAME: &str = concat!("tabiya-board ", env!("CARGO_PKG_VERSION"));
    const AFTER: &str = " after: ";
    const _: () = assert!(NAME.len() + AFTER.len() + LAST_WORDS_BYTES <= MAX_SOFTWARE, "a relay would not take more");
    static TEXT: StaticCell<String<MAX_SOFTWARE>> = StaticCell::new();

    let Some(words) = last_words else { return NAME };
    let text = TEXT.init(String::new());
    for part in [NAME, AFTER, words] {
        // There is room for the longest of them.
        let _ = text.push_str(part);
    }
    text
}

/// The dice, for everybody who needs them. All tasks share one executor, so nobody rolls while another does.
struct Cup(RefCell<here::Dice>);

impl Dice for &Cup {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.borrow_mut().fill(bytes);
    }
}

fn roll64(mut cup: &'static Cup) -> u64 {
    let mut bytes = [0; 8];
    cup.fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

#[embassy_executor::task]
async fn referee(bench: Bench<'static, &'static Cup, NoopRawMutex, here::Vault>) -> ! {
    tasks::referee::referee(bench).await
}

#[embassy_executor::task]
async fn scan(reeds: here::Reeds) -> ! {
    tasks::scan::scan(reeds).await
}

#[embassy_executor::task]
async fn lights(lamps: here::Lamps) -> ! {
    tasks::lights::lights(lamps).await
}

#[embassy_executor::task]
async fn journal(vault: &'static Vault) -> ! {
    tasks::journal::journal(vault).await
}

#[embassy_executor::task]
async fn net(stack: Stack<'static>) -> ! {
    tasks::net::net(stack).await
}

#[embassy_executor::task]
async fn packets(mut runner: Runner<'static, here::Network>) -> ! {
    tasks::roll::patiently(Who::Packets, runner.run()).await
}

#[embassy_executor::task]
async fn link(stack: Stack<'static>, cup: &'static Cup) -> ! {
    tasks::link::link(stack, cup).await
}

#[embassy_executor::task]
async fn console(cable: here::Console) -> ! {
    tasks::console::console(cable).await
}

#[embassy_executor::task]
async fn watch(dog: here::Dog, pilot: here::Pilot) -> ! {
    tasks::watch::watch(dog, pilot).await
}
