use core::fmt;

use crate::color::Color;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields of a win are named for what they are")]
pub enum Outcome {
    Win {
        winner: Color,
        by: WinReason,
    },
    Draw(DrawReason),
    /// Ended without a result, before it counted.
    Aborted,
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "resignation needs no explanation")]
pub enum WinReason {
    /// The king is in check and there is no way out.
    Checkmate,
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser left the game.
    Abandonment,
}

/// Why a game was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side has enough pieces to give mate.
    InsufficientMaterial,
    /// The same position for the fifth time: automatic, without a claim.
    FivefoldRepetition,
    /// Seventy-five moves of each side without a capture or a pawn move: automatic, without a claim.
    SeventyFiveMoves,
    /// The same position for the third time, and a player claimed the draw.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move, and a player claimed the draw.
    FiftyMoves,
    /// Both players agreed.
    Agreement,
    /// One side's time ran out, but the other could not have given mate.
    TimeAgainstBareKing,
}

/// What a player may claim a draw for. Without a claim the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawClaim {
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
}

impl Outcome {
    /// The winner of a game that was won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw(_) | Self::Aborted => None,
        }
    }

    /// Whether it follows from the moves alone, without a word of the players, a clock or a claim.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        match self {
            Self::Win { by, .. } => matches!(by, WinReason::Checkmate),
            Self::Draw(reason) => matches!(
                reason,
                DrawReason::Stalemate
                    | DrawReason::InsufficientMaterial
                    | DrawReason::FivefoldRepetition
                    | DrawReason::SeventyFiveMoves
            ),
            Self::Aborted => false,
        }
    }

    /// The result as PGN writes it.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            Self::Win { winner: Color::White, .. } => "1-0",
            Self::Win { winner: Color::Black, .. } => "0-1",
            Self::Draw(_) => "1/2-1/2",
            Self::Aborted => "*",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, by: WinReason::Time } => write!(f, "{winner} wins on time"),
            Self::Win { winner, by } => write!(f, "{winner} wins by {by}"),
            Self::Draw(reason) => write!(f, "draw by {reason}"),
            Self::Aborted => f.write_str("game aborted"),
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate => "checkmate",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Abandonment => "abandonment",
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
    /// Every claim there is.
    pub const ALL: [Self; 2] = [Self::ThreefoldRepetition, Self::FiftyMoves];

    /// The reason of the draw that a granted claim leads to.
    #[must_use]
    pub const fn reason(self) -> DrawReason {
        match self {
            Self::ThreefoldRepetition => DrawReason::ThreefoldRepetition,
            Self::FiftyMoves => DrawReason::FiftyMoves,
        }
    }
}
