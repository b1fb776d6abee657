use core::iter::FusedIterator;

use chess::{Color, Piece, Role};

/// A piece or a pawn, with the one thing the bytes say of its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// What it is, and whose.
    pub piece: Piece,
    /// Whether it has ever moved. A promoted piece has, and so has a rook that castled.
    pub moved: bool,
}

/// What is added to the type of a man that has moved.
const MOVED: u8 = 6;
/// What is added to the type of a black man.
const BLACK: u8 = 12;

impl Man {
    /// The man that this byte stands for; 0 and everything above 24 stand for none.
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

    /// The byte that stands for this man, 1 to 24.
    pub(super) const fn byte(self) -> u8 {
        let kind: u8 = match self.piece.role() {
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
        kind.saturating_add(moved).saturating_add(black)
    }
}

/// The captured men of a [`State`](super::State), the first one first.
#[derive(Clone, Debug)]
pub struct Captured<'a>(core::slice::Iter<'a, u8>);

impl<'a> Captured<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.iter())
    }
}

impl Iterator for Captured<'_> {
    type Item = Man;

    fn next(&mut self) -> Option<Man> {
        self.0.next().copied().and_then(Man::from_byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Captured<'_> {}
impl FusedIterator for Captured<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_24_men_are_the_bytes_1_to_24() {
        for byte in 1..=24 {
            assert_eq!(Man::from_byte(byte).map(Man::byte), Some(byte));
        }
        assert_eq!(Man::from_byte(0), None);
        for byte in 25..=255 {
            assert_eq!(Man::from_byte(byte), None);
        }
    }

    /// As the decoding steps of the document have it: black is above 12, moved is above 6.
    #[test]
    fn a_byte_is_type_and_moved_and_black() {
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
            assert_eq!(Man::from_byte(byte), Some(Man { piece, moved }));
        }
    }
}
