//! The numbers of pieces where four bits are enough for one.

use chess::Piece;

/// Pieces by number, starting at 1; 0 is an empty square. The order is that of the game state.
const PIECES: [Piece; 12] = [
    Piece::WhitePawn,
    Piece::WhiteBishop,
    Piece::WhiteKnight,
    Piece::WhiteRook,
    Piece::WhiteQueen,
    Piece::WhiteKing,
    Piece::BlackPawn,
    Piece::BlackBishop,
    Piece::BlackKnight,
    Piece::BlackRook,
    Piece::BlackQueen,
    Piece::BlackKing,
];

/// The number of a piece; 0 for none.
pub(crate) fn number(piece: Option<Piece>) -> u8 {
    let index = piece.and_then(|piece| PIECES.into_iter().position(|other| other == piece));
    index.map_or(0, |index| index.saturating_add(1) as u8)
}

/// The piece of a number; `None` for 0 and for unknown numbers.
pub(crate) fn piece(number: u8) -> Option<Piece> {
    usize::from(number).checked_sub(1).and_then(|index| PIECES.get(index).copied())
}
