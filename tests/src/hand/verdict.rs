//! What must come of many games, beside what did.

use super::reeds::Magnet;
use super::tally::{Pace, Tally};

/// A figure beside what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What was counted or timed.
    pub what: String,
    /// What came of it.
    pub figure: u64,
    /// What it may be.
    pub wanted: Wanted,
}

/// What a figure may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// This or less.
    AtMost(u64),
    /// This or more.
    AtLeast(u64),
}

impl Verdict {
    /// Whether it is what it should be.
    #[must_use]
    pub const fn is_reached(&self) -> bool {
        match self.wanted {
            Wanted::AtMost(most) => self.figure <= most,
            Wanted::AtLeast(least) => self.figure >= least,
        }
    }
}

/// The verdicts on games that should have had so many moves: nothing misread, unread or wedged, and no move read later
/// than it may be.
#[must_use]
pub fn verdicts(tally: &Tally, moves: u64) -> Vec<Verdict> {
    let counts = [
        ("moves", tally.moves, Wanted::AtLeast(moves)),
        ("misread", tally.misread, Wanted::AtMost(0)),
        ("unread", tally.unread, Wanted::AtMost(0)),
        ("wedged games", tally.wedged, Wanted::AtMost(0)),
    ];
    let counts = counts.map(|(what, figure, wanted)| Verdict { what: what.to_owned(), figure, wanted });
    let delays = tally.delays.iter().map(|(&(pace, magnets), delays)| Verdict {
        what: format!("{}, ms", class(pace, magnets)),
        figure: delays.longest(),
        wanted: Wanted::AtMost(pace.limit(magnets)),
    });
    counts.into_iter().chain(delays).collect()
}

/// The name of a class of moves.
#[must_use]
pub fn class(pace: Pace, magnets: Magnet) -> String {
    match magnets {
        Magnet::Sound => pace.name().to_owned(),
        Magnet::Weak => format!("{}, weak magnet", pace.name()),
    }
}
