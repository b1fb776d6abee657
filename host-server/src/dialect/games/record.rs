//! Exports a game as PGN or JSON.

use chess::{Color, Fen};
use rules::{Verdict, Why};
use serde::Serialize;
use wire::link::ClockRule;

use crate::dialect::notation::{AsText, Letters, Written, add_pieces, fen, placement, written};
use crate::dialect::played::Played;
use crate::pgn::{Pgn, Tags};
use crate::room::{Name, Phase, verdict_or_none};

/// A game as PGN; `None` if it is not chess.
pub(super) fn pgn(played: &Played) -> Option<String> {
    let Played { room, number, began_on, .. } = played;
    let name = |color| room.seat(color).map_or_else(|| "?".to_owned(), |seated| seated.player.name.to_string());
    let verdict = room.verdict();
    let time_control = match room.terms().clock {
        Some(ClockRule { base_ms, increment_ms: 0 }) => seconds(base_ms),
        Some(ClockRule { base_ms, increment_ms }) => format!("{}+{}", seconds(base_ms), seconds(increment_ms)),
        None => "-".to_owned(),
    };
    let mut others = vec![("Termination", termination(verdict).to_owned()), ("TimeControl", time_control)];
    if let Some(computer) = room.computer() {
        let kind = |color| if color == computer { "program" } else { "human" }.to_owned();
        others.insert(0, ("BlackType", kind(Color::Black)));
        others.push(("WhiteType", kind(Color::White)));
    }
    let tags = Tags {
        event: match &room.terms().board {
            Some(board) => format!("Tabiya board {board}"),
            None => format!("Tabiya match {}", room.code()),
        },
        date: date(*began_on),
        round: number.to_string(),
        white: name(Color::White),
        black: name(Color::Black),
        others,
        ..Tags::default()
    };
    let result = verdict.map_or("*", Verdict::result);
    Some(Pgn { tags: &tags, game: room.game().chess()?, result, clocks: room.clock_after() }.to_string())
}

/// Seconds of a PGN time control. The standard has no fractions, but readers accept them.
fn seconds(ms: u32) -> String {
    match (ms / 1_000, ms % 1_000) {
        (whole, 0) => whole.to_string(),
        (whole, rest) => format!("{whole}.{rest:03}").trim_end_matches('0').to_owned(),
    }
}

const fn termination(verdict: Option<Verdict>) -> &'static str {
    let Some(verdict) = verdict else { return "unterminated" };
    match verdict.why() {
        Some(Why::Time | Why::TimeAgainstBareKing) => "time forfeit",
        Some(Why::Abandonment) | None => "abandoned",
        _ => "normal",
    }
}

/// The date in PGN's form.
pub(super) fn date(seconds: u64) -> String {
    let (year, month, day) = calendar(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01. Years start in March, so that a leap day is the last day.
fn calendar(days: u64) -> (u64, u64, u64) {
    // Days from 0000-03-01 to 1970-01-01.
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

/// A game as JSON, with only what a spectator can see.
#[derive(Debug, Serialize)]
pub(super) struct GameRecord<'a> {
    code: &'a str,
    game: u32,
    date: String,
    white: Option<&'a Name>,
    black: Option<&'a Name>,
    clock: Option<ClockRule>,
    countdown_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_placement: Option<String>,
    moves: Vec<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<AsText<Fen<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<String>,
    is_over: bool,
    result: &'static str,
    #[serde(rename = "ending", with = "verdict_or_none")]
    verdict: Option<Verdict>,
    rules: &'static str,
    /// The name of the script, if the rules are one.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<&'a str>,
    /// What the letters of both placements stand for.
    #[serde(skip_serializing_if = "Letters::is_empty")]
    pieces: Letters,
}

impl<'a> GameRecord<'a> {
    pub(super) fn of(played: &'a Played) -> Self {
        let Played { room, number, began_on, .. } = played;
        let name = |color| room.seat(color).map(|seated| &seated.player.name);
        let (start, here) = (room.start_position(), room.game().situation());
        let mut pieces = Letters::new();
        add_pieces(start.situation(), &mut pieces);
        add_pieces(here, &mut pieces);
        let verdict = room.verdict();
        Self {
            code: room.code().as_str(),
            game: *number,
            date: date(*began_on),
            white: name(Color::White),
            black: name(Color::Black),
            clock: room.terms().clock,
            countdown_ms: room.terms().countdown,
            start: start.situation().chess().map(|position| position.fen().to_string()),
            start_placement: placement(start.situation()),
            moves: written(room),
            fen: fen(here),
            placement: placement(here),
            is_over: room.phase() != Phase::Playing,
            result: verdict.map_or("*", Verdict::result),
            verdict,
            rules: room.terms().start().name(),
            script: room.script().map(|script| script.name.as_str()),
            pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_match_the_calendar() {
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
    fn whole_seconds_have_no_fraction() {
        assert_eq!((seconds(300_000), seconds(500), seconds(1_250)), ("300".into(), "0.5".into(), "1.25".into()));
    }
}
