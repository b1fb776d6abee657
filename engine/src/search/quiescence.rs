//! Quiescence search: captures and promotions until the position is quiet, and all moves out of check.

use super::{Phase, Search};
use crate::memory::{Child, Scored};
use crate::ordering::History;
use crate::score::{INFINITE, MATE, MATE_BOUND};
use crate::see;

/// Centipawns that a capture may win beside its victim.
const DELTA: i32 = 160;

impl Search<'_> {
    pub(super) fn enter_quiescence(&mut self) {
        let ply = self.ply;
        let frame = &mut self.memory.frames[ply];
        frame.is_quiescence = true;
        frame.depth = frame.depth.min(0);
        if frame.is_check() {
            self.list_moves();
            let frame = &mut self.memory.frames[ply];
            if frame.first == frame.end {
                return self.give(ply as i32 - MATE);
            }
            self.phase = Phase::Next;
            return;
        }
        let eval = if frame.is_razoring { frame.eval } else { self.evaluate() };
        let frame = &mut self.memory.frames[ply];
        frame.eval = eval;
        frame.best = eval;
        if eval >= frame.beta || self.blindness.is_quiescence_over(frame.depth) {
            return self.give(eval);
        }
        frame.alpha = frame.alpha.max(eval);
        let moves = &mut self.memory.moves;
        let mut end = frame.first;
        frame.position.legal_captures().for_each(|mv| {
            if matches!(mv.promotion(), None | Some(chess::Promotion::Queen)) {
                moves.set(end, History::place_capture(frame, mv));
                end += 1;
            }
        });
        frame.end = end;
        frame.next = frame.first;
        self.phase = Phase::Next;
    }

    /// Takes the next move of a quiescence node.
    pub(super) fn next_quiescence_move(&mut self) {
        let ply = self.ply;
        loop {
            let frame = &mut self.memory.frames[ply];
            if frame.next >= frame.end {
                return self.finish();
            }
            let Scored { mv, .. } = self.memory.moves.pick(frame.next, frame.end);
            frame.next += 1;
            if frame.best > -MATE_BOUND {
                let position = &frame.position;
                if !frame.is_check() {
                    let promise = frame.eval + see::gain(position, mv) + DELTA;
                    if promise <= frame.alpha {
                        frame.best = frame.best.max(promise);
                        continue;
                    }
                }
                if !see::wins_at_least(position, mv, 0) {
                    continue;
                }
            }
            if self.blindness.overlooks_any() && self.overlooks(mv) {
                continue;
            }
            let frame = &mut self.memory.frames[ply];
            frame.searched = frame.searched.saturating_add(1);
            let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.depth);
            self.play(mv);
            debug_assert!(beta > -INFINITE);
            return self.descend(Child::Full, depth - 1, -beta, -alpha);
        }
    }
}
