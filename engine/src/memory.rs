//! The memory of a search: frames instead of a call stack, so that a search can pause at any node.

use chess::{Bitboard, MAX_LEGAL_MOVES, Move, Position, Square};

use crate::correction::Corrections;
use crate::evaluate::{Caches, Placement};
use crate::masked::Masked;
use crate::ordering::{History, is_quiet_place};

/// Plies that a search can look ahead.
pub(crate) const MAX_PLY: usize = 64;
/// Moves of all frames together. A node with less room than the longest list is evaluated and not searched.
const MOVES: usize = 3072;
/// Plies of a principal variation that are kept.
pub(crate) const LINE: usize = 15;
/// No move: a move from a square to itself is never legal.
pub(crate) const NO_MOVE: Move = Move::new(Square::A1, Square::A1);

/// All memory that a search needs beside the transposition table. It belongs in a static or on a heap: it is too large for a
/// small stack.
pub struct Memory {
    pub(crate) frames: Masked<SearchFrame, MAX_PLY>,
    pub(crate) moves: MoveStack,
    /// Keys of the positions that could repeat: first those of the game, then one for each ply of the search.
    pub(crate) keys: Masked<u64, 256>,
    pub(crate) root: RootMoves,
    pub(crate) history: History,
    pub(crate) caches: Caches,
    pub(crate) corrections: Corrections,
    /// Counts searches modulo 8, for the table: an engine may be made anew for each search.
    pub(crate) searches: u8,
}

impl Memory {
    /// Memory without content. All its bytes are zero, so that a static takes no flash.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            frames: Masked::new([const { SearchFrame::BLANK }; MAX_PLY]),
            moves: MoveStack { moves: [Scored { mv: NO_MOVE, score: 0 }; MOVES] },
            keys: Masked::new([0; 256]),
            root: RootMoves { moves: [RootMove { mv: NO_MOVE, score: 0, previous: 0 }; MAX_LEGAL_MOVES], len: 0 },
            history: History::new(),
            caches: Caches::new(),
            corrections: Corrections::new(),
            searches: 0,
        }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

/// What the node below a frame is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Child {
    /// With the full window.
    Full = 0,
    /// With a null window, to prove that the move is not better.
    Scout = 1,
    /// With a null window and less depth.
    Reduced = 2,
    /// A null move, to prove that the position is good enough without a move.
    Null = 3,
}

/// Window and depth of the search of a node with all its moves.
#[derive(Clone, Copy)]
pub(crate) struct Whole {
    pub(crate) alpha: i16,
    pub(crate) beta: i16,
    pub(crate) depth: i8,
    pub(crate) is_pv: bool,
}

/// One node on the way from the root to the node that is searched now. There are as many as plies, so scores that are rarely used are
/// small.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
#[derive(Clone)]
pub(crate) struct SearchFrame {
    pub(crate) position: Position,
    pub(crate) key: u64,
    pub(crate) placement: Placement,
    pub(crate) checkers: Bitboard,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) best: i32,
    /// Static evaluation; meaningless in check.
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    /// The depth of the child without reduction.
    pub(crate) child_depth: i32,
    /// The moves of this node in the stack of moves: those before `next` were taken.
    pub(crate) first: u16,
    pub(crate) next: u16,
    pub(crate) end: u16,
    /// The move that leads to the child.
    pub(crate) mv: Move,
    pub(crate) hash_move: Move,
    pub(crate) best_move: Move,
    pub(crate) killers: [Move; 2],
    pub(crate) child: Child,
    /// The window is open: the node may be on the principal variation.
    pub(crate) is_pv: bool,
    /// Reached by a null move, so that another one would prove nothing.
    pub(crate) after_null: bool,
    pub(crate) is_quiescence: bool,
    /// Quiescence that only asks whether the moves of the node are worth a search.
    pub(crate) is_razoring: bool,
    /// The move that the node is searched without, to find out whether it is the only good one.
    pub(crate) excluded: Move,
    /// What all other moves must stay below for the hash move to be the only good one, if that is asked.
    pub(crate) singular: i16,
    /// Plies that the hash move is searched deeper.
    pub(crate) extension: i8,
    /// The search of the node that goes on after that without the excluded move.
    pub(crate) whole: Whole,
    /// The quiet moves that are left give check.
    pub(crate) has_only_checks: bool,
    /// Expected to have a move that is better than beta.
    pub(crate) is_cut: bool,
    /// Moves searched, and quiet ones among them.
    pub(crate) searched: u8,
    pub(crate) quiets: u8,
    /// The principal variation from here.
    pub(crate) line_len: u8,
    pub(crate) line: [Move; LINE],
}

impl SearchFrame {
    const BLANK: Self = Self {
        position: Position::BLANK,
        key: 0,
        placement: Placement::NONE,
        checkers: Bitboard::EMPTY,
        alpha: 0,
        beta: 0,
        best: 0,
        eval: 0,
        depth: 0,
        child_depth: 0,
        first: 0,
        next: 0,
        end: 0,
        mv: NO_MOVE,
        hash_move: NO_MOVE,
        best_move: NO_MOVE,
        killers: [NO_MOVE; 2],
        child: Child::Full,
        is_pv: false,
        after_null: false,
        is_quiescence: false,
        is_razoring: false,
        excluded: NO_MOVE,
        singular: 0,
        extension: 0,
        whole: Whole { alpha: 0, beta: 0, depth: 0, is_pv: false },
        has_only_checks: false,
        is_cut: false,
        searched: 0,
        quiets: 0,
        line_len: 0,
        line: [NO_MOVE; LINE],
    };

    pub(crate) fn is_check(&self) -> bool {
        self.checkers.any()
    }
}

/// A move with its place in the order.
#[derive(Clone, Copy)]
pub(crate) struct Scored {
    pub(crate) mv: Move,
    pub(crate) score: i16,
}

/// The moves of all frames, those of deeper frames behind those of the frames above.
pub(crate) struct MoveStack {
    moves: [Scored; MOVES],
}

impl MoveStack {
    /// Whether every list of moves fits behind this index.
    pub(crate) const fn has_room(first: u16) -> bool {
        first as usize + MAX_LEGAL_MOVES <= MOVES
    }

    pub(crate) fn set(&mut self, index: u16, scored: Scored) {
        if let Some(slot) = self.moves.get_mut(usize::from(index)) {
            *slot = scored;
        }
    }

    pub(crate) fn range(&self, first: u16, end: u16) -> &[Scored] {
        self.moves.get(usize::from(first)..usize::from(end)).unwrap_or_default()
    }

    /// Removes the quiet moves of a range for which this is false, and returns its new end.
    pub(crate) fn drop_quiets(&mut self, first: u16, end: u16, is_kept: impl Fn(Move) -> bool) -> u16 {
        let range = self.moves.get_mut(usize::from(first)..usize::from(end)).unwrap_or_default();
        let mut kept = 0;
        for index in 0..range.len() {
            if let Some(&scored) = range.get(index)
                && (!is_quiet_place(scored.score) || is_kept(scored.mv))
                && let Some(slot) = range.get_mut(kept)
            {
                *slot = scored;
                kept += 1;
            }
        }
        first + kept as u16
    }

    /// Swaps the move with the highest score to the start of a range, and returns it. The range must not be empty.
    pub(crate) fn pick(&mut self, first: u16, end: u16) -> Scored {
        let range = self.moves.get_mut(usize::from(first)..usize::from(end)).unwrap_or_default();
        let mut best = 0;
        let mut top = i16::MIN;
        for (index, scored) in range.iter().enumerate() {
            if scored.score > top {
                (best, top) = (index, scored.score);
            }
        }
        let Some(taken) = range.get(best).copied() else { return Scored { mv: NO_MOVE, score: 0 } };
        if let Some(front) = range.first().copied() {
            if let Some(slot) = range.get_mut(best) {
                *slot = front;
            }
            if let Some(slot) = range.first_mut() {
                *slot = taken;
            }
        }
        taken
    }
}

/// A legal move of the root with its results.
#[derive(Clone, Copy)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The score of this iteration, or `-INFINITE` before the move was searched and if it was proved to be worse than others.
    pub(crate) score: i16,
    /// The score of the iteration before.
    pub(crate) previous: i16,
}

pub(crate) struct RootMoves {
    moves: [RootMove; MAX_LEGAL_MOVES],
    len: usize,
}

impl RootMoves {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = RootMove { mv, score: i16::MIN, previous: i16::MIN };
            self.len += 1;
        }
    }

    /// Keeps the moves for which this is true, in their order; the first one if it is true for none.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            if let Some(&root) = self.moves.get(index)
                && is_kept(root.mv)
                && let Some(slot) = self.moves.get_mut(kept)
            {
                *slot = root;
                kept += 1;
            }
        }
        self.len = kept.max(1).min(self.len);
    }

    pub(crate) fn as_slice(&self) -> &[RootMove] {
        self.moves.get(..self.len).unwrap_or_default()
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [RootMove] {
        self.moves.get_mut(..self.len).unwrap_or_default()
    }
}
