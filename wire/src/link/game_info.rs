use core::fmt;

use arrayvec::ArrayString;
use chess::{Bitboard, Color};
use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::message::ReadError;

/// The longest name of a player, in bytes.
pub const MAX_NAME: usize = 32;

/// The name of a player, at most [`MAX_NAME`] bytes of UTF-8; empty if it is not known.
pub type Name = ArrayString<MAX_NAME>;

/// Metadata of a game: everything but its plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Identifies the game, so that both sides know whether they speak of the same one. 0 is a game that only the board knows.
    pub game: u64,
    /// Which side is played at the board.
    pub seat: Seat,
    /// Whether the board shows where a lifted piece can go.
    pub hints: bool,
    /// The time control, if there is one.
    pub clock: Option<ClockRule>,
    /// How the game ended, if it has. The encoded game has no place for a resignation, an agreement or a flag.
    pub verdict: Option<Verdict>,
    #[expect(missing_docs, reason = "the name of the player of that side")]
    pub white: Name,
    #[expect(missing_docs, reason = "the name of the player of that side")]
    pub black: Name,
}

impl GameInfo {
    /// Two unnamed players at one board.
    pub const LOCAL: Self = Self {
        game: 0,
        seat: Seat::Both,
        hints: true,
        clock: None,
        verdict: None,
        white: ArrayString::new_const(),
        black: ArrayString::new_const(),
    };
}

/// As much of a text as fits into a name.
#[must_use]
pub fn clipped_name(text: &str) -> Name {
    let clipped = text.get(..text.floor_char_boundary(MAX_NAME)).unwrap_or_default();
    Name::from(clipped).unwrap_or_default()
}

/// Which side is played at the board. The plies of the other side come over the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    #[expect(missing_docs, reason = "the side itself")]
    White,
    #[expect(missing_docs, reason = "the side itself")]
    Black,
    /// Both sides share the board.
    Both,
    /// No side: the board shows a game that is played elsewhere.
    Neither,
}

impl Seat {
    /// Whether this side is played at the board.
    #[must_use]
    pub const fn has(self, color: Color) -> bool {
        match self {
            Self::White => matches!(color, Color::White),
            Self::Black => matches!(color, Color::Black),
            Self::Both => true,
            Self::Neither => false,
        }
    }

    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Black => 1,
            Self::Both => 2,
            Self::Neither => 3,
        }
    }

    pub(crate) const fn from_code(code: u8) -> Result<Self, ReadError> {
        match code {
            0 => Ok(Self::White),
            1 => Ok(Self::Black),
            2 => Ok(Self::Both),
            3 => Ok(Self::Neither),
            _ => Err(ReadError::Seat(code)),
        }
    }
}

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRule {
    /// The time of each player at the start, in milliseconds.
    pub base_ms: u32,
    /// The increment per move, in milliseconds.
    pub increment_ms: u32,
}

/// The times on both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// White's remaining time.
    pub white_ms: u32,
    /// Black's remaining time.
    pub black_ms: u32,
    /// Whose clock runs, if one does.
    pub running: Option<Color>,
}

/// The clocks and the opponent's presence at this moment. Only the latest one counts, so it has no sequence number and is
/// not resent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    /// The clocks, if there are any.
    pub clocks: Option<Clocks>,
    /// Whether the opponent is connected.
    pub opponent: bool,
    /// Whether the opponent offers a rematch. Only a board with [`features::REMATCH`](super::features::REMATCH) is told.
    pub rematch: bool,
}

/// A game that is offered to the player at the board. Only the latest one counts, so it has no sequence number and is not resent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Identifies it in the answer.
    pub number: u32,
    /// The side that the player at the board would play.
    pub color: Color,
    /// The time control, if there is one.
    pub clock: Option<ClockRule>,
    /// The name of the challenger.
    pub name: Name,
}

/// The state of the reed switches at this moment, for spectators. Only the latest one counts, so it has no sequence number
/// and is not resent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Squares with a piece on them.
    pub occupied: Bitboard,
    /// Squares whose piece is in the air.
    pub in_hand: Bitboard,
    /// Squares that do not match the game.
    pub misplaced: Bitboard,
}

/// On one line, where three drawn boards would take twenty-four.
impl fmt::Debug for Occupancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { occupied, in_hand, misplaced } = self;
        write!(
            f,
            "Occupancy {{ occupied: {:#x}, in_hand: {:#x}, misplaced: {:#x} }}",
            occupied.0, in_hand.0, misplaced.0
        )
    }
}
