use chess::{Bitboard, CastlingSide, Move, Piece, Position, Role, Square};

use super::MAX_CAPTURED;
use super::man::Man;

/// What a position does not show of its past: which men have moved, and which are gone.
///
/// It is kept by following the moves, in the same way for writing and for checking, so that there is one truth.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// The squares of men that have moved. An empty square is never among them.
    moved: Bitboard,
    /// The captured men in order, of which there are as many as there are.
    captured: [Option<Man>; MAX_CAPTURED],
    lost: usize,
}

impl Ledger {
    /// What can be said where nothing is known of the past: the game begins here.
    ///
    /// A man counts as unmoved where it can be: on a square on which the start position has the same man. For kings and
    /// rooks the castling rights know better, and the two must agree, since a right is there exactly while neither its
    /// king nor its rook has moved: a rook at home counts as unmoved only with its right, a king only with one of its two.
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
        Self::empty(Square::all().filter(has_moved).collect())
    }

    /// Nothing is captured yet, and the men on these squares have moved.
    pub(super) const fn empty(moved: Bitboard) -> Self {
        Self { moved, captured: [None; MAX_CAPTURED], lost: 0 }
    }

    /// Writes down what a legal move does. `position` is the one before it.
    pub(super) fn record(&mut self, position: &Position, mv: Move) {
        if let Some(square) = position.victim(mv) {
            if let Some(man) = self.man(position, square) {
                self.capture(man);
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

    /// Puts a man on the list of the captured. Only kings stay, so the list is never full before the last of them.
    pub(super) fn capture(&mut self, man: Man) {
        if let Some(slot) = self.captured.get_mut(self.lost) {
            *slot = Some(man);
            self.lost = self.lost.saturating_add(1);
        }
    }

    /// What stands on a square of the position that this belongs to.
    pub(super) fn man(&self, position: &Position, square: Square) -> Option<Man> {
        position.piece_at(square).map(|piece| Man { piece, moved: self.moved.has(square) })
    }

    /// The captured men, the first one first.
    pub(super) fn captured(&self) -> impl Iterator<Item = Man> + Clone {
        self.captured.into_iter().flatten()
    }
}

/// Whether a game starts with this piece on this square.
pub(super) fn is_home(piece: Piece, square: Square) -> bool {
    Position::start().piece_at(square) == Some(piece)
}

/// The side to which the rook castles that has its home on this square.
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

    fn follow(moves: &str) -> (Position, Ledger) {
        let mut position = Position::start();
        let mut ledger = Ledger::of_start(&position);
        for text in moves.split_whitespace() {
            let mv = text.parse().expect(text);
            ledger.record(&position, mv);
            position = position.play(mv).expect(text);
        }
        (position, ledger)
    }

    fn squares(set: Bitboard) -> Vec<Square> {
        set.squares().collect()
    }

    #[test]
    fn nobody_has_moved_at_the_start() {
        assert!(Ledger::of_start(&Position::start()).moved.is_empty());
    }

    #[test]
    fn castling_moves_the_rook_as_well() {
        let (_, ledger) = follow("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1");
        let white = ledger.moved & Bitboard(0xffff_ffff);
        assert_eq!(squares(white), [Square::F1, Square::G1, Square::F3, Square::C4, Square::E4]);
    }

    #[test]
    fn a_pawn_taken_in_passing_is_on_the_list_and_off_the_board() {
        let (position, ledger) = follow("e2e4 a7a6 e4e5 d7d5 e5d6");
        let taken = Man { piece: Piece::BlackPawn, moved: true };
        assert!(ledger.captured().eq([taken]));
        assert_eq!(ledger.man(&position, Square::D5), None);
        assert_eq!(squares(ledger.moved), [Square::A6, Square::D6]);
    }

    #[test]
    fn a_victim_keeps_the_flag_it_had() {
        let (_, ledger) = follow("e2e4 d7d5 e4d5 d8d5 b1c3 d5a2 a1a2");
        let flags: Vec<(Piece, bool)> = ledger.captured().map(|man| (man.piece, man.moved)).collect();
        let expected =
            [(Piece::BlackPawn, true), (Piece::WhitePawn, true), (Piece::WhitePawn, false), (Piece::BlackQueen, true)];
        assert_eq!(flags, expected);
    }

    #[test]
    fn flags_of_a_set_up_position_agree_with_its_rights() {
        for (fen, moved) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[][..]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", &[Square::A1]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", &[Square::A1, Square::E1, Square::H1]),
            ("4k3/pP6/8/8/8/8/Pp6/4K3 w - - 0 1", &[Square::E1, Square::B2, Square::B7, Square::E8]),
            ("1q2k3/8/8/8/8/8/8/1N2K1Q1 w - - 0 1", &[Square::E1, Square::G1, Square::B8, Square::E8]),
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(squares(Ledger::of_start(&position).moved), moved, "{fen}");
        }
    }
}
