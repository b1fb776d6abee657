//! Using the value of a child: another search with a wider window, a new best move, or a cutoff.

use super::{Phase, Search};
use crate::memory::{Child, LINE, NO_MOVE};
use crate::ordering::is_tactical;
use crate::score::{INFINITE, MATE_BOUND};

impl Search<'_> {
    /// Takes the value of the child, for the side to move at `ply`.
    pub(super) fn returned(&mut self, value: i32) {
        let frame = &mut self.memory.frames[self.ply];
        let (alpha, beta, child_depth) = (frame.alpha, frame.beta, frame.child_depth);
        match frame.child {
            Child::Null => {
                if value >= beta {
                    // A mate after a null move is not proved.
                    return self.give(if value >= MATE_BOUND { beta } else { value });
                }
                self.begin_moves();
            }
            Child::Reduced if value > alpha => self.descend(Child::Scout, child_depth, -alpha - 1, -alpha),
            Child::Scout if value > alpha && value < beta && frame.is_pv => {
                self.descend(Child::Full, child_depth, -beta, -alpha);
            }
            _ => self.accept(value),
        }
    }

    fn accept(&mut self, value: i32) {
        let ply = self.ply;
        if ply == 0 {
            self.record_root(value);
        }
        self.phase = Phase::Next;
        let margin = if ply == 0 { self.margin } else { 0 };
        let frame = &mut self.memory.frames[ply];
        if value <= frame.best {
            return;
        }
        frame.best = value;
        if value <= frame.alpha {
            return;
        }
        frame.best_move = frame.mv;
        frame.alpha = (value - margin).max(frame.alpha);
        if frame.is_pv {
            self.extend_line();
        }
        if value >= self.memory.frames[ply].beta {
            if !self.memory.frames[ply].is_quiescence {
                self.reward();
            }
            self.finish();
        }
    }

    /// Puts the move of this frame before the principal variation of the frame below.
    fn extend_line(&mut self) {
        let below = &self.memory.frames[self.ply + 1];
        let (line, len) = (below.line, below.line_len);
        let frame = &mut self.memory.frames[self.ply];
        let moves = core::iter::once(frame.mv).chain(line);
        for (slot, mv) in frame.line.iter_mut().zip(moves) {
            *slot = mv;
        }
        frame.line_len = (len + 1).min(LINE as u8);
    }

    /// Remembers a quiet move that caused a cutoff, and that the quiet moves before it did not.
    fn reward(&mut self) {
        let ply = self.ply;
        let frame = &self.memory.frames[ply];
        let best = frame.best_move;
        if !self.is_quiet(best) {
            return;
        }
        let bonus = (frame.depth * frame.depth * 8 + 24 * frame.depth).min(1200);
        let (first, next) = (frame.first, frame.next);
        for scored in self.memory.moves.range(first, next) {
            // Moves that were not searched are marked, and prove nothing.
            if scored.mv != best && scored.mv != NO_MOVE && !is_tactical(&frame.position, scored.mv) {
                self.memory.history.update(&frame.position, scored.mv, -bonus);
            }
        }
        self.memory.history.update(&frame.position, best, bonus);
        let last = if ply > 0 { self.memory.frames[ply - 1].mv } else { NO_MOVE };
        if last != NO_MOVE {
            self.memory.history.set_counter(&frame.position, last, best);
        }
        let killers = &mut self.memory.frames[ply].killers;
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
    }

    /// Notes the score of a root move. A move that is not better than alpha has no exact score.
    fn record_root(&mut self, value: i32) {
        let frame = &self.memory.frames[0];
        let mv = frame.mv;
        let is_exact = value > frame.alpha || frame.searched == 1;
        let score = if is_exact { value } else { -INFINITE };
        for root in self.memory.root.as_mut_slice() {
            if root.mv == mv {
                root.score = score as i16;
            }
        }
        self.root_searched += 1;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::boxed::Box;

    use chess::{Move, Piece, Position};

    use super::*;
    use crate::memory::{Memory, Scored};
    use crate::ordering::{COUNTER, KILLER};
    use crate::table::{Slot, Table};

    /// A quiet move that caused a cutoff is tried sooner: as a killer at the same depth, as the answer to the same move, and by history
    /// everywhere; and those before it are tried later.
    #[test]
    fn a_quiet_cutoff_changes_the_order_of_moves() {
        let mut memory = Box::<Memory>::default();
        let mut slots = [Slot::EMPTY; 64];
        let mut search = Search::new(&mut memory, Table::new(&mut slots));
        search.set_root(&Position::start(), &[], 0);
        search.begin(8, -INFINITE, INFINITE, 0);
        search.enter();
        search.next_move();
        let last = search.memory.frames[0].mv;
        let frame = &mut search.memory.frames[1];
        (frame.alpha, frame.beta, frame.depth, frame.is_pv) = (0, 1, 5, false);
        let after_first = frame.position;
        search.list_moves();
        // Two quiet moves are searched; the second causes a cutoff.
        let [failed, best]: [Move; 2] = ["a7a6", "g8f6"].map(|mv| mv.parse().expect("a move"));
        search.memory.moves.set(search.memory.frames[1].first, Scored { mv: failed, score: 0 });
        search.memory.moves.set(search.memory.frames[1].first + 1, Scored { mv: best, score: 0 });
        search.memory.frames[1].next = search.memory.frames[1].first + 2;
        search.memory.frames[1].mv = best;
        search.ply = 1;
        search.accept(50);

        let frame = &search.memory.frames[1];
        let history = &search.memory.history;
        let place = |mv: Move, counter| {
            let piece: Piece = after_first.piece_at(mv.from()).expect("a piece");
            history.place_quiet(frame, counter, piece, mv).score
        };
        assert_eq!(place(best, NO_MOVE), KILLER);
        assert_eq!(history.counter(&after_first, last), best);
        assert!(place(failed, NO_MOVE) < 0);
        assert_eq!(place(failed, failed), COUNTER);
        // At another depth there is no killer.
        search.memory.frames[1].killers = [NO_MOVE; 2];
        let piece = after_first.piece_at(best.from()).expect("a piece");
        assert!(search.memory.history.place_quiet(&search.memory.frames[1], NO_MOVE, piece, best).score > 0);
    }
}
