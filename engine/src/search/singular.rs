//! Singular extension: a hash move without which the node is clearly worse is searched a ply deeper.
//!
//! The node is first searched in its own frame without the hash move, with a window below the score of the table, and then again
//! with all its moves.

use super::Search;
use crate::memory::{NO_MOVE, SearchFrame, Whole};
use crate::score::{INFINITE, MATE_BOUND};
use crate::table::{Bound, Found};

/// There is no question about the hash move.
pub(super) const NOT_ASKED: i16 = i16::MAX;
/// Below this depth the search without the hash move would be too shallow to be reliable.
const DEPTH: i32 = 8;
/// A result that is shallower than the node by more than this does not say which move is best.
const SHALLOWER: i32 = 3;
/// Centipawns for each ply of depth that the other moves must stay below the score of the hash move.
const MARGIN: i32 = 2;

impl Search<'_> {
    /// Notes whether the hash move of this result is worth the question.
    pub(super) fn consider_singular(&mut self, found: Found) {
        let ply = self.ply;
        let frame = &mut self.memory.frames[ply];
        if frame.depth >= DEPTH
            && (ply as i32) < 2 * self.root_depth
            && found.depth >= frame.depth - SHALLOWER
            && found.bound != Bound::Upper
            && found.mv != NO_MOVE
            && found.score.abs() < MATE_BOUND
        {
            frame.singular = (found.score - MARGIN * frame.depth) as i16;
        }
    }

    /// Begins the search of the node without its hash move.
    pub(super) fn exclude_hash_move(&mut self) {
        let frame = &mut self.memory.frames[self.ply];
        let SearchFrame { alpha, beta, depth, is_pv, .. } = *frame;
        frame.whole = Whole { alpha: alpha as i16, beta: beta as i16, depth: depth as i8, is_pv };
        let bound = i32::from(frame.singular);
        (frame.alpha, frame.beta, frame.depth, frame.is_pv) = (bound - 1, bound, (depth - 1) / 2, false);
        frame.excluded = frame.hash_move;
        self.list_moves();
    }

    /// Uses the value of the other moves: extends the hash move, or ends the node, since several moves are better than beta.
    pub(super) fn search_with_hash_move(&mut self) {
        let frame = &mut self.memory.frames[self.ply];
        let (best, bound) = (frame.best, i32::from(frame.singular));
        let Whole { alpha, beta, depth, is_pv } = frame.whole;
        let (alpha, beta, depth) = (i32::from(alpha), i32::from(beta), i32::from(depth));
        (frame.alpha, frame.beta, frame.depth, frame.is_pv) = (alpha, beta, depth, is_pv);
        frame.excluded = NO_MOVE;
        frame.singular = NOT_ASKED;
        frame.best = -INFINITE;
        frame.best_move = NO_MOVE;
        frame.searched = 0;
        frame.quiets = 0;
        frame.has_only_checks = false;
        if best < bound {
            frame.extension = 1;
        } else if bound >= beta && !is_pv {
            return self.give(bound);
        } else if bound + MARGIN * depth >= beta {
            // Another move may be as good: the hash move deserves no more than its depth.
            frame.extension = -1;
        }
        self.begin_moves();
    }
}
