use chess::Position;
use clap::Args;
use wire::link::ClockRule;

use crate::failure::Failure;
use crate::terminal::{self, Start};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Draw the board in the terminal, and move its pieces with keys or the mouse.
    #[arg(long)]
    terminal: bool,
    /// Begin with this position, instead of the start position.
    #[arg(long)]
    fen: Option<String>,
    /// Give each player so many minutes, and so many seconds more for each move: 5+3.
    #[arg(long, value_name = "MINUTES+SECONDS", value_parser = clock)]
    clock: Option<ClockRule>,
    /// Begin with all pieces in the box, and be led through setting them up.
    #[arg(long)]
    empty: bool,
    /// Let Black sit near.
    #[arg(long)]
    turned: bool,
}

impl Arguments {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if !self.terminal {
            return Err(Failure::NoBoard);
        }
        let position = match &self.fen {
            Some(fen) => fen.parse()?,
            None => Position::start(),
        };
        terminal::run(Start { position, clock: self.clock, empty: self.empty, turned: self.turned })
    }
}

/// Nobody plays for longer than a day, and the increment is less than that by far.
const MOST_MINUTES: u32 = 24 * 60;
const MOST_SECONDS: u32 = 60 * 60;

pub(super) fn clock(text: &str) -> Result<ClockRule, String> {
    let numbers = text.split_once('+').and_then(|(minutes, seconds)| Some((number(minutes)?, number(seconds)?)));
    match numbers {
        Some((minutes @ 1..=MOST_MINUTES, seconds @ 0..=MOST_SECONDS)) => {
            Ok(ClockRule { base_ms: minutes * 60_000, increment_ms: seconds * 1_000 })
        }
        Some(_) => Err(format!("there are 1 to {MOST_MINUTES} minutes and 0 to {MOST_SECONDS} seconds")),
        None => Err("it is written as minutes, a plus sign and seconds, like 5+3".to_owned()),
    }
}

/// Digits and nothing else: the parser of numbers would take a plus sign before them.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_minutes_and_seconds() {
        assert_eq!(clock("5+3"), Ok(ClockRule { base_ms: 300_000, increment_ms: 3_000 }));
        assert_eq!(clock("1+0"), Ok(ClockRule { base_ms: 60_000, increment_ms: 0 }));
        for text in ["", "5", "+", "5+", "+3", "5++3", "5+-3", "5 + 3", "five+3", "99999999999+1"] {
            assert!(clock(text).unwrap_err().contains("like 5+3"), "{text}");
        }
        for text in ["0+3", "1441+0", "5+3601"] {
            assert!(clock(text).unwrap_err().starts_with("there are 1 to 1440"), "{text}");
        }
    }
}
