use core::fmt;

use board::{Orientation, Relay, RelayError};

use crate::address::{Address, AddressError};

/// What there is to say.
pub const HELP: &str = "\
help                          this\r\n\
show                          the settings, the game and the link\r\n\
set relay ws://HOST:PORT      where the relay is; `none` for no relay\r\n\
set key HEX                   the pairing key, 64 digits; `none` to forget it\r\n\
set name TEXT                 what the board is called\r\n\
set brightness 0-255          how bright the lights are\r\n\
set rest MS                   how long a piece that could slide on must rest\r\n\
set orientation white|black   who sits at the first rank\r\n\
set hints on|off              whether to be shown where pieces can go, if the other player agrees\r\n\
set ip dhcp                   the network gives an address, or:\r\n\
set ip A/N [GATEWAY [DNS]]    this is it\r\n\
selftest                      switches, dice and journal\r\n\
stats                         what has happened since the start\r\n\
reboot                        starts again\r\n";

/// The longest value that a journal keeps.
const VALUE_BYTES: usize = wire::journal::MAX_VALUE;

/// What somebody wants.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are explained where they are typed, in `HELP`")]
pub enum Command<'a> {
    Help,
    Show,
    Selftest,
    Stats,
    Reboot,
    /// Nothing stands for no relay.
    SetRelay(&'a str),
    SetKey(Option<[u8; 32]>),
    SetName(&'a str),
    SetBrightness(u8),
    SetRest(u64),
    SetOrientation(Orientation),
    SetHints(bool),
    /// Nothing stands for whatever the network gives.
    SetAddress(&'a str),
}

/// Why a line is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the sentences are below")]
pub enum CommandError {
    Unknown,
    UnknownSetting,
    Relay(RelayError),
    Key,
    Name,
    Brightness,
    Rest,
    Orientation,
    Hints,
    Address(AddressError),
    TooLong,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "there is no such command; `help` lists them",
            Self::UnknownSetting => "there is no such setting; `help` lists them",
            Self::Relay(error) => return error.fmt(f),
            Self::Key => "a key is 64 hexadecimal digits",
            Self::Name => "a name has at least one character, and none that cannot be printed",
            Self::Brightness => "brightness is a number from 0 to 255",
            Self::Rest => "a rest is a number of milliseconds from 0 to 10000",
            Self::Orientation => "the orientation is `white` or `black`",
            Self::Hints => "hints are `on` or `off`",
            Self::Address(error) => return error.fmt(f),
            Self::TooLong => return write!(f, "it has more than {VALUE_BYTES} bytes"),
        })
    }
}

impl core::error::Error for CommandError {}

impl<'a> Command<'a> {
    /// Reads a line; an empty one is nothing.
    pub fn parse(line: &'a str) -> Result<Option<Self>, CommandError> {
        let line = line.trim();
        let (verb, rest) = line.split_once(' ').map_or((line, ""), |(verb, rest)| (verb, rest.trim()));
        Ok(Some(match (verb, rest) {
            ("", _) => return Ok(None),
            ("help", "") => Self::Help,
            ("show", "") => Self::Show,
            ("selftest", "") => Self::Selftest,
            ("stats", "") => Self::Stats,
            ("reboot", "") => Self::Reboot,
            ("set", rest) => {
                let (setting, value) = rest.split_once(' ').map_or((rest, ""), |(name, value)| (name, value.trim()));
                Self::parse_setting(setting, value)?
            }
            _ => return Err(CommandError::Unknown),
        }))
    }

    /// Reads one setting, as after `set`.
    pub fn parse_setting(setting: &str, value: &'a str) -> Result<Self, CommandError> {
        if value.len() > VALUE_BYTES {
            return Err(CommandError::TooLong);
        }
        Ok(match setting {
            "relay" if value == "none" => Self::SetRelay(""),
            "relay" => {
                Relay::parse(value).map_err(CommandError::Relay)?;
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
            "ip" if value == "dhcp" => Self::SetAddress(""),
            "ip" => {
                Address::parse(value).map_err(CommandError::Address)?;
                Self::SetAddress(value)
            }
            _ => return Err(CommandError::UnknownSetting),
        })
    }
}

/// Reads a key of 64 digits.
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
    use super::*;

    fn parse(line: &str) -> Result<Option<Command<'_>>, CommandError> {
        Command::parse(line)
    }

    #[test]
    fn reads_every_command() {
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
            ("set relay ws://10.0.2.2:4000", Command::SetRelay("ws://10.0.2.2:4000")),
            ("set relay none", Command::SetRelay("")),
            (&line, Command::SetKey(Some(bytes))),
            ("set key none", Command::SetKey(None)),
            ("set name the kitchen", Command::SetName("the kitchen")),
            ("set  brightness  0", Command::SetBrightness(0)),
            ("set rest 300", Command::SetRest(300)),
            ("set orientation black", Command::SetOrientation(Orientation::BlackNear)),
            ("set hints on", Command::SetHints(true)),
            ("set hints off", Command::SetHints(false)),
            ("set ip dhcp", Command::SetAddress("")),
            ("set ip 10.0.2.15/24 10.0.2.2", Command::SetAddress("10.0.2.15/24 10.0.2.2")),
        ] {
            assert!(parse(line) == Ok(Some(command)), "{line}");
        }
        assert!(parse("  ") == Ok(None));
    }

    #[test]
    fn says_what_is_wrong_with_others() {
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
            ("set name", CommandError::Name),
            ("set brightness 256", CommandError::Brightness),
            ("set rest 10001", CommandError::Rest),
            ("set orientation up", CommandError::Orientation),
            ("set hints maybe", CommandError::Hints),
            ("set ip 10.0.2.15", CommandError::Address(AddressError::Prefix)),
            (&long, CommandError::TooLong),
        ] {
            assert!(parse(line) == Err(error), "{line}");
        }
    }

    #[test]
    fn help_knows_every_setting() {
        for setting in ["relay", "key", "name", "brightness", "rest", "orientation", "hints", "ip"] {
            assert!(HELP.contains(&format!("set {setting} ")), "{setting}");
        }
    }
}
