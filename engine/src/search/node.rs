//! Entering a node: draws, transposition table, pruning of whole nodes, and the list of moves.

use chess::{Move, Piece, Promotion, Role};

use super::singular::NOT_ASKED;
use super::{Phase, Search};
use crate::memory::{Child, MAX_PLY, MoveStack, NO_MOVE, Scored};
use crate::ordering::{HASH_MOVE, History, is_tactical};
use crate::score::{DRAW, INFINITE, MATE, MATE_BOUND};
use crate::table::{Bound, Found};
use crate::zobrist;

/// Centipawns for each ply of depth by which a static evaluation must exceed beta to end the node.
const REVERSE_FUTILITY: i32 = 75;
const REVERSE_FUTILITY_DEPTH: i32 = 7;
const RAZORING: [i32; 3] = [0, 220, 350];

impl Search<'_> {
    pub(super) fn enter(&mut self) {
        let ply = self.ply;
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        let frame = &mut self.memory.frames[ply];
        frame.line_len = 0;
        frame.searched = 0;
        frame.quiets = 0;
        frame.best = -INFINITE;
        frame.best_move = NO_MOVE;
        frame.hash_move = NO_MOVE;
        frame.is_quiescence = false;
        frame.is_razoring = false;
        frame.has_only_checks = false;
        frame.excluded = NO_MOVE;
        frame.singular = NOT_ASKED;
        frame.extension = 0;
        self.memory.keys[self.earlier + ply] = frame.key;
        if ply == 0 {
            return self.enter_root();
        }
        // A mate that was found nearer to the root bounds every score below.
        frame.alpha = frame.alpha.max(ply as i32 - MATE);
        frame.beta = frame.beta.min(MATE - ply as i32 - 1);
        let (alpha, beta) = (frame.alpha, frame.beta);
        if alpha >= beta {
            return self.give(alpha);
        }
        if self.is_draw() {
            return self.give(DRAW);
        }
        let frame = &mut self.memory.frames[ply];
        if ply >= MAX_PLY - 2 || !MoveStack::has_room(frame.first) {
            let eval = self.evaluate();
            return self.give(eval);
        }
        let found = self.table.probe(frame.key, ply);
        if let Some(found) = found {
            frame.hash_move = found.mv;
            let is_usable = match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score >= beta,
                Bound::Upper => found.score <= alpha,
            };
            // Close to the fifty-move rule, scores of the table are not to be trusted: keys do not count the plies.
            if !frame.is_pv && found.depth >= frame.depth && is_usable && frame.position.halfmoves() < 90 {
                return self.give(found.score);
            }
        }
        if frame.depth <= 0 {
            return self.enter_quiescence();
        }
        if let Some(found) = found {
            self.consider_singular(found);
        }

        let frame = &mut self.memory.frames[ply];
        if frame.is_check() {
            frame.eval = -INFINITE;
        } else if self.evaluate_and_prune(found) {
            return;
        }
        self.begin_moves();
    }

    /// Begins with the moves of a node that its evaluation has not ended.
    pub(super) fn begin_moves(&mut self) {
        self.phase = Phase::Next;
        let frame = &mut self.memory.frames[self.ply];
        if frame.singular != NOT_ASKED {
            return self.exclude_hash_move();
        }
        // Without a hash move the order is poor: a shallower search finds one for the next iteration.
        if frame.hash_move == NO_MOVE && frame.depth >= 4 {
            frame.depth -= 1;
        }
        self.list_moves();
    }

    /// Evaluates the node, and ends it or begins a null move if the evaluation allows. Returns false if its moves must be searched.
    fn evaluate_and_prune(&mut self, found: Option<Found>) -> bool {
        let mut eval = self.evaluate();
        let frame = &mut self.memory.frames[self.ply];
        frame.eval = eval;
        // The result of a search, even of less depth, knows more than the static evaluation.
        if let Some(found) = found {
            let is_better = match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score > eval,
                Bound::Upper => found.score < eval,
            };
            if is_better && found.score.abs() < MATE_BOUND {
                eval = found.score;
            }
        }
        !frame.is_pv && self.prune_node(eval)
    }

    /// Whether the evaluation two plies above was lower: then cutoffs are likely, and late moves are searched deeper.
    ///
    /// A node in check has no evaluation: the one two plies above it is compared instead. Without any, the side is taken to improve.
    pub(super) fn is_improving(&self) -> bool {
        let eval = self.memory.frames[self.ply].eval;
        let earlier = |plies| self.ply.checked_sub(plies).map(|ply| self.memory.frames[ply].eval);
        let known = [2, 4].into_iter().filter_map(earlier).find(|&earlier| earlier > -INFINITE);
        known.is_none_or(|earlier| eval > earlier)
    }

    /// Ends the node by its evaluation, or begins a null move. Returns false if its moves must be searched.
    fn prune_node(&mut self, eval: i32) -> bool {
        let is_improving = self.is_improving();
        let frame = &mut self.memory.frames[self.ply];
        let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.depth);
        if depth <= REVERSE_FUTILITY_DEPTH
            && eval - REVERSE_FUTILITY * (depth - i32::from(is_improving)) >= beta
            && eval < MATE_BOUND
            && beta > -MATE_BOUND
        {
            self.give(eval);
            return true;
        }
        if let Some(&margin) = RAZORING.get(depth as usize)
            && eval.max(frame.eval) + margin <= alpha
            && alpha < MATE_BOUND
        {
            frame.is_razoring = true;
            frame.child_depth = depth;
            self.enter_quiescence();
            return true;
        }
        let turn = frame.position.turn();
        let pieces = frame
            .position
            .of_color(turn)
            .without(frame.position.of(Piece::new(turn, Role::Pawn)) | frame.position.of(Piece::new(turn, Role::King)));
        // With pawns alone, a side may be in zugzwang: the null move would be better than every move.
        if depth >= 3 && eval >= beta && !frame.after_null && pieces.any() && beta > -MATE_BOUND {
            let reduction = 3 + depth / 4 + ((eval - beta) / 200).min(3);
            let position = frame.position.pass();
            let key = zobrist::key_after_pass(frame.key, &frame.position);
            let placement = frame.placement;
            frame.mv = NO_MOVE;
            frame.end = frame.first;
            let below = &mut self.memory.frames[self.ply + 1];
            below.position = position;
            below.key = key;
            below.placement = placement;
            below.checkers = chess::Bitboard::EMPTY;
            self.descend(Child::Null, depth - 1 - reduction, -beta, -beta + 1);
            return true;
        }
        false
    }

    /// Searches the moves of a node whose evaluation is far below alpha, since a capture brings it above.
    pub(super) fn search_after_all(&mut self) {
        let frame = &mut self.memory.frames[self.ply];
        frame.is_quiescence = false;
        frame.is_razoring = false;
        frame.depth = frame.child_depth;
        frame.alpha = frame.beta - 1;
        frame.best = -INFINITE;
        frame.searched = 0;
        if frame.hash_move == NO_MOVE {
            frame.hash_move = frame.best_move;
        }
        frame.best_move = NO_MOVE;
        self.begin_moves();
    }

    /// Lists all moves of a node with their places in the order.
    pub(super) fn list_moves(&mut self) {
        let last = match self.ply {
            0 => NO_MOVE,
            ply => self.memory.frames[ply - 1].mv,
        };
        let (moves, history) = (&mut self.memory.moves, &self.memory.history);
        let frame = &mut self.memory.frames[self.ply];
        let counter = if last == NO_MOVE { NO_MOVE } else { history.counter(&frame.position, last) };
        let mut end = frame.first;
        let excluded = frame.excluded;
        let mut add = |scored: Scored| {
            if scored.mv != excluded {
                moves.set(end, scored);
                end += 1;
            }
        };
        let position = &frame.position;
        let theirs = position.of_color(position.turn().other());
        let legal = position.legal();
        for (from, to) in legal.movers() {
            let Some(piece) = position.piece_at(from) else { continue };
            for to in to & theirs {
                let mv = Move::new(from, to);
                add(History::place_capture(frame, mv));
            }
            for to in to.without(theirs) {
                let mv = Move::new(from, to);
                add(history.place_quiet(frame, counter, piece, mv));
            }
        }
        let pawn = Piece::new(position.turn(), Role::Pawn);
        legal.for_each_of_pawns(|mv| {
            if is_tactical(position, mv) {
                add(History::place_capture(frame, mv));
            } else if !matches!(mv.promotion(), Some(Promotion::Rook | Promotion::Bishop)) {
                // Promotions to rook and bishop are never needed, except to avoid stalemate.
                add(history.place_quiet(frame, counter, pawn, mv));
            }
        });
        frame.end = end;
        frame.next = frame.first;
    }

    /// Lists the root moves: first those with a score from the iteration before, then the others as at any node.
    fn enter_root(&mut self) {
        let frame = &mut self.memory.frames[0];
        frame.first = 0;
        frame.next = 0;
        let mut end = 0;
        for root in self.memory.root.as_slice() {
            // Only moves with a place of their own are reduced like the late moves of other nodes.
            let scored = if end == 0 || i32::from(root.previous) > -INFINITE {
                Scored { mv: root.mv, score: HASH_MOVE - end as i16 }
            } else if is_tactical(&frame.position, root.mv) {
                History::place_capture(frame, root.mv)
            } else if let Some(piece) = frame.position.piece_at(root.mv.from()) {
                self.memory.history.place_quiet(frame, NO_MOVE, piece, root.mv)
            } else {
                continue;
            };
            self.memory.moves.set(end, scored);
            end += 1;
        }
        frame.end = end;
        let eval = if frame.is_check() { -INFINITE } else { self.evaluate() };
        self.memory.frames[0].eval = eval;
        self.phase = Phase::Next;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::boxed::Box;
    use std::vec::Vec;

    use chess::Position;

    use super::*;
    use crate::memory::Memory;
    use crate::ordering::COUNTER;
    use crate::table::{Slot, Table};

    /// Moves with a place above the counter moves are reduced less, and moves with one above the captures not at all.
    #[test]
    fn root_moves_without_a_score_have_the_places_of_other_moves() {
        let mut memory = Box::<Memory>::default();
        let mut slots = [Slot::EMPTY; 64];
        let mut search = Search::new(&mut memory, Table::new(&mut slots));
        let position: Position =
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1".parse().expect("a position");
        search.set_root(&position, &[], 0);
        // The first move was the best of the iteration before; the others are not better, and have no score.
        for root in search.memory.root.as_mut_slice() {
            root.previous = -INFINITE as i16;
        }
        search.begin(6, -INFINITE, INFINITE, 0);
        search.enter();
        let end = search.memory.frames[0].end;
        let places: Vec<i16> = search.memory.moves.range(0, end).iter().map(|scored| scored.score).collect();
        assert_eq!(usize::from(end), position.legal_moves().len());
        assert_eq!(places[0], HASH_MOVE);
        let quiets = places.iter().filter(|&&place| place < COUNTER).count();
        assert!(quiets > 20, "{places:?}");
    }
    /// Enters the node after the first move, with a window far below its evaluation, and returns whether it begins with a null move.
    fn passes(fen: &str, after_null: bool) -> bool {
        let mut memory = Box::<Memory>::default();
        let mut slots = [Slot::EMPTY; 64];
        let mut search = Search::new(&mut memory, Table::new(&mut slots));
        search.set_root(&fen.parse().expect("a position"), &[], 0);
        search.begin(12, -INFINITE, INFINITE, 0);
        search.enter();
        search.next_move();
        assert_eq!(search.ply, 1);
        let frame = &mut search.memory.frames[1];
        (frame.alpha, frame.beta, frame.depth) = (-2_001, -2_000, REVERSE_FUTILITY_DEPTH + 1);
        (frame.is_pv, frame.after_null) = (false, after_null);
        search.enter();
        let turns = [1, 2].map(|ply| search.memory.frames[ply].position.turn());
        search.ply == 2 && matches!(search.memory.frames[1].child, Child::Null) && turns[0] != turns[1]
    }

    #[test]
    fn a_null_move_is_tried_once_and_not_with_pawns_alone() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(passes(start, false));
        assert!(!passes(start, true));
        assert!(!passes("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", false));
    }
}
