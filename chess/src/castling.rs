use core::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::square::Square;
use crate::table::Table;

/// King side or queen side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names of the sides are sufficient")]
pub enum CastlingSide {
    King = 0,
    Queen = 1,
}

impl CastlingSide {
    /// Both, the king's side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];
}

/// The castling rights of both sides: a right exists while its king and its rook have not moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self(0);
    /// All four, as a game starts.
    pub const ALL: Self = Self(0b1111);

    /// The right of one side to castle one way.
    #[must_use]
    pub const fn of(color: Color, side: CastlingSide) -> Self {
        match (color, side) {
            (Color::White, CastlingSide::King) => Self(1),
            (Color::White, CastlingSide::Queen) => Self(2),
            (Color::Black, CastlingSide::King) => Self(4),
            (Color::Black, CastlingSide::Queen) => Self(8),
        }
    }

    /// Whether this side may castle that way.
    #[must_use]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Self::of(color, side).0 != 0
    }

    /// Whether there is no right.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The union of two sets of rights.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These rights without the others.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Four bits, for hashing.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights after a move: a right is lost when its king or its rook moves, and when its rook is captured.
    #[inline]
    pub(crate) fn after_move(self, from: Square, to: Square) -> Self {
        Self(self.0 & KEPT[from] & KEPT[to])
    }
}

/// The rights that remain when a piece leaves or enters a square.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only")]
static KEPT: Table<u8> = {
    let mut kept = [0b1111; 64];
    let mut index = 0;
    while index < WAYS.len() {
        let (color, side) = WAYS[index];
        let way = Castling::of(color, side);
        let lost = CastlingRights::of(color, side).0;
        kept[way.king_from.index() as usize] &= !lost;
        kept[way.rook_from.index() as usize] &= !lost;
        index += 1;
    }
    Table(kept)
};

/// The order in which FEN writes the four.
pub(crate) const WAYS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::King),
    (Color::White, CastlingSide::Queen),
    (Color::Black, CastlingSide::King),
    (Color::Black, CastlingSide::Queen),
];

/// FEN notation: `KQkq`, or `-` for none.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for ((color, side), letter) in WAYS.into_iter().zip(["K", "Q", "k", "q"]) {
            if self.has(color, side) {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of king and rook in one of the four castling moves, and the squares that must be empty.
pub(crate) struct Castling {
    pub(crate) king_from: Square,
    pub(crate) king_to: Square,
    pub(crate) rook_from: Square,
    pub(crate) rook_to: Square,
    pub(crate) between: Bitboard,
}

impl Castling {
    #[inline]
    pub(crate) const fn of(color: Color, side: CastlingSide) -> Self {
        let home = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let (king_to, rook_from, rook_to, between) = match side {
            CastlingSide::King => (6, 7, 5, 0b0110_0000_u64),
            CastlingSide::Queen => (2, 0, 3, 0b0000_1110_u64),
        };
        Self {
            king_from: Square::from_index(home | 4),
            king_to: Square::from_index(home | king_to),
            rook_from: Square::from_index(home | rook_from),
            rook_to: Square::from_index(home | rook_to),
            between: Bitboard(between.wrapping_shl(home as u32)),
        }
    }
}
