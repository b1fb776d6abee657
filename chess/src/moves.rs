use core::fmt;
use core::ops::Deref;

use crate::piece::Promotion;
use crate::square::Square;

/// A move as in UCI: start square, target square and promotion. Castling is the king's move.
///
/// Two bytes: the start square in bits 0 to 5, the target square in bits 6 to 11, the promotion in bits 12 to 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The move between these squares, with no promotion.
    #[must_use]
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The same move with this promotion, or with none.
    #[must_use]
    #[inline]
    pub const fn promoting(self, promotion: Option<Promotion>) -> Self {
        let tag = match promotion {
            Some(promotion) => promotion as u16,
            None => 0,
        };
        Self(self.0 & 0xfff | tag << 12)
    }

    /// The move with these two bytes. A number from 5 on in place of the promotion is kept, and is no promotion: other rules
    /// write their moves on a scoresheet of chess.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[expect(missing_docs, reason = "the layout of the bits is documented at the type")]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The start square.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as u8)
    }

    /// The target square.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as u8)
    }

    /// The promotion of a pawn.
    #[must_use]
    #[inline]
    pub const fn promotion(self) -> Option<Promotion> {
        match self.0 >> 12 {
            1 => Some(Promotion::Knight),
            2 => Some(Promotion::Bishop),
            3 => Some(Promotion::Rook),
            4 => Some(Promotion::Queen),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Greatest number of legal moves in any position.
///
/// This holds for all positions that [`Setup`](crate::Setup) accepts, because it limits promoted pieces to eight a side.
pub const MAX_LEGAL_MOVES: usize = 218;

/// A list of moves in fixed memory.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_LEGAL_MOVES],
    len: usize,
}

impl MoveList {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { moves: [Move(0); MAX_LEGAL_MOVES], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// The moves as a slice.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        self.moves.get(..self.len).unwrap_or(&self.moves)
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_round_trip_their_parts() {
        for from in Square::all() {
            for to in Square::all() {
                for promotion in [None].into_iter().chain(Promotion::ALL.map(Some)) {
                    let mv = Move::new(from, to).promoting(promotion);
                    assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, promotion));
                    assert_eq!(Move::from_bits(mv.bits()), mv);
                }
            }
        }
        assert_eq!(size_of::<Move>(), 2);
    }
}
