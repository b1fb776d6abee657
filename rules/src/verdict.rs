use core::fmt;

use chess::{Color, DrawReason, Outcome, WinReason};

/// How a game ended, under any rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields of a win are named for what they are")]
pub enum Verdict {
    Won {
        winner: Color,
        why: Why,
    },
    Drawn(Why),
    /// Ended without a result, before it counted.
    Aborted,
    /// Ended without a result, because both players left.
    Abandoned,
}

/// Why a game was won or drawn. The reasons of chess have names; every other rule set shares [`Why::Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "they are the terms of the FIDE laws, explained at `chess::WinReason` and `chess::DrawReason`"
)]
pub enum Why {
    Checkmate,
    Resignation,
    Time,
    /// The loser left the game.
    Abandonment,
    Stalemate,
    InsufficientMaterial,
    FivefoldRepetition,
    SeventyFiveMoves,
    ThreefoldRepetition,
    FiftyMoves,
    Agreement,
    TimeAgainstBareKing,
    /// The rules of a game other than chess decided it.
    Rules,
}

impl Verdict {
    /// The winner of a game that was won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Won { winner, .. } => Some(winner),
            Self::Drawn(_) | Self::Aborted | Self::Abandoned => None,
        }
    }

    /// Why it was won or drawn; nothing if it has no result.
    #[must_use]
    pub const fn why(self) -> Option<Why> {
        match self {
            Self::Won { why, .. } | Self::Drawn(why) => Some(why),
            Self::Aborted | Self::Abandoned => None,
        }
    }

    /// The result as PGN writes it.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            Self::Won { winner: Color::White, .. } => "1-0",
            Self::Won { winner: Color::Black, .. } => "0-1",
            Self::Drawn(_) => "1/2-1/2",
            Self::Aborted | Self::Abandoned => "*",
        }
    }

    /// Whether it follows from the plies alone, without a word of the players, a clock or a claim.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        matches!(
            self.why(),
            Some(
                Why::Checkmate
                    | Why::Stalemate
                    | Why::InsufficientMaterial
                    | Why::FivefoldRepetition
                    | Why::SeventyFiveMoves
                    | Why::Rules
            )
        )
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win { winner, by } => {
                let why = match by {
                    WinReason::Checkmate => Why::Checkmate,
                    WinReason::Resignation => Why::Resignation,
                    WinReason::Time => Why::Time,
                    WinReason::Abandonment => Why::Abandonment,
                };
                Self::Won { winner, why }
            }
            Outcome::Draw(reason) => Self::Drawn(match reason {
                DrawReason::Stalemate => Why::Stalemate,
                DrawReason::InsufficientMaterial => Why::InsufficientMaterial,
                DrawReason::FivefoldRepetition => Why::FivefoldRepetition,
                DrawReason::SeventyFiveMoves => Why::SeventyFiveMoves,
                DrawReason::ThreefoldRepetition => Why::ThreefoldRepetition,
                DrawReason::FiftyMoves => Why::FiftyMoves,
                DrawReason::Agreement => Why::Agreement,
                DrawReason::TimeAgainstBareKing => Why::TimeAgainstBareKing,
            }),
            Outcome::Aborted => Self::Aborted,
        }
    }
}

impl Verdict {
    /// The same as an outcome of chess, if a game of chess can end like this.
    #[must_use]
    pub const fn outcome(self) -> Option<Outcome> {
        Some(match self {
            Self::Won { winner, why } => {
                let by = match why {
                    Why::Checkmate => WinReason::Checkmate,
                    Why::Resignation => WinReason::Resignation,
                    Why::Time => WinReason::Time,
                    Why::Abandonment => WinReason::Abandonment,
                    _ => return None,
                };
                Outcome::Win { winner, by }
            }
            Self::Drawn(why) => Outcome::Draw(match why {
                Why::Stalemate => DrawReason::Stalemate,
                Why::InsufficientMaterial => DrawReason::InsufficientMaterial,
                Why::FivefoldRepetition => DrawReason::FivefoldRepetition,
                Why::SeventyFiveMoves => DrawReason::SeventyFiveMoves,
                Why::ThreefoldRepetition => DrawReason::ThreefoldRepetition,
                Why::FiftyMoves => DrawReason::FiftyMoves,
                Why::Agreement => DrawReason::Agreement,
                Why::TimeAgainstBareKing => DrawReason::TimeAgainstBareKing,
                _ => return None,
            }),
            Self::Aborted | Self::Abandoned => Outcome::Aborted,
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.outcome()) {
            (Self::Aborted, _) => f.write_str("aborted"),
            (Self::Abandoned, _) => f.write_str("both players left"),
            (Self::Won { winner, why: Why::Abandonment }, _) => {
                write!(f, "{winner} wins because the other player left")
            }
            (_, Some(outcome)) => outcome.fmt(f),
            (Self::Won { winner, .. }, None) => write!(f, "{winner} wins by the rules of the game"),
            (Self::Drawn(_), None) => f.write_str("draw by the rules of the game"),
        }
    }
}
