//! Entering a node: draws, transposition table, pruning of whole nodes, and the list of moves.

use chess::{Move, Piece, Promotion, Role};

use super::{Phase, Search};
use crate::memory::{Child, MAX_PLY, MoveStack, NO_MOVE, Scored};
use crate::ordering::{HASH_MOVE, History, is_tactical};
use crate::score::{DRAW, INFINITE, MATE, MATE_BOUND};
use crate::table::{Bound, Found};
use crate::zobrist;

/// Centipawns for each ply of depth by which a static evaluation must exceed beta to be believed.
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
        if frame.depth <= 0 {
            return self.enter_quiescence();
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

        if frame.is_check() {
            frame.eval = -INFINITE;
        } else if self.evaluate_and_prune(found) {
            return;
        }
        let frame = &mut self.memory.frames[ply];
        // Without a hash move the order is poor: a shallower search finds one for the next iteration.
        if frame.hash_move == NO_MOVE && frame.depth >= 4 {
            frame.depth -= 1;
        }
        self.list_moves();
        self.phase = Phase::Next;
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

    /// Whether the evaluation at the node two plies above was lower: then cutoffs are likely, and late moves are searched deeper.
    pub(super) fn is_improving(&self) -> bool {
        let frame = &self.memory.frames[self.ply];
        self.ply >= 2 && frame.eval > self.memory.frames[self.ply - 2].eval
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
            && eval + margin <= alpha
        {
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
        let mut add = |scored| {
            moves.set(end, scored);
            end += 1;
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

    /// Lists the root moves in the order of the iteration before.
    fn enter_root(&mut self) {
        let frame = &mut self.memory.frames[0];
        frame.first = 0;
        frame.next = 0;
        let mut end = 0;
        for root in self.memory.root.as_slice() {
            self.memory.moves.set(end, Scored { mv: root.mv, score: HASH_MOVE - end as i16 });
            end += 1;
        }
        frame.end = end;
        let eval = if frame.is_check() { -INFINITE } else { self.evaluate() };
        self.memory.frames[0].eval = eval;
        self.phase = Phase::Next;
    }
}
