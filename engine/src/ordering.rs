//! Move ordering: hash move, captures by victim, killers, counter move, history.

use chess::{Move, Piece, Position, Role};

use crate::masked::Masked;
use crate::memory::{NO_MOVE, Scored, SearchFrame};

/// Scores of the classes of moves. Captures that lose material are moved behind the quiet moves when they are taken.
pub(crate) const HASH_MOVE: i16 = 32_000;
pub(crate) const CAPTURE: i16 = 20_000;
pub(crate) const KILLER: i16 = 15_000;
pub(crate) const COUNTER: i16 = 14_000;
pub(crate) const BAD_CAPTURE: i16 = -20_000;
/// No capture or promotion is placed further above [`CAPTURE`] than this; hash and root moves are.
pub(crate) const MOST_VICTIM: i16 = 1_000;
/// Limit of the history scores, far from the other classes.
const HISTORY_LIMIT: i32 = 8_000;

/// How well quiet moves did in other nodes.
pub(crate) struct History {
    /// By piece and target square.
    scores: Masked<i16, 1024>,
    /// The move that refuted a move, by piece and target square of that.
    counters: Masked<Move, 1024>,
}

fn index(piece: Piece, mv: Move) -> usize {
    (piece as usize) << 6 | usize::from(mv.to().index())
}

impl History {
    pub(crate) const fn new() -> Self {
        Self { scores: Masked::new([0; 1024]), counters: Masked::new([NO_MOVE; 1024]) }
    }

    pub(crate) fn clear(&mut self) {
        self.scores.iter_mut().for_each(|score| *score = 0);
        self.counters.iter_mut().for_each(|mv| *mv = NO_MOVE);
    }

    /// Halves all scores, so that the last search counts less than the present one.
    pub(crate) fn fade(&mut self) {
        self.scores.iter_mut().for_each(|score| *score /= 2);
    }

    /// Moves the score of a quiet move towards the limit, by less the nearer it is.
    pub(crate) fn update(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(piece) = position.piece_at(mv.from()) {
            let score = &mut self.scores[index(piece, mv)];
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
        }
    }

    /// The refutation of the move that led to this position.
    pub(crate) fn counter(&self, position: &Position, last: Move) -> Move {
        position.piece_at(last.to()).map_or(NO_MOVE, |piece| self.counters[index(piece, last)])
    }

    pub(crate) fn set_counter(&mut self, position: &Position, last: Move, refutation: Move) {
        if let Some(piece) = position.piece_at(last.to()) {
            self.counters[index(piece, last)] = refutation;
        }
    }

    /// A quiet move of a piece with its place in the order of a node.
    #[inline]
    pub(crate) fn place_quiet(&self, frame: &SearchFrame, counter: Move, piece: Piece, mv: Move) -> Scored {
        let score = if mv == frame.hash_move {
            HASH_MOVE
        } else if mv == frame.killers[0] {
            KILLER
        } else if mv == frame.killers[1] {
            KILLER - 1
        } else if mv == counter {
            COUNTER
        } else {
            self.scores[index(piece, mv)]
        };
        Scored { mv, score }
    }

    /// A capture or a promotion with its place in the order of a node.
    #[inline]
    pub(crate) fn place_capture(frame: &SearchFrame, mv: Move) -> Scored {
        let score = if mv == frame.hash_move { HASH_MOVE } else { place_of_capture(&frame.position, mv) };
        Scored { mv, score }
    }
}

/// Whether a place in the order is one of a quiet move without a name of its own: no hash move, killer or counter move.
#[inline]
pub(crate) fn is_quiet_place(score: i16) -> bool {
    i32::from(score).abs() <= HISTORY_LIMIT
}

/// Whether a move captures, or promotes to a queen. A promotion to another piece is neither tactical nor often good.
#[inline]
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    position.piece_at(mv.to()).is_some()
        || mv.promotion() == Some(chess::Promotion::Queen)
        || position.en_passant() == Some(mv.to())
            && position.piece_at(mv.from()).is_some_and(|piece| piece.role() == Role::Pawn)
}

/// The most valuable victim first, taken by the least valuable attacker.
#[inline]
pub(crate) fn place_of_capture(position: &Position, mv: Move) -> i16 {
    let role = |square| position.piece_at(square).map_or(0, |piece| piece.role() as i16);
    let promotion = mv.promotion().map_or(0, |promotion| promotion as i16);
    CAPTURE + 16 * (role(mv.to()) + promotion) - role(mv.from())
}
