//! Taking the next move of a node: pruning of moves, extensions and reductions.

use chess::Move;

use super::Search;
use super::checks::Checks;
use crate::memory::{Child, NO_MOVE, Scored};
use crate::ordering::{BAD_CAPTURE, CAPTURE, COUNTER, HASH_MOVE, MOST_VICTIM, is_tactical};
use crate::score::{INFINITE, MATE_BOUND};
use crate::{see, zobrist};

/// Sixteen times the natural logarithm, for the depth of reductions.
static LOGARITHM: [u8; 64] = [
    0, 0, 11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 49, 50, 51, 52, 52, 53, 53,
    54, 54, 55, 55, 56, 56, 57, 57, 58, 58, 59, 59, 59, 60, 60, 61, 61, 61, 62, 62, 62, 63, 63, 63, 64, 64, 64, 64, 65,
    65, 65, 66, 66, 66, 66,
];

fn logarithm(number: i32) -> i32 {
    LOGARITHM.get(number.clamp(0, 63) as usize).copied().map_or(0, i32::from)
}

/// Plies that a late move is searched less deep.
fn reduction(depth: i32, searched: i32) -> i32 {
    (logarithm(depth) * logarithm(searched) + 180) / 540
}

impl Search<'_> {
    /// Plays a move on the frame below.
    pub(super) fn play(&mut self, mv: Move) {
        if let Some((frame, below)) = self.memory.frames.pair(self.ply) {
            frame.mv = mv;
            frame.position.after_into(mv, &mut below.position);
            below.key = zobrist::key_after(frame.key, &frame.position, mv, &below.position);
            below.placement = frame.placement.after(&frame.position, mv, &below.position);
            below.checkers = below.position.checkers();
        }
    }

    /// Whether a weak level does not see this move, below the root.
    pub(super) fn overlooks(&self, mv: Move) -> bool {
        if self.ply == 0 {
            return false;
        }
        let frame = &self.memory.frames[self.ply];
        let last = self.memory.frames[self.ply - 1].mv;
        self.blindness.overlooks(&frame.position, frame.key, mv, last)
    }

    /// Takes the next move of a node, or ends the node.
    pub(super) fn next_move(&mut self) {
        let ply = self.ply;
        if self.memory.frames[ply].is_quiescence {
            return self.next_quiescence_move();
        }
        loop {
            let frame = &mut self.memory.frames[ply];
            if frame.next >= frame.end {
                return self.finish();
            }
            let Scored { mv, score } = self.memory.moves.pick(frame.next, frame.end);
            let is_tactical_move = is_tactical(&frame.position, mv);
            let is_good_capture = is_tactical_move && score > COUNTER;
            if is_good_capture && score <= CAPTURE + MOST_VICTIM && !see::wins_at_least(&frame.position, mv, 0) {
                // A losing capture is tried after the quiet moves.
                self.memory.moves.set(frame.next, Scored { mv, score: BAD_CAPTURE + score - CAPTURE });
                continue;
            }
            frame.next += 1;
            if ply > 0 {
                let may_prune = frame.best > -MATE_BOUND && !frame.is_check();
                if may_prune && self.prunes(mv, score, is_tactical_move)
                    || self.blindness.overlooks_any() && self.overlooks(mv)
                {
                    let taken = self.memory.frames[ply].next - 1;
                    self.memory.moves.set(taken, Scored { mv: NO_MOVE, score });
                    continue;
                }
            }
            return self.search_move(mv, score, is_tactical_move);
        }
    }

    /// Whether a move is too unlikely to raise alpha to be searched.
    fn prunes(&mut self, mv: Move, score: i16, is_tactical_move: bool) -> bool {
        let is_improving = self.is_improving();
        let frame = &mut self.memory.frames[self.ply];
        let depth = frame.depth;
        if is_tactical_move {
            return score < 0 && depth <= 5 && !see::wins_at_least(&frame.position, mv, -90 * depth);
        }
        if score >= COUNTER {
            return false;
        }
        let limit = (3 + depth * depth) / if is_improving { 1 } else { 2 };
        let is_late = depth <= 7 && i32::from(frame.quiets) >= limit && !frame.is_pv;
        // No evaluation comes near a mate: a shorter one is not searched for less than other moves.
        let is_futile = depth <= 6 && frame.alpha < MATE_BOUND && frame.eval + 90 + 85 * depth <= frame.alpha;
        if !frame.has_only_checks && (is_late || is_futile) {
            // The same holds for all quiet moves behind it, except for those that give check.
            let checks = Checks::of(&frame.position);
            let is_kept = |mv| checks.may_give(&frame.position, mv);
            let end = self.memory.moves.drop_quiets(frame.next, frame.end, is_kept);
            let is_dropped = !is_kept(mv);
            frame.end = end;
            frame.has_only_checks = true;
            if is_dropped {
                return true;
            }
        }
        depth <= 4 && score < -1500 * depth as i16
            || depth <= 6 && !see::wins_at_least(&frame.position, mv, -45 * depth)
    }

    fn search_move(&mut self, mv: Move, score: i16, is_tactical_move: bool) {
        let ply = self.ply;
        self.play(mv);
        let gives_check = self.memory.frames[ply + 1].is_check();
        let is_improving = self.is_improving();
        let frame = &mut self.memory.frames[ply];
        frame.searched = frame.searched.saturating_add(1);
        if !is_tactical_move {
            frame.quiets = frame.quiets.saturating_add(1);
        }
        let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.depth);
        // A check that loses the piece is no threat.
        let extends = gives_check
            && (ply as i32) < 2 * self.root_depth
            && score > BAD_CAPTURE / 2
            && (is_tactical_move || see::wins_at_least(&frame.position, mv, 0));
        let extension = if score == HASH_MOVE { i32::from(frame.extension) } else { 0 };
        let child_depth = depth - 1 + extension.max(i32::from(extends));
        frame.child_depth = child_depth;
        let searched = i32::from(frame.searched);
        if searched == 1 || ply == 0 && self.margin > 0 {
            return self.descend(Child::Full, child_depth, -beta, -alpha);
        }
        let mut less = 0;
        if depth >= 3 && searched >= 3 && (!is_tactical_move || score < 0) {
            less = reduction(depth, searched);
            if !is_tactical_move {
                less -= i32::from(score.clamp(-8000, 8000)) / 4000;
            }
            less -= i32::from(frame.is_pv) + i32::from(gives_check || frame.is_check());
            less += i32::from(!is_improving) + i32::from(frame.is_cut);
            less -= i32::from(score >= COUNTER);
            less = less.min(child_depth - 1).max(0);
        }
        let child = if less > 0 { Child::Reduced } else { Child::Scout };
        self.descend(child, child_depth - less, -alpha - 1, -alpha);
    }

    /// Whether the node has a best move that a capture is not.
    pub(super) fn is_quiet(&self, mv: Move) -> bool {
        mv != NO_MOVE && !is_tactical(&self.memory.frames[self.ply].position, mv)
    }
}

const _: () = assert!(BAD_CAPTURE as i32 > -INFINITE);
