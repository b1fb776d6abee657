//! The output of the console commands `show` and `selftest`.

use core::fmt::{self, Write};

use board::{BoardCore, LinkState, Orientation, Profile};
use chess::{Bitboard, Square};
use rules::Play;
use wire::link::PairingKey;

use crate::address::Address;
use crate::console::ComputerChoice;
use crate::hal::Rng;

/// Writes the settings, the game and the state of the link. Of the key, only the board id is shown.
pub fn show(core: &BoardCore, text: &mut impl Write) -> fmt::Result {
    let (profile, settings) = (Profile(core.values()), core.settings());
    write!(text, "name {}\r\n", if profile.name().is_empty() { "none" } else { profile.name() })?;
    write!(text, "relay {}\r\n", profile.relay_text().unwrap_or("none"))?;
    match profile.key() {
        Some(key) => write!(text, "key of board {}\r\n", PairingKey::new(key).board_id())?,
        None => text.write_str("key none\r\n")?,
    }
    match Address::of(profile) {
        Some(address) => write!(text, "ip {}/{}\r\n", address.ip, address.prefix)?,
        None => text.write_str("ip dhcp\r\n")?,
    }
    write!(text, "brightness {}\r\nrest {} ms\r\n", settings.lights.brightness, settings.hand.rest)?;
    write!(text, "pace {}\r\n", settings.hand.pace.name())?;
    let near = if settings.orientation == Orientation::WhiteNear { "white" } else { "black" };
    write!(text, "orientation {near}\r\nhints {}\r\n", if profile.hints() { "on" } else { "off" })?;
    write!(text, "computer {}\r\n", ComputerChoice::of(core.computer()))?;
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
fn link(core: &BoardCore) -> &'static str {
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

/// The names of squares, separated by spaces.
pub struct SquareList(pub Bitboard);

impl fmt::Display for SquareList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.squares().enumerate().try_for_each(|(index, square)| {
            let separator = if index == 0 { "" } else { " " };
            write!(f, "{separator}{square}")
        })
    }
}

/// Writes the switches, a check of the random number generator, and the count of journal failures. Changes nothing.
pub fn selftest(core: &BoardCore, rng: &mut impl Rng, failures: u32, text: &mut impl Write) -> fmt::Result {
    let referee = core.surface().referee();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::from_index(rank * 8 + file);
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
    let samples = [rng.next_u32(), rng.next_u32(), rng.next_u32()];
    let varies = samples.iter().any(|sample| *sample != samples[0]);
    write!(text, "rng {}\r\n", if varies { "good" } else { "BAD: returns the same number every time" })?;
    match failures {
        0 => text.write_str("journal good\r\n"),
        _ => write!(text, "journal BAD: {failures} writes failed\r\n"),
    }
}
