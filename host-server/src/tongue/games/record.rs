//! A game as a file that people keep: PGN or JSON.

use chess::{Color, Fen};
use serde::Serialize;
use wire::link::ClockRule;

use super::played::Played;
use crate::pgn::{Pgn, Tags};
use crate::room::{Ending, Name, Phase, Reason};
use crate::tongue::notation::{Shown, Written, written};

/// A game as PGN.
pub(super) fn pgn(played: &Played) -> String {
    let Played { room, number, began_on } = played;
    let name = |color| room.seat(color).map_or_else(|| "?".to_owned(), |seated| seated.player.name.to_string());
    let ending = room.ending();
    let time_control = match room.terms().clock {
        Some(ClockRule { base_ms, increment_ms: 0 }) => seconds(base_ms),
        Some(ClockRule { base_ms, increment_ms }) => format!("{}+{}", seconds(base_ms), seconds(increment_ms)),
        None => "-".to_owned(),
    };
    let tags = Tags {
        event: format!("Tabiya match {}", room.code()),
        date: date(*began_on),
        round: number.to_string(),
        white: name(Color::White),
        black: name(Color::Black),
        others: vec![("Termination", termination(ending).to_owned()), ("TimeControl", time_control)],
        ..Tags::default()
    };
    let result = ending.map_or("*", Ending::result);
    Pgn { tags: &tags, game: room.game(), result, clocks: room.clock_after() }.to_string()
}

/// Milliseconds as the standard writes seconds. It knows no fractions, but readers do.
fn seconds(ms: u32) -> String {
    match (ms / 1_000, ms % 1_000) {
        (whole, 0) => whole.to_string(),
        (whole, rest) => format!("{whole}.{rest:03}").trim_end_matches('0').to_owned(),
    }
}

const fn termination(ending: Option<Ending>) -> &'static str {
    let Some(ending) = ending else { return "unterminated" };
    match ending.reason {
        Reason::Time | Reason::TimeAgainstBareKing => "time forfeit",
        Reason::Disconnect | Reason::Aborted => "abandoned",
        _ => "normal",
    }
}

/// A day by the calendar, from seconds since 1970, as PGN writes it.
fn date(seconds: u64) -> String {
    let (year, month, day) = calendar(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The day so many days after the first of January 1970. Years begin in March here, so that a leap day is the last one.
fn calendar(days: u64) -> (u64, u64, u64) {
    // There are 719,468 days from the first of March of the year 0.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

/// A game as JSON. Nothing is in it that a spectator does not see.
#[derive(Debug, Serialize)]
pub(super) struct Record<'a> {
    code: &'a str,
    game: u32,
    date: String,
    white: Option<&'a Name>,
    black: Option<&'a Name>,
    clock: Option<ClockRule>,
    countdown_ms: u64,
    start: Shown<Fen<'a>>,
    moves: Vec<Written>,
    fen: Shown<Fen<'a>>,
    is_over: bool,
    result: &'static str,
    ending: Option<Ending>,
}

impl<'a> Record<'a> {
    pub(super) fn of(played: &'a Played) -> Self {
        let Played { room, number, began_on } = played;
        let name = |color| room.seat(color).map(|seated| &seated.player.name);
        let ending = room.ending();
        Self {
            code: room.code().as_str(),
            game: *number,
            date: date(*began_on),
            white: name(Color::White),
            black: name(Color::Black),
            clock: room.terms().clock,
            countdown_ms: room.terms().countdown,
            start: Shown(room.game().start().fen()),
            moves: written(room),
            fen: Shown(room.game().position().fen()),
            is_over: room.phase() != Phase::Playing,
            result: ending.map_or("*", Ending::result),
            ending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_164_800, "2024.02.29"),
            (1_709_251_200, "2024.03.01"),
            (1_767_225_599, "2025.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), day);
        }
    }

    #[test]
    fn seconds_are_whole_if_they_can_be() {
        assert_eq!((seconds(300_000), seconds(500), seconds(1_250)), ("300".into(), "0.5".into(), "1.25".into()));
    }
}
