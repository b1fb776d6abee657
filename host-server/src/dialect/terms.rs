//! Validates the terms of play that clients ask for, in any dialect.

use wire::link::ClockRule;

use crate::room::SideChoice;

/// Upper bound of base time and increment, in milliseconds: a day, which a board can still show.
const LONGEST_CLOCK: u32 = 86_400_000;

/// Upper bound of the countdown, in milliseconds.
pub(super) const LONGEST_COUNTDOWN: u64 = 60_000;

/// The preferred side by its name.
pub(super) fn side_named(name: &str) -> Option<SideChoice> {
    Some(match name {
        "white" => SideChoice::White,
        "black" => SideChoice::Black,
        "random" => SideChoice::Random,
        _ => return None,
    })
}

/// A time control, if it is within bounds and has base time.
pub(super) fn clock_rule(base_ms: u32, increment_ms: u32) -> Option<ClockRule> {
    let is_valid = (1..=LONGEST_CLOCK).contains(&base_ms) && increment_ms <= LONGEST_CLOCK;
    is_valid.then_some(ClockRule { base_ms, increment_ms })
}
