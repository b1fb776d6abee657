//! Piece-square sum and phase, updated with each move.

use chess::{Move, Piece, Position, Role, Square};

use super::features::SQUARE;
use super::{FULL_PHASE, Sink, Total, mirrored, sign};
use crate::score::Pair;

/// The sum of the weights of all pieces on their squares for White, with the material, and the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(super) score: Pair,
    phase: i32,
}

/// The part of a piece in the phase.
const fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

#[inline]
pub(super) fn add_square<S: Sink>(piece: Piece, square: Square, sink: &mut S) {
    sink.add(SQUARE + piece.role() as usize * 32 + mirrored(square, piece.color()), sign(piece.color()));
}

#[inline]
fn of_piece(piece: Piece, square: Square) -> Pair {
    let mut total = Total(Pair::ZERO);
    add_square(piece, square, &mut total);
    total.0
}

impl Placement {
    pub(crate) const NONE: Self = Self { score: Pair::ZERO, phase: 0 };

    /// From the whole board.
    pub(crate) fn of(position: &Position) -> Self {
        let mut placement = Self::NONE;
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                placement.score += of_piece(piece, square);
                placement.phase += phase_of(piece.role());
            }
        }
        placement
    }

    /// 24 and more in a full middlegame, 0 in a pawn endgame.
    pub(super) fn phase(self) -> i32 {
        self.phase.min(FULL_PHASE)
    }

    /// After a move, from the placement before it.
    #[inline]
    pub(crate) fn after(mut self, position: &Position, mv: Move, next: &Position) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let (Some(piece), Some(placed)) = (position.piece_at(from), next.piece_at(to)) else { return self };
        self.score += of_piece(placed, to) - of_piece(piece, from);
        if let Some(victim) = position.piece_at(to) {
            self.score -= of_piece(victim, to);
            self.phase -= phase_of(victim.role());
        }
        match piece.role() {
            Role::Pawn => {
                if position.en_passant() == Some(to) {
                    let pawn = Piece::new(!piece.color(), Role::Pawn);
                    self.score -= of_piece(pawn, Square::new(to.file(), from.rank()));
                } else if mv.promotion().is_some() {
                    self.phase += phase_of(placed.role());
                }
            }
            Role::King if from.index().abs_diff(to.index()) == 2 => {
                if let Some((rook_from, rook_to)) = position.castling_rook(mv) {
                    let rook = Piece::new(piece.color(), Role::Rook);
                    self.score += of_piece(rook, rook_to) - of_piece(rook, rook_from);
                }
            }
            _ => {}
        }
        self
    }
}

/// Adds the squares of all pieces. For the tuner.
#[cfg(feature = "tuning")]
pub(super) fn add_squares<S: Sink>(position: &Position, sink: &mut S) {
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            add_square(piece, square, sink);
        }
    }
}
