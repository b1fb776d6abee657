use std::fmt;

use chess::{Color, DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};

use super::form::side_or_none;

/// How a game ended, by the rules of chess or because somebody is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Why.
    pub reason: Reason,
    /// Who has won, if somebody has.
    #[serde(default, with = "side_or_none", skip_serializing_if = "Option::is_none")]
    pub winner: Option<Color>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Mate.
    Checkmate,
    /// A player gave up.
    Resignation,
    /// A player ran out of time.
    Time,
    /// Stalemate.
    Stalemate,
    /// Nobody can mate.
    InsufficientMaterial,
    /// The same position for the fifth time.
    FivefoldRepetition,
    /// Seventy-five moves without a capture or a pawn move.
    SeventyFiveMoves,
    /// The same position for the third time, and a player claimed the draw.
    ThreefoldRepetition,
    /// Fifty moves without a capture or a pawn move, and a player claimed the draw.
    FiftyMoves,
    /// Both agreed on a draw.
    Agreement,
    /// A player ran out of time, but the other could not have given mate.
    TimeAgainstBareKing,
    /// A player was away for too long.
    Disconnect,
    /// It was called off before it had really begun.
    Aborted,
}

impl Ending {
    /// It was called off.
    pub const ABORTED: Self = Self { reason: Reason::Aborted, winner: None };

    /// A player was away for too long, and the other was there.
    #[must_use]
    pub const fn disconnect(winner: Option<Color>) -> Self {
        Self { reason: Reason::Disconnect, winner }
    }

    /// What the rules of chess call it, if they know it.
    #[must_use]
    pub const fn outcome(self) -> Option<Outcome> {
        let draw = match self.reason {
            Reason::Checkmate => return self.won(WinReason::Checkmate),
            Reason::Resignation => return self.won(WinReason::Resignation),
            Reason::Time => return self.won(WinReason::Time),
            Reason::Disconnect | Reason::Aborted => return None,
            Reason::Stalemate => DrawReason::Stalemate,
            Reason::InsufficientMaterial => DrawReason::InsufficientMaterial,
            Reason::FivefoldRepetition => DrawReason::FivefoldRepetition,
            Reason::SeventyFiveMoves => DrawReason::SeventyFiveMoves,
            Reason::ThreefoldRepetition => DrawReason::ThreefoldRepetition,
            Reason::FiftyMoves => DrawReason::FiftyMoves,
            Reason::Agreement => DrawReason::Agreement,
            Reason::TimeAgainstBareKing => DrawReason::TimeAgainstBareKing,
        };
        Some(Outcome::Draw(draw))
    }

    const fn won(self, by: WinReason) -> Option<Outcome> {
        match self.winner {
            Some(winner) => Some(Outcome::Win { winner, by }),
            None => None,
        }
    }

    /// The nearest thing that a board knows: its link has no word for those who leave. Who stays has won as if the other
    /// had given up, and a game that was called off is nobody's.
    #[must_use]
    pub const fn for_board(self) -> Outcome {
        match (self.outcome(), self.winner) {
            (Some(outcome), _) => outcome,
            (None, Some(winner)) => Outcome::Win { winner, by: WinReason::Resignation },
            (None, None) => Outcome::Draw(DrawReason::Agreement),
        }
    }

    /// The result as PGN writes it. A game that was called off has none.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match (self.reason, self.winner) {
            (_, Some(Color::White)) => "1-0",
            (_, Some(Color::Black)) => "0-1",
            (Reason::Aborted | Reason::Disconnect, None) => "*",
            _ => "1/2-1/2",
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        let reason = match outcome {
            Outcome::Win { by: WinReason::Checkmate, .. } => Reason::Checkmate,
            Outcome::Win { by: WinReason::Resignation, .. } => Reason::Resignation,
            Outcome::Win { by: WinReason::Time, .. } => Reason::Time,
            Outcome::Draw(DrawReason::Stalemate) => Reason::Stalemate,
            Outcome::Draw(DrawReason::InsufficientMaterial) => Reason::InsufficientMaterial,
            Outcome::Draw(DrawReason::FivefoldRepetition) => Reason::FivefoldRepetition,
            Outcome::Draw(DrawReason::SeventyFiveMoves) => Reason::SeventyFiveMoves,
            Outcome::Draw(DrawReason::ThreefoldRepetition) => Reason::ThreefoldRepetition,
            Outcome::Draw(DrawReason::FiftyMoves) => Reason::FiftyMoves,
            Outcome::Draw(DrawReason::Agreement) => Reason::Agreement,
            Outcome::Draw(DrawReason::TimeAgainstBareKing) => Reason::TimeAgainstBareKing,
        };
        Self { reason, winner: outcome.winner() }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome(), self.reason, self.winner) {
            (Some(outcome), ..) => outcome.fmt(f),
            (None, Reason::Aborted, _) => f.write_str("called off"),
            (None, _, Some(winner)) => write!(f, "{winner} wins because the other player left"),
            (None, _, None) => f.write_str("both players left"),
        }
    }
}
