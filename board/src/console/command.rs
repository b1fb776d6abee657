use core::fmt;

use super::{ClockChoice, ComputerChoice};
use crate::address::{Address, AddressError};
use crate::calibration::CalibrationScope;
use crate::relay_address::{RelayAddress, RelayError};
use crate::settings::{Orientation, Pace};

/// The text of `help`.
pub const HELP: &str = "\
help                          list the commands\r\n\
show                          settings, game and link\r\n\
set relay ws://HOST:PORT      address of the relay; `none` to play without one\r\n\
set key HEX                   pairing key, 64 digits; `none` to delete it\r\n\
set name TEXT                 name of the board, shown to opponents\r\n\
set brightness 0-255          brightness of the lights\r\n\
set rest MS                   time after which a sliding piece counts as placed\r\n\
set pace fast|normal|careful  how long moves rest before they count\r\n\
set orientation white|black   colour at the first rank\r\n\
set hints on|off              tell others that suggested moves are welcome\r\n\
set computer off              play with two players at the board\r\n\
set computer 1-10 [white|black]   play against the computer on this level; the colour is that of the computer\r\n\
set clock 5+3|off             minutes and seconds per move for games at this board\r\n\
set ip dhcp                   get an address by DHCP\r\n\
set ip A/N [GATEWAY [DNS]]    use a static address\r\n\
calibrate [switches|lights]   work out how switches and lights are wired; `stop` ends it, `reset` forgets it, `status` repeats the last prompt\r\n\
selftest                      check switches, random numbers and journal\r\n\
stats                         counters since start, stack use, last failure\r\n\
reboot                        reset the board\r\n";

/// Maximum length of a value in the journal.
const VALUE_BYTES: usize = wire::journal::MAX_VALUE;

/// A console command.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "`HELP` explains the commands")]
pub enum Command<'a> {
    Help,
    Show,
    Selftest,
    Calibrate(CalibrationScope),
    CalibrateReset,
    CalibrateStop,
    CalibrateStatus,
    Stats,
    Reboot,
    /// Empty for no relay.
    SetRelay(&'a str),
    SetKey(Option<[u8; 32]>),
    SetName(&'a str),
    SetBrightness(u8),
    SetRest(u64),
    SetPace(Pace),
    SetOrientation(Orientation),
    SetHints(bool),
    SetComputer(ComputerChoice),
    SetClock(ClockChoice),
    /// Empty for DHCP.
    SetAddress(&'a str),
}

/// Why a line is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the implementation of `Display` explains the variants")]
pub enum CommandError {
    Unknown,
    UnknownSetting,
    Calibrate,
    Relay(RelayError),
    Key,
    Name,
    Brightness,
    Rest,
    Pace,
    Orientation,
    Hints,
    Computer,
    Clock,
    Address(AddressError),
    TooLong,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "unknown command; `help` lists the commands",
            Self::UnknownSetting => "unknown setting; `help` lists the settings",
            Self::Calibrate => "`calibrate` is alone, or followed by `switches`, `lights`, `stop`, `reset` or `status`",
            Self::Relay(error) => return error.fmt(f),
            Self::Key => "a key is 64 hexadecimal digits",
            Self::Name => "a name has at least one character and no control characters",
            Self::Brightness => "brightness is a number from 0 to 255",
            Self::Rest => "rest is a number of milliseconds from 0 to 10000",
            Self::Pace => "the pace is `fast`, `normal` or `careful`",
            Self::Orientation => "the orientation is `white` or `black`",
            Self::Hints => "hints are `on` or `off`",
            Self::Computer => "the computer is `off`, or a level from 1 to 10, followed by `white`, `black` or nothing",
            Self::Clock => "the clock is `off`, or minutes and seconds per move, like `5+3`",
            Self::Address(error) => return error.fmt(f),
            Self::TooLong => return write!(f, "the value has more than {VALUE_BYTES} bytes"),
        })
    }
}

impl core::error::Error for CommandError {}

impl<'a> Command<'a> {
    /// Parses a line; none if it is empty.
    pub fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        let line = line.trim();
        let (verb, rest) = line.split_once(' ').map_or((line, ""), |(verb, rest)| (verb, rest.trim()));
        Ok(Some(match (verb, rest) {
            ("", _) => return Ok(None),
            ("help", "") => Self::Help,
            ("show", "") => Self::Show,
            ("selftest", "") => Self::Selftest,
            ("calibrate", what) => match what {
                "" => Self::Calibrate(CalibrationScope::SwitchesAndLights),
                "switches" => Self::Calibrate(CalibrationScope::Switches),
                "lights" => Self::Calibrate(CalibrationScope::Lights),
                "reset" => Self::CalibrateReset,
                "stop" => Self::CalibrateStop,
                "status" => Self::CalibrateStatus,
                _ => return Err(CommandError::Calibrate),
            },
            ("stats", "") => Self::Stats,
            ("reboot", "") => Self::Reboot,
            ("set", rest) => {
                let (setting, value) = rest.split_once(' ').map_or((rest, ""), |(name, value)| (name, value.trim()));
                Self::parse_setting(setting, value)?
            }
            _ => return Err(CommandError::Unknown),
        }))
    }

    /// Whether only the console of the board itself may give the command, and not the relay: with them a relay, or an attacker who has
    /// taken it over, could keep the board for ever.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        matches!(self, Self::Help | Self::Reboot | Self::SetRelay(_) | Self::SetKey(_) | Self::SetAddress(_))
    }

    /// Parses a setting and its value, the words after `set`.
    pub fn parse_setting(setting: &str, value: &'a str) -> Result<Self, CommandError> {
        if value.len() > VALUE_BYTES {
            return Err(CommandError::TooLong);
        }
        Ok(match setting {
            "relay" if value == "none" => Self::SetRelay(""),
            "relay" => {
                RelayAddress::parse(value).map_err(CommandError::Relay)?;
                Self::SetRelay(value)
            }
            "key" if value == "none" => Self::SetKey(None),
            "key" => Self::SetKey(Some(key(value).ok_or(CommandError::Key)?)),
            "name" if value.is_empty() || value.chars().any(char::is_control) => return Err(CommandError::Name),
            "name" => Self::SetName(value),
            "brightness" => Self::SetBrightness(value.parse().map_err(|_| CommandError::Brightness)?),
            "rest" => {
                let rest = value.parse().ok().filter(|&rest| rest <= 10_000);
                Self::SetRest(rest.ok_or(CommandError::Rest)?)
            }
            "pace" => Self::SetPace(Pace::named(value).ok_or(CommandError::Pace)?),
            "orientation" => Self::SetOrientation(match value {
                "white" => Orientation::WhiteNear,
                "black" => Orientation::BlackNear,
                _ => return Err(CommandError::Orientation),
            }),
            "hints" => Self::SetHints(match value {
                "on" => true,
                "off" => false,
                _ => return Err(CommandError::Hints),
            }),
            "computer" => Self::SetComputer(ComputerChoice::parse(value).ok_or(CommandError::Computer)?),
            "clock" => Self::SetClock(ClockChoice::parse(value).ok_or(CommandError::Clock)?),
            "ip" if value == "dhcp" => Self::SetAddress(""),
            "ip" => {
                Address::parse(value).map_err(CommandError::Address)?;
                Self::SetAddress(value)
            }
            _ => return Err(CommandError::UnknownSetting),
        })
    }
}

/// Parses 64 hexadecimal digits.
fn key(text: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, digits) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    fn parse(line: &str) -> Result<Option<Command<'_>>, CommandError> {
        Command::parse(line)
    }

    #[test]
    fn parses_every_command() {
        let key = "00ff".repeat(16);
        let line = format!("set key {key}");
        let mut bytes = [0; 32];
        bytes.iter_mut().skip(1).step_by(2).for_each(|byte| *byte = 0xff);
        for (line, command) in [
            ("help", Command::Help),
            (" show ", Command::Show),
            ("selftest", Command::Selftest),
            ("stats", Command::Stats),
            ("reboot", Command::Reboot),
            ("calibrate status", Command::CalibrateStatus),
            ("set relay ws://10.0.2.2:4000", Command::SetRelay("ws://10.0.2.2:4000")),
            ("set relay none", Command::SetRelay("")),
            (&line, Command::SetKey(Some(bytes))),
            ("set key none", Command::SetKey(None)),
            ("set name the kitchen", Command::SetName("the kitchen")),
            ("set  brightness  0", Command::SetBrightness(0)),
            ("set rest 300", Command::SetRest(300)),
            ("set pace careful", Command::SetPace(Pace::Careful)),
            ("set orientation black", Command::SetOrientation(Orientation::BlackNear)),
            ("set hints on", Command::SetHints(true)),
            ("set hints off", Command::SetHints(false)),
            ("set computer off", Command::SetComputer(ComputerChoice::Off)),
            (
                "set computer 10 white",
                Command::SetComputer(ComputerChoice::On {
                    level: engine::Level::FULL,
                    color: Some(chess::Color::White),
                }),
            ),
            ("set clock off", Command::SetClock(ClockChoice(None))),
            ("set ip dhcp", Command::SetAddress("")),
            ("set ip 10.0.2.15/24 10.0.2.2", Command::SetAddress("10.0.2.15/24 10.0.2.2")),
        ] {
            assert!(parse(line) == Ok(Some(command)), "{line}");
        }
        assert!(parse("  ") == Ok(None));
    }

    #[test]
    fn rejects_invalid_commands() {
        let long = format!("set name {}", "x".repeat(65));
        for (line, error) in [
            ("hepl", CommandError::Unknown),
            ("help me", CommandError::Unknown),
            ("set", CommandError::UnknownSetting),
            ("set volume 11", CommandError::UnknownSetting),
            ("set relay wss://relay", CommandError::Relay(RelayError::Tls)),
            ("set key 00", CommandError::Key),
            ("set key +0000000000000000000000000000000000000000000000000000000000000000", CommandError::TooLong),
            ("set key +000000000000000000000000000000000000000000000000000000000000000", CommandError::Key),
            ("calibrate me", CommandError::Calibrate),
            ("set name", CommandError::Name),
            ("set brightness 256", CommandError::Brightness),
            ("set rest 10001", CommandError::Rest),
            ("set pace slow", CommandError::Pace),
            ("set orientation up", CommandError::Orientation),
            ("set hints maybe", CommandError::Hints),
            ("set computer 11", CommandError::Computer),
            ("set clock 5", CommandError::Clock),
            ("set ip 10.0.2.15", CommandError::Address(AddressError::Prefix)),
            (&long, CommandError::TooLong),
        ] {
            assert!(parse(line) == Err(error), "{line}");
        }
    }

    #[test]
    fn help_lists_every_setting() {
        for setting in
            ["relay", "key", "name", "brightness", "rest", "pace", "orientation", "hints", "computer", "clock", "ip"]
        {
            assert!(HELP.contains(&format!("set {setting} ")), "{setting}");
        }
    }
}
