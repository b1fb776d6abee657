use core::iter::FusedIterator;

use chess::{Color, Piece, Role};

/// A piece with its moved flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrackedPiece {
    /// Kind and colour.
    pub piece: Piece,
    /// Whether it has ever moved. This is true for a promoted piece and for a rook that castled.
    pub moved: bool,
}

/// Added to the byte of a piece that has moved.
const MOVED: u8 = 6;
/// Added to the byte of a black piece.
const BLACK: u8 = 12;

impl TrackedPiece {
    /// Decodes a byte; `None` for 0 and for values above 24.
    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        let (color, byte) = match byte.checked_sub(BLACK) {
            Some(rest @ 1..) => (Color::Black, rest),
            _ => (Color::White, byte),
        };
        let (moved, byte) = match byte.checked_sub(MOVED) {
            Some(rest @ 1..) => (true, rest),
            _ => (false, byte),
        };
        let role = match byte {
            1 => Role::Pawn,
            2 => Role::Bishop,
            3 => Role::Knight,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => return None,
        };
        Some(Self { piece: Piece::new(color, role), moved })
    }

    /// Encodes the piece as a byte, 1 to 24.
    pub(super) const fn byte(self) -> u8 {
        let role: u8 = match self.piece.role() {
            Role::Pawn => 1,
            Role::Bishop => 2,
            Role::Knight => 3,
            Role::Rook => 4,
            Role::Queen => 5,
            Role::King => 6,
        };
        let moved = if self.moved { MOVED } else { 0 };
        let black = match self.piece.color() {
            Color::White => 0,
            Color::Black => BLACK,
        };
        // At most 6 + 6 + 12.
        role.saturating_add(moved).saturating_add(black)
    }
}

/// Iterator over the captured pieces of a [`StateView`](super::StateView), in order.
#[derive(Clone, Debug)]
pub struct CapturedPieces<'a>(core::slice::Iter<'a, u8>);

impl<'a> CapturedPieces<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.iter())
    }
}

impl Iterator for CapturedPieces<'_> {
    type Item = TrackedPiece;

    fn next(&mut self) -> Option<TrackedPiece> {
        self.0.next().copied().and_then(TrackedPiece::from_byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for CapturedPieces<'_> {}
impl FusedIterator for CapturedPieces<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_1_to_24_round_trip_and_no_other_byte_is_a_piece() {
        for byte in 1..=24 {
            assert_eq!(TrackedPiece::from_byte(byte).map(TrackedPiece::byte), Some(byte));
        }
        assert_eq!(TrackedPiece::from_byte(0), None);
        for byte in 25..=255 {
            assert_eq!(TrackedPiece::from_byte(byte), None);
        }
    }

    /// The decoding steps of the document: black is above 12, moved is above 6.
    #[test]
    fn a_byte_is_the_sum_of_type_moved_and_black() {
        for (byte, piece, moved) in [
            (1, Piece::WhitePawn, false),
            (6, Piece::WhiteKing, false),
            (7, Piece::WhitePawn, true),
            (9, Piece::WhiteKnight, true),
            (12, Piece::WhiteKing, true),
            (13, Piece::BlackPawn, false),
            (14, Piece::BlackBishop, false),
            (18, Piece::BlackKing, false),
            (19, Piece::BlackPawn, true),
            (24, Piece::BlackKing, true),
        ] {
            assert_eq!(TrackedPiece::from_byte(byte), Some(TrackedPiece { piece, moved }));
        }
    }
}
