//! Parses a time control from the command line: `MINUTES+SECONDS`.

use wire::link::ClockRule;

/// Longest base time: one day.
const MAX_MINUTES: u32 = 24 * 60;
const MAX_SECONDS: u32 = 60 * 60;

pub(super) fn parse(text: &str) -> Result<ClockRule, String> {
    let numbers = text.split_once('+').and_then(|(minutes, seconds)| Some((number(minutes)?, number(seconds)?)));
    match numbers {
        Some((minutes @ 1..=MAX_MINUTES, seconds @ 0..=MAX_SECONDS)) => {
            Ok(ClockRule { base_ms: minutes * 60_000, increment_ms: seconds * 1_000 })
        }
        Some(_) => Err(format!("minutes must be 1 to {MAX_MINUTES} and seconds 0 to {MAX_SECONDS}")),
        None => Err("expected MINUTES+SECONDS, like 5+3".to_owned()),
    }
}

/// Digits only: `u32::from_str` would also accept a leading plus sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_minutes_plus_seconds() {
        assert_eq!(parse("5+3"), Ok(ClockRule { base_ms: 300_000, increment_ms: 3_000 }));
        assert_eq!(parse("1+0"), Ok(ClockRule { base_ms: 60_000, increment_ms: 0 }));
        for text in ["", "5", "+", "5+", "+3", "5++3", "5+-3", "5 + 3", "five+3", "99999999999+1"] {
            assert!(parse(text).unwrap_err().contains("like 5+3"), "{text}");
        }
        for text in ["0+3", "1441+0", "5+3601"] {
            assert!(parse(text).unwrap_err().starts_with("minutes must be 1 to 1440"), "{text}");
        }
    }
}
