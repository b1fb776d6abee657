use core::fmt;

use chess::Color;
use engine::Level;

use crate::computer::Computer;

/// The value of `set computer`, which `show` prints in the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`HELP` explains it")]
pub enum ComputerChoice {
    Off,
    On {
        level: Level,
        /// The colour of the computer; unchanged if none is given.
        color: Option<Color>,
    },
}

impl ComputerChoice {
    /// Parses `off`, or a level and maybe a colour.
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        if value == "off" {
            return Some(Self::Off);
        }
        let (level, color) = value.split_once(' ').unwrap_or((value, ""));
        let color = match color.trim() {
            "" => None,
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => return None,
        };
        Some(Self::On { level: Level::new(level.parse().ok()?)?, color })
    }

    /// The choice that a computer stands for.
    #[must_use]
    pub const fn of(computer: &Computer) -> Self {
        if computer.is_on { Self::On { level: computer.level, color: Some(computer.color) } } else { Self::Off }
    }

    /// The computer after this choice.
    #[must_use]
    pub fn apply(self, computer: Computer) -> Computer {
        match self {
            Self::Off => Computer { is_on: false, ..computer },
            Self::On { level, color } => {
                Computer { is_on: true, level, color: color.unwrap_or(computer.color), ..computer }
            }
        }
    }
}

impl fmt::Display for ComputerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::On { level, color } => {
                write!(f, "{}", level.number())?;
                match color {
                    Some(Color::White) => f.write_str(" white"),
                    Some(Color::Black) => f.write_str(" black"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn what_is_shown_can_be_set() {
        for value in ["off", "1 white", "10 black", "7"] {
            assert_eq!(ComputerChoice::parse(value).expect(value).to_string(), value);
        }
        for value in ["", "0", "11", "on", "3 red", "white", "3 white black", "-1"] {
            assert_eq!(ComputerChoice::parse(value), None, "{value}");
        }
    }

    #[test]
    fn a_level_keeps_the_colour_and_off_keeps_both() {
        let computer = ComputerChoice::parse("8 white").expect("a choice").apply(Computer::DEFAULT);
        assert_eq!((computer.is_on, computer.level.number(), computer.color), (true, 8, Color::White));
        let off = ComputerChoice::Off.apply(computer);
        assert_eq!(off, Computer { is_on: false, ..computer });
        assert_eq!(ComputerChoice::parse("2").expect("a choice").apply(off).color, Color::White);
    }
}
