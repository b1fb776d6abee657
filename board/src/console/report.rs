//! The output of the commands `show`, `selftest` and `stats`.

use core::fmt::{self, Write};
use core::ops::DerefMut;

use chess::{Bitboard, Square};
use rules::Play;
use wire::link::PairingKey;

use super::{ClockChoice, ComputerChoice, ConsoleMachine, Tally};
use crate::address::Address;
use crate::board_core::BoardCore;
use crate::link_state::LinkState;
use crate::profile::Profile;
use crate::settings::Orientation;
use crate::surface::Surface;
use crate::time::Instant;

/// Writes the settings, the game and the state of the link. Of the key, only the board id is shown.
pub(super) fn show<const N: usize>(
    core: &BoardCore<impl DerefMut<Target = Surface>, N>,
    text: &mut impl Write,
) -> fmt::Result {
    let (profile, settings) = (Profile(core.values()), core.settings());
    write!(text, "name {}\r\n", if profile.name().is_empty() { "none" } else { profile.name() })?;
    write!(text, "relay {}\r\n", profile.relay_text().unwrap_or("none"))?;
    match profile.key() {
        Some(key) => write!(text, "key of board {}\r\n", PairingKey::new(key).board_id())?,
        None => text.write_str("key none\r\n")?,
    }
    match Address::of(profile) {
        Some(address) => {
            let [a, b, c, d] = address.ip.octets();
            write!(text, "ip {a}.{b}.{c}.{d}/{}\r\n", address.prefix)?;
        }
        None => text.write_str("ip dhcp\r\n")?,
    }
    write!(text, "brightness {}\r\nrest {} ms\r\n", settings.lights.brightness, settings.hand.rest)?;
    write!(text, "pace {}\r\n", settings.hand.pace.name())?;
    let near = if settings.orientation == Orientation::WhiteNear { "white" } else { "black" };
    write!(text, "orientation {near}\r\nhints {}\r\n", if profile.hints() { "on" } else { "off" })?;
    write!(text, "computer {}\r\n", ComputerChoice::of(core.computer()))?;
    write!(text, "clock {}\r\n", ClockChoice(profile.clock()))?;
    write!(text, "link {}\r\n", link(core))?;
    if let Some(squares) = core.compared_squares() {
        write!(text, "compare {}\r\n", SquareList(squares))?;
    }
    match (core.play(), core.play().and_then(Play::chess)) {
        (Some(play), Some(game)) => write!(text, "game {}, after {} plies\r\n", game.position().fen(), play.len()),
        (Some(play), None) => {
            write!(text, "game by rules {}, after {} plies\r\n", play.start().rules_id(), play.len())
        }
        (None, _) => text.write_str("game is being loaded\r\n"),
    }
}

/// The state of the link in words. The first word is `up` or `down`.
fn link<const N: usize>(core: &BoardCore<impl DerefMut<Target = Surface>, N>) -> &'static str {
    match core.link_state() {
        LinkState::NoAddress => "down: no network address, or no cable",
        LinkState::WrongKey => "down: the relay refuses the key",
        LinkState::NoRelay if core.is_paired() => "down: the relay cannot be reached",
        LinkState::NoRelay => "down: no relay found to be paired with",
        LinkState::Quiet if core.is_online() => "up",
        LinkState::Quiet if core.compared_squares().is_some() => "down: waits to be paired",
        LinkState::Quiet => "down: no key",
    }
}

/// The names of squares, separated by spaces; `none` if there are none.
pub struct SquareList(pub Bitboard);

impl fmt::Display for SquareList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        self.0.squares().enumerate().try_for_each(|(index, square)| {
            let separator = if index == 0 { "" } else { " " };
            write!(f, "{separator}{square}")
        })
    }
}

/// Writes the switches, a check of the random number generator, the count of journal failures, and the faults of the wires. Changes nothing.
pub(super) fn selftest<const N: usize>(
    core: &BoardCore<impl DerefMut<Target = Surface>, N>,
    machine: &mut impl ConsoleMachine,
    failures: u32,
    text: &mut impl Write,
) -> fmt::Result {
    let referee = core.surface().referee();
    for rank in (0..8_u8).rev() {
        for file in 0..8_u8 {
            let square = Square::from_index(rank << 3 | file);
            let mark = match (referee.weak().has(square), referee.occupied().has(square)) {
                (true, _) => '?',
                (false, true) => 'x',
                (false, false) => '.',
            };
            write!(text, "{mark} ")?;
        }
        text.write_str("\r\n")?;
    }
    write!(text, "switches: x closed, ? weak magnet\r\n")?;
    let samples = [machine.random(), machine.random(), machine.random()];
    let varies = samples.iter().any(|sample| *sample != samples[0]);
    write!(text, "rng {}\r\n", if varies { "good" } else { "BAD: returns the same number every time" })?;
    match failures {
        0 => text.write_str("journal good\r\n")?,
        _ => write!(text, "journal BAD: {failures} writes failed\r\n")?,
    }
    machine.write_wiring(text)
}

/// A part in per cent, with one decimal.
fn percent_of(part: u32, whole: u32) -> [u64; 2] {
    let thousandths = u64::from(part).saturating_mul(1000).checked_div(whole.into()).unwrap_or(0);
    [thousandths / 10, thousandths % 10]
}

/// Writes the counters since start, and what the machine adds to them. The last failure comes before the lists of squares, which may be
/// long: an answer that is too long ends early.
pub(super) fn stats<const N: usize>(
    core: &BoardCore<impl DerefMut<Target = Surface>, N>,
    machine: &impl ConsoleMachine,
    tally: &Tally,
    now: Instant,
    text: &mut impl Write,
) -> fmt::Result {
    let Tally { frames, connections, link_frames, resent, flash_operations, failures } = *tally;
    machine.write_version(text)?;
    write!(text, "\r\nup {} s\r\n", now.milliseconds() / 1000)?;
    machine.write_failure(text)?;
    write!(text, "frames shown {frames}\r\n")?;
    write!(text, "connections {connections}\r\n")?;
    let [percent, tenth] = percent_of(resent, link_frames);
    write!(text, "link frames {link_frames}, sent again {resent} ({percent}.{tenth} %)\r\n")?;
    write!(text, "journal writes {flash_operations}, failed {failures}\r\n")?;
    write!(text, "journal erased {} times so far\r\n", core.journal_erases())?;
    write!(text, "weak magnets {}\r\n", SquareList(core.surface().referee().weak()))?;
    write!(text, "faulty switches {}\r\n", SquareList(core.surface().faults()))?;
    machine.write_stats(text)
}
