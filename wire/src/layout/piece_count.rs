use chess::{Color, Piece, Role, SetupError, Square};

use super::decode_error::DecodeErrorKind;

/// Counts the pieces of one side, on the board and captured, to reject more pieces than promotions can explain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PieceCount {
    kings: u8,
    pawns: u8,
    knights: u8,
    light_bishops: u8,
    dark_bishops: u8,
    /// Captured bishops: the colour of their squares is unknown.
    captured_bishops: u8,
    rooks: u8,
    queens: u8,
}

impl PieceCount {
    /// Adds a piece on its square, or a captured piece (`None`). Fails if one side cannot have that many.
    pub(super) fn add(&mut self, piece: Piece, square: Option<Square>) -> Result<(), DecodeErrorKind> {
        let color = piece.color();
        let count = match (piece.role(), square) {
            (Role::King, _) => &mut self.kings,
            (Role::Pawn, _) => &mut self.pawns,
            (Role::Knight, _) => &mut self.knights,
            (Role::Bishop, None) => &mut self.captured_bishops,
            (Role::Bishop, Some(square)) if square.is_light() => &mut self.light_bishops,
            (Role::Bishop, Some(_)) => &mut self.dark_bishops,
            (Role::Rook, _) => &mut self.rooks,
            (Role::Queen, _) => &mut self.queens,
        };
        *count = count.saturating_add(1);
        if self.kings > 1 {
            Err(DecodeErrorKind::SetUp(SetupError::SeveralKings(color)))
        } else if self.pawns_and_promoted() > 8 {
            Err(DecodeErrorKind::SetUp(SetupError::TooManyPieces(color)))
        } else {
            Ok(())
        }
    }

    /// Number of pawns and promoted pieces. A piece beyond those of the start position is a promoted one.
    ///
    /// If this is at most eight, the side has at most sixteen pieces in all.
    fn pawns_and_promoted(self) -> u8 {
        // A captured bishop may be an original bishop that is missing on the board.
        let missing_bishops = [self.light_bishops, self.dark_bishops]
            .map(|count| 1_u8.saturating_sub(count))
            .into_iter()
            .fold(0, u8::saturating_add);
        [
            self.pawns,
            self.knights.saturating_sub(2),
            self.light_bishops.saturating_sub(1),
            self.dark_bishops.saturating_sub(1),
            self.captured_bishops.saturating_sub(missing_bishops),
            self.rooks.saturating_sub(2),
            self.queens.saturating_sub(1),
        ]
        .into_iter()
        .fold(0, u8::saturating_add)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PieceCounts {
    white: PieceCount,
    black: PieceCount,
}

impl PieceCounts {
    pub(super) const fn of(&mut self, color: Color) -> &mut PieceCount {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
