use core::fmt;

use wire::link::ClockRule;

/// Longest time at the start, in minutes: a day.
const MAX_MINUTES: u32 = 24 * 60;
/// Longest increment, in seconds.
const MAX_SECONDS: u32 = 60 * 60;

/// The value of `set clock`, which `show` prints in the same words: `off`, or minutes and seconds per move, like `5+3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockChoice(pub Option<ClockRule>);

impl ClockChoice {
    /// Parses `off`, or a time control.
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        if value == "off" {
            return Some(Self(None));
        }
        let (minutes, seconds) = value.split_once('+')?;
        let minutes = number(minutes).filter(|minutes| (1..=MAX_MINUTES).contains(minutes))?;
        let seconds = number(seconds).filter(|&seconds| seconds <= MAX_SECONDS)?;
        let rule = ClockRule { base_ms: minutes.saturating_mul(60_000), increment_ms: seconds.saturating_mul(1_000) };
        Some(Self(Some(rule)))
    }
}

/// Digits only: `u32::from_str` would also accept a leading plus sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for ClockChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("off"),
            Some(ClockRule { base_ms, increment_ms }) => {
                write!(f, "{}+{}", base_ms / 60_000, increment_ms / 1_000)
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
        for value in ["off", "1+0", "5+3", "1440+3600"] {
            assert_eq!(ClockChoice::parse(value).expect(value).to_string(), value);
        }
        let rule = ClockRule { base_ms: 300_000, increment_ms: 3_000 };
        assert_eq!(ClockChoice::parse("5+3"), Some(ClockChoice(Some(rule))));
        for value in
            ["", "on", "5", "+", "5+", "+3", "0+3", "5++3", "5+-3", "5 + 3", "1441+0", "5+3601", "9999999999+1"]
        {
            assert_eq!(ClockChoice::parse(value), None, "{value}");
        }
    }
}
