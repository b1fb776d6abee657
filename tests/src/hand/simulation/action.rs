//! Actions of hands with their intent.

use std::fmt;

use board::{KingsResult, Reading};
use chess::{Move, Square};
use rules::Ply;

use crate::hand::behaviour::Behaviour;
use crate::hand::counters::DelayClass;

/// An action that the board has to read.
#[derive(Clone, Debug)]
pub(super) struct PendingAction {
    pub(super) meant: Intent,
    pub(super) delay_class: DelayClass,
    /// The time of its last touch.
    pub(super) last_touch: u64,
    /// Whether it captures on its target square.
    pub(super) takes: bool,
    pub(super) behaviours: Vec<Behaviour>,
}

impl PendingAction {
    /// Whether it is a promotion on this square.
    pub(super) fn promotes_on(&self, to: Square) -> bool {
        matches!(self.meant, Intent::Move(mv) if mv.to() == to && mv.promotion().is_some())
    }
}

impl fmt::Display for PendingAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let behaviours: Vec<&str> = self.behaviours.iter().map(|behaviour| behaviour.name()).collect();
        write!(f, "{:?} ({})", self.meant, behaviours.join(", "))
    }
}

/// What a hand intends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    Move(Move),
    Correction(Move),
    TakeBack,
    Kings(KingsResult),
    Start,
}

impl Intent {
    /// The intents that explain a reading.
    pub(super) fn by(reading: Reading) -> Vec<Self> {
        match reading {
            Reading::PutBack | Reading::Withdrawn => vec![],
            Reading::Moved(ply) => vec![Self::Move(of_chess(ply))],
            Reading::MovedTwice(first, second) => vec![Self::Move(of_chess(first)), Self::Move(of_chess(second))],
            Reading::MovedSeveral(moves) => moves.iter().map(|ply| Self::Move(of_chess(ply))).collect(),
            Reading::CorrectedTo(moves) => {
                let mut intents: Vec<Self> = moves.iter().map(|ply| Self::Move(of_chess(ply))).collect();
                if let Some(Self::Move(mv)) = intents.first().copied() {
                    intents[0] = Self::Correction(mv);
                }
                intents
            }
            Reading::TakenBack => vec![Self::TakeBack],
            Reading::Corrected(ply) => vec![Self::Correction(of_chess(ply))],
            Reading::Kings(result) => vec![Self::Kings(result)],
            Reading::StartPosition => vec![Self::Start],
        }
    }
}

fn of_chess(ply: Ply) -> Move {
    ply.to_move().expect("the hand reads plies of chess")
}
