//! Principal variation search as a state machine: one call of [`Search::advance`] enters a node, takes a move, or returns a value.
//!
//! The frames of [`Memory`] replace the call stack, so that the caller can pause after every call, and continue later.

mod checks;
mod child;
mod node;
mod quiescence;
mod returned;
mod singular;

use chess::{Move, Position, Role};

use crate::blindness::Blindness;
use crate::evaluate::{Placement, evaluate};
use crate::memory::{Child, Memory, NO_MOVE};
use crate::ordering::is_tactical;
use crate::score::{DRAW, MATE, MATE_BOUND};
use crate::table::{Bound, Found, Table};
use crate::zobrist;

/// What [`Search::advance`] does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Enters the node of the frame at `ply`.
    Enter,
    /// Takes the next move of the frame at `ply`.
    Next,
    /// Hands `value` of the frame at `ply` to the frame above.
    Return,
    /// The root has a value.
    Done,
}

pub(crate) struct Search<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) table: Table<'a>,
    ply: usize,
    phase: Phase,
    /// The value of the node that has just been searched, for its side to move.
    value: i32,
    pub(crate) nodes: u64,
    /// Positions of the game before the root that could repeat.
    earlier: usize,
    root_depth: i32,
    /// The deepest ply of this iteration.
    pub(crate) seldepth: usize,
    /// Root moves that are worse than the best by less than this get exact scores.
    margin: i32,
    pub(crate) blindness: Blindness,
    /// Root moves that were searched in this iteration.
    pub(crate) root_searched: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(memory: &'a mut Memory, table: Table<'a>) -> Self {
        Self {
            memory,
            table,
            ply: 0,
            phase: Phase::Done,
            value: 0,
            nodes: 0,
            earlier: 0,
            root_depth: 0,
            seldepth: 0,
            margin: 0,
            blindness: Blindness::NONE,
            root_searched: 0,
        }
    }

    /// Sets the root: a start position and the moves that were played from it, all of them legal.
    ///
    /// Keys are combined with `salt`: results in the table of a search with another salt are not found.
    pub(crate) fn set_root(&mut self, start: &Position, moves: &[Move], salt: u64) {
        let mut position = *start;
        let mut key = zobrist::key(&position) ^ salt;
        self.earlier = 0;
        for &mv in moves {
            let next = position.after(mv);
            self.memory.keys[self.earlier] = key;
            key = zobrist::key_after(key, &position, mv, &next);
            // No position repeats across a capture or a pawn move. Without those, the seventy-five-move rule ends the game.
            self.earlier = if next.halfmoves() == 0 { 0 } else { (self.earlier + 1).min(MAX_EARLIER) };
            position = next;
        }
        let frame = &mut self.memory.frames[0];
        frame.checkers = position.checkers();
        frame.placement = Placement::of(&position);
        frame.position = position;
        frame.key = key;
        frame.after_null = false;
        let root = &mut self.memory.root;
        root.clear();
        position.legal().for_each(|mv| root.push(mv));
        self.nodes = 0;
        self.phase = Phase::Done;
        for frame in self.memory.frames.iter_mut() {
            frame.killers = [NO_MOVE; 2];
        }
    }

    /// Removes the moves of the root that a weak level does not see. One is always left.
    pub(crate) fn overlook_root(&mut self, blindness: Blindness, last: Option<Move>) {
        if !blindness.overlooks_any() {
            return;
        }
        let frame = &self.memory.frames[0];
        let (position, key) = (&frame.position, frame.key);
        self.memory.root.retain(|mv| !blindness.overlooks(position, key, mv, last.unwrap_or(NO_MOVE)));
    }

    /// Keeps only these moves of the root. If a weak level overlooks all of them, those that are legal are its moves; if none is legal, all
    /// moves stay.
    pub(crate) fn restrict_root(&mut self, moves: &[Move]) {
        let position = &self.memory.frames[0].position;
        let root = &mut self.memory.root;
        if root.as_slice().iter().any(|root| moves.contains(&root.mv)) {
            root.retain(|mv| moves.contains(&mv));
        } else if moves.iter().any(|&mv| position.is_legal(mv)) {
            root.clear();
            position.legal().for_each(|mv| {
                if moves.contains(&mv) {
                    root.push(mv);
                }
            });
        }
    }

    pub(crate) fn root_key(&self) -> u64 {
        self.memory.frames[0].key
    }

    /// Starts an iteration at the root.
    pub(crate) fn begin(&mut self, depth: i32, alpha: i32, beta: i32, margin: i32) {
        let frame = &mut self.memory.frames[0];
        frame.alpha = alpha;
        frame.beta = beta;
        frame.depth = depth;
        frame.is_pv = true;
        frame.is_cut = false;
        self.root_depth = depth;
        self.margin = margin;
        self.seldepth = 0;
        self.root_searched = 0;
        self.ply = 0;
        self.phase = Phase::Enter;
    }

    /// Does the next piece of work: a node, a move or a value. Returns the value of the root when the iteration is complete.
    pub(crate) fn advance(&mut self) -> Option<i32> {
        match self.phase {
            Phase::Enter => self.enter(),
            Phase::Next => self.next_move(),
            Phase::Return if self.ply == 0 => self.phase = Phase::Done,
            Phase::Return => {
                self.ply -= 1;
                self.returned(-self.value);
            }
            Phase::Done => return Some(self.value),
        }
        None
    }

    /// Ends the node at `ply` with this value.
    fn give(&mut self, value: i32) {
        self.value = value;
        self.phase = Phase::Return;
    }

    /// The static evaluation of the node.
    fn evaluate(&mut self) -> i32 {
        let frame = &self.memory.frames[self.ply];
        evaluate(frame, &mut self.memory.caches) + self.memory.corrections.of(&frame.position)
    }

    /// Whether the node is drawn by repetition, by the fifty-move rule or for lack of material.
    fn is_draw(&self) -> bool {
        let frame = &self.memory.frames[self.ply];
        let position = &frame.position;
        let halfmoves = usize::from(position.halfmoves());
        if halfmoves >= 100 {
            // Mate with the hundredth ply counts more than the rule.
            return !frame.is_check() || position.has_legal_move();
        }
        if halfmoves >= 4 && self.repeats(frame.key, halfmoves) {
            return true;
        }
        let heavy = position.of_role(Role::Pawn) | position.of_role(Role::Rook) | position.of_role(Role::Queen);
        heavy.is_empty() && position.is_insufficient_material()
    }

    /// Whether the position was on the board before: once since the root, or twice with the game before it.
    fn repeats(&self, key: u64, halfmoves: usize) -> bool {
        let now = self.earlier + self.ply;
        let first = now.saturating_sub(halfmoves);
        let mut index = now;
        let mut before_root = 0;
        while index >= first + 2 {
            index -= 2;
            if self.memory.keys[index] == key {
                if index >= self.earlier {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Sets up the frame below for its search, with the position that it has already.
    fn descend(&mut self, child: Child, depth: i32, alpha: i32, beta: i32) {
        let frame = &mut self.memory.frames[self.ply];
        frame.child = child;
        let end = frame.end;
        let is_pv = frame.is_pv && child == Child::Full;
        let is_cut = !is_pv && !frame.is_cut;
        self.ply += 1;
        let below = &mut self.memory.frames[self.ply];
        below.alpha = alpha;
        below.beta = beta;
        below.depth = depth;
        below.is_pv = is_pv;
        below.is_cut = is_cut;
        below.after_null = child == Child::Null;
        below.first = end;
        below.end = end;
        self.phase = Phase::Enter;
    }

    /// Ends a node after its last move or a cutoff: stores the result, and returns it.
    fn finish(&mut self) {
        let frame = &self.memory.frames[self.ply];
        if frame.excluded != NO_MOVE {
            return self.search_with_hash_move();
        }
        let best = frame.best;
        if frame.is_quiescence {
            return if frame.is_razoring && best >= frame.beta { self.search_after_all() } else { self.give(best) };
        }
        if frame.searched == 0 && frame.first == frame.end {
            let value = if frame.is_check() { self.ply as i32 - MATE } else { DRAW };
            return self.give(value);
        }
        let bound = if best >= frame.beta {
            Bound::Lower
        } else if frame.best_move != NO_MOVE && frame.is_pv {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if frame.searched == 0 {
            // A weak level saw none of the moves.
            let eval = frame.eval;
            return self.give(eval);
        }
        let is_beyond = match bound {
            Bound::Lower => best > frame.eval,
            Bound::Upper => best < frame.eval,
            Bound::Exact => true,
        };
        let is_quiet = frame.best_move == NO_MOVE || !is_tactical(&frame.position, frame.best_move);
        if is_beyond && is_quiet && !frame.is_check() && best.abs() < MATE_BOUND {
            self.memory.corrections.learn(&frame.position, best - frame.eval, frame.depth);
        }
        let found = Found { mv: frame.best_move, score: best, depth: frame.depth, bound };
        self.table.store(frame.key, self.ply, found);
        self.give(best);
    }
}

/// More positions than that cannot repeat: the seventy-five-move rule ends the game before.
const MAX_EARLIER: usize = 150;
