use core::fmt;

use chess::{Bitboard, Color, Outcome};
use serde::{Deserialize, Serialize};

use super::message::ReadError;

/// No name is longer than this, in bytes.
pub const MAX_NAME: usize = 32;

/// What there is to know of a game beside its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table<'a> {
    /// Which game it is, so that both sides know whether they speak of the same one. 0 is no game.
    pub game: u64,
    /// Whose hands move the pieces at the board.
    pub seat: Seat,
    /// Whether the board may show where a piece can go.
    pub hints: bool,
    /// How the players' time is counted, if it is.
    pub clock: Option<ClockRule>,
    /// How the game ended, if it has. The bytes of a game have no place for a resignation, an agreement or a flag.
    pub outcome: Option<Outcome>,
    /// Who plays White; empty if nobody knows.
    pub white: &'a str,
    /// Who plays Black; empty if nobody knows.
    pub black: &'a str,
}

impl Table<'_> {
    /// Two people at one board, of whom nothing is known.
    pub const LOCAL: Table<'static> =
        Table { game: 0, seat: Seat::Both, hints: true, clock: None, outcome: None, white: "", black: "" };
}

/// Whose hands move the pieces at the board. The moves of the others come over the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// White sits at the board.
    White,
    /// Black sits at the board.
    Black,
    /// Both do.
    Both,
    /// Nobody does: the board only follows.
    Nobody,
}

impl Seat {
    /// Whether the hands at the board move this side's pieces.
    #[must_use]
    pub const fn has(self, color: Color) -> bool {
        match self {
            Self::White => matches!(color, Color::White),
            Self::Black => matches!(color, Color::Black),
            Self::Both => true,
            Self::Nobody => false,
        }
    }

    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Black => 1,
            Self::Both => 2,
            Self::Nobody => 3,
        }
    }

    pub(crate) const fn from_code(code: u8) -> Result<Self, ReadError> {
        match code {
            0 => Ok(Self::White),
            1 => Ok(Self::Black),
            2 => Ok(Self::Both),
            3 => Ok(Self::Nobody),
            _ => Err(ReadError::Seat(code)),
        }
    }
}

/// How the players' time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRule {
    /// What each player has at the beginning, in milliseconds.
    pub base_ms: u32,
    /// What a player gets for each move, in milliseconds.
    pub increment_ms: u32,
}

/// What the clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// What White has left, in milliseconds.
    pub white_ms: u32,
    /// What Black has left, in milliseconds.
    pub black_ms: u32,
    /// Whose clock runs, if one does.
    pub running: Option<Color>,
}

/// What the table looks like from the relay at this moment. Only the last one counts, so it has no number, and it is no
/// loss if one is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    /// The clocks, if there are any.
    pub clocks: Option<Clocks>,
    /// Whether the opponent is there.
    pub opponent: bool,
}

/// What the wood looks like at this moment, for those who watch from afar. Only the last one counts, so it has no
/// number, and it is no loss if one is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wood {
    /// The squares on which something stands.
    pub occupied: Bitboard,
    /// The squares whose pieces are in somebody's hand.
    pub in_hand: Bitboard,
    /// The squares on which something is wrong.
    pub astray: Bitboard,
}

/// On one line, where three boards would take twenty-four.
impl fmt::Debug for Wood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { occupied, in_hand, astray } = self;
        write!(f, "Wood {{ occupied: {:#x}, in_hand: {:#x}, astray: {:#x} }}", occupied.0, in_hand.0, astray.0)
    }
}
