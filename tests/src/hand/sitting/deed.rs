//! What hands have done, and meant by it.

use std::fmt;

use board::{KingsResult, Reading};
use chess::Move;

use crate::hand::habit::Habit;
use crate::hand::tally::Pace;

/// Something that hands have done and the board has to read.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    pub(super) meant: Meant,
    pub(super) pace: Pace,
    /// When it was complete.
    pub(super) last_touch: u64,
    /// Whether it takes a piece on the square where it ends.
    pub(super) takes: bool,
    pub(super) habits: Vec<Habit>,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let habits: Vec<&str> = self.habits.iter().map(|habit| habit.name()).collect();
        write!(f, "{:?} ({})", self.meant, habits.join(", "))
    }
}

/// What hands mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Move(Move),
    Correction(Move),
    TakeBack,
    Kings(KingsResult),
    Start,
}

impl Meant {
    /// What somebody must have meant for this to be read.
    pub(super) fn by(reading: Reading) -> Vec<Self> {
        match reading {
            Reading::PutBack => vec![],
            Reading::Moved(mv) => vec![Self::Move(mv)],
            Reading::MovedTwice(first, second) => vec![Self::Move(first), Self::Move(second)],
            Reading::TakenBack => vec![Self::TakeBack],
            Reading::Corrected(mv) => vec![Self::Correction(mv)],
            Reading::Kings(result) => vec![Self::Kings(result)],
            Reading::StartPosition => vec![Self::Start],
        }
    }
}
