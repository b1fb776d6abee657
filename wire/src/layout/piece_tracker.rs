use chess::{Bitboard, CastlingSide, Move, Piece, Position, Role, Square};

use super::MAX_CAPTURED;
use super::tracked_piece::TrackedPiece;

/// Tracks which pieces have moved and which were captured, which a position alone does not show.
///
/// Encoder and decoder both update it move by move, so both derive the header in the same way.
#[derive(Clone, Debug)]
pub(super) struct PieceTracker {
    /// Squares of the pieces that have moved. An empty square is never in this set.
    moved: Bitboard,
    /// Captured pieces in order; the first `captured_len` are `Some`.
    captured: [Option<TrackedPiece>; MAX_CAPTURED],
    captured_len: usize,
}

impl PieceTracker {
    /// The tracker for the position in which a game begins.
    ///
    /// A piece counts as unmoved if the start position of chess has the same piece on its square. Kings and rooks must
    /// also agree with the castling rights, because a right exists exactly while neither its king nor its rook has
    /// moved: a rook counts as unmoved only with its right, a king only with at least one of its two rights.
    pub(super) fn of_start(start: &Position) -> Self {
        let has_moved = |&square: &Square| match start.piece_at(square) {
            None => false,
            Some(piece) if !is_home(piece, square) => true,
            Some(piece) => {
                let right = |side| start.castling().has(piece.color(), side);
                match piece.role() {
                    Role::King => !CastlingSide::ALL.into_iter().any(right),
                    Role::Rook => !right(rook_side(square)),
                    _ => false,
                }
            }
        };
        Self::without_captures(Square::all().filter(has_moved).collect())
    }

    /// A tracker without captures, in which the pieces on these squares have moved.
    pub(super) const fn without_captures(moved: Bitboard) -> Self {
        Self { moved, captured: [None; MAX_CAPTURED], captured_len: 0 }
    }

    /// Updates the tracker with a legal move; `position` is the one before the move.
    pub(super) fn apply(&mut self, position: &Position, mv: Move) {
        if let Some(square) = position.victim(mv) {
            if let Some(piece) = self.piece(position, square) {
                self.capture(piece);
            }
            self.moved = self.moved.without(square.into());
        }
        self.shift(mv.from(), mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.shift(from, to);
        }
    }

    fn shift(&mut self, from: Square, to: Square) {
        self.moved = self.moved.without(from.into()) | to.into();
    }

    /// Appends a captured piece. The list has room for every piece that is not a king.
    pub(super) fn capture(&mut self, piece: TrackedPiece) {
        if let Some(slot) = self.captured.get_mut(self.captured_len) {
            *slot = Some(piece);
            self.captured_len = self.captured_len.saturating_add(1);
        }
    }

    /// The piece on a square; `position` is the one that the tracker was last updated to.
    pub(super) fn piece(&self, position: &Position, square: Square) -> Option<TrackedPiece> {
        position.piece_at(square).map(|piece| TrackedPiece { piece, moved: self.moved.has(square) })
    }

    /// Captured pieces in order.
    pub(super) fn captured(&self) -> impl Iterator<Item = TrackedPiece> + Clone {
        self.captured.into_iter().flatten()
    }
}

/// Whether the start position of chess has this piece on this square.
pub(super) fn is_home(piece: Piece, square: Square) -> bool {
    Position::start().piece_at(square) == Some(piece)
}

/// The castling side of the rook that starts on this square.
pub(super) const fn rook_side(home: Square) -> CastlingSide {
    match home {
        Square::A1 | Square::A8 => CastlingSide::Queen,
        _ => CastlingSide::King,
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn follow(moves: &str) -> (Position, PieceTracker) {
        let mut position = Position::start();
        let mut tracker = PieceTracker::of_start(&position);
        for text in moves.split_whitespace() {
            let mv = text.parse().expect(text);
            tracker.apply(&position, mv);
            position = position.play(mv).expect(text);
        }
        (position, tracker)
    }

    fn squares(set: Bitboard) -> Vec<Square> {
        set.squares().collect()
    }

    #[test]
    fn no_piece_has_moved_in_the_start_position() {
        assert!(PieceTracker::of_start(&Position::start()).moved.is_empty());
    }

    #[test]
    fn castling_moves_the_rook_as_well() {
        let (_, tracker) = follow("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1");
        let white = tracker.moved & Bitboard(0xffff_ffff);
        assert_eq!(squares(white), [Square::F1, Square::G1, Square::F3, Square::C4, Square::E4]);
    }

    #[test]
    fn an_en_passant_capture_removes_the_pawn_and_lists_it() {
        let (position, tracker) = follow("e2e4 a7a6 e4e5 d7d5 e5d6");
        let taken = TrackedPiece { piece: Piece::BlackPawn, moved: true };
        assert!(tracker.captured().eq([taken]));
        assert_eq!(tracker.piece(&position, Square::D5), None);
        assert_eq!(squares(tracker.moved), [Square::A6, Square::D6]);
    }

    #[test]
    fn a_captured_piece_keeps_its_moved_flag() {
        let (_, tracker) = follow("e2e4 d7d5 e4d5 d8d5 b1c3 d5a2 a1a2");
        let flags: Vec<(Piece, bool)> = tracker.captured().map(|captured| (captured.piece, captured.moved)).collect();
        let expected =
            [(Piece::BlackPawn, true), (Piece::WhitePawn, true), (Piece::WhitePawn, false), (Piece::BlackQueen, true)];
        assert_eq!(flags, expected);
    }

    #[test]
    fn moved_flags_of_a_set_up_position_agree_with_its_castling_rights() {
        for (fen, moved) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[][..]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", &[Square::A1]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", &[Square::A1, Square::E1, Square::H1]),
            ("4k3/pP6/8/8/8/8/Pp6/4K3 w - - 0 1", &[Square::E1, Square::B2, Square::B7, Square::E8]),
            ("1q2k3/8/8/8/8/8/8/1N2K1Q1 w - - 0 1", &[Square::E1, Square::G1, Square::B8, Square::E8]),
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(squares(PieceTracker::of_start(&position).moved), moved, "{fen}");
        }
    }
}
