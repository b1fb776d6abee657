//! What the console shows of the board.

use core::fmt::{self, Write};

use board::{Mind, Orientation, Profile};
use chess::Square;
use wire::link::PairingKey;

use crate::address::Address;
use crate::parts::Dice;

/// The settings, the game and the link. A key is not shown, only whose it is.
pub fn show(mind: &Mind, text: &mut impl Write) -> fmt::Result {
    let (profile, settings) = (Profile(mind.values()), mind.settings());
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
    let near = if settings.orientation == Orientation::WhiteNear { "white" } else { "black" };
    write!(text, "orientation {near}\r\nhints {}\r\n", if profile.hints() { "on" } else { "off" })?;
    write!(text, "link {}\r\n", if mind.is_online() { "up" } else { "down" })?;
    match mind.game() {
        Some(game) => write!(text, "game {}, after {} plies\r\n", game.position().fen(), game.moves().len()),
        None => text.write_str("game on its way\r\n"),
    }
}

/// What can be found out without touching anything.
pub fn selftest(mind: &Mind, dice: &mut impl Dice, failures: u32, text: &mut impl Write) -> fmt::Result {
    let referee = mind.brain().referee();
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
    let rolls = [dice.word(), dice.word(), dice.word()];
    let alive = rolls.iter().any(|roll| *roll != rolls[0]);
    write!(text, "dice {}\r\n", if alive { "good" } else { "BAD: they always show the same" })?;
    match failures {
        0 => text.write_str("journal good\r\n"),
        _ => write!(text, "journal BAD: {failures} writes failed\r\n"),
    }
}
