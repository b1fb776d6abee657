use core::fmt;

use crate::color::Color;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won.
    Win {
        /// Which.
        winner: Color,
        /// How.
        by: WinReason,
    },
    /// Neither has.
    Draw(DrawReason),
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// The king is in check and there is no way out.
    Checkmate,
    /// The loser gave up.
    Resignation,
    /// The loser ran out of time.
    Time,
}

/// Why a game was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody has the pieces to give mate any more.
    InsufficientMaterial,
    /// The same position for the fifth time ends the game by itself.
    FivefoldRepetition,
    /// Seventy-five moves of each side without a capture or a pawn move end the game by themselves.
    SeventyFiveMoves,
    /// The same position for the third time, and a player claimed the draw.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move, and a player claimed the draw.
    FiftyMoves,
    /// Both players agreed.
    Agreement,
    /// One side ran out of time, but the other could not have given mate.
    TimeAgainstBareKing,
}

/// What a player may claim a draw for. Nothing happens until somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawClaim {
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
}

impl Outcome {
    /// Who has won, if somebody has.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw(_) => None,
        }
    }

    /// The result as PGN writes it.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, by } => write!(f, "{winner} wins by {by}"),
            Self::Draw(reason) => write!(f, "draw by {reason}"),
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate => "checkmate",
            Self::Resignation => "resignation",
            Self::Time => "time",
        })
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "the seventy-five-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "the fifty-move rule",
            Self::Agreement => "agreement",
            Self::TimeAgainstBareKing => "time against a side that cannot mate",
        })
    }
}

impl fmt::Display for DrawClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason().fmt(f)
    }
}

impl DrawClaim {
    /// Both.
    pub const ALL: [Self; 2] = [Self::ThreefoldRepetition, Self::FiftyMoves];

    /// The reason of the draw once the claim stands.
    #[must_use]
    pub const fn reason(self) -> DrawReason {
        match self {
            Self::ThreefoldRepetition => DrawReason::ThreefoldRepetition,
            Self::FiftyMoves => DrawReason::FiftyMoves,
        }
    }
}
