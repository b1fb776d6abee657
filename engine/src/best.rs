//! The result of a search.

use core::fmt;
use core::ops::Deref;

use chess::Move;

use crate::memory::{LINE, NO_MOVE};
use crate::score::{MATE, MATE_BOUND};

/// The best move that a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The first move of the line.
    pub mv: Move,
    /// The score for the side to move, as the search computes it: see [`Best::score`].
    pub(crate) value: i32,
    /// The principal variation: the move and the best replies that the search expects.
    pub line: Variation,
    /// Plies of the last complete iteration; 0 if there was none.
    pub depth: u8,
}

impl Best {
    pub(crate) const NONE: Self =
        Self { mv: NO_MOVE, value: 0, line: Variation { moves: [NO_MOVE; LINE], len: 0 }, depth: 0 };

    pub(crate) fn of(mv: Move) -> Self {
        let mut line = Variation { moves: [NO_MOVE; LINE], len: 1 };
        line.moves[0] = mv;
        Self { mv, value: 0, line, depth: 0 }
    }
}

/// The state of a search in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The result of the last complete iteration.
    pub best: Best,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// The greatest number of plies that a line of this iteration was followed.
    pub seldepth: u8,
    /// How full the table is with results of this search, in thousandths.
    pub table_permille: u32,
}

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i16),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i8),
}

impl Score {
    pub(crate) const fn of(value: i32) -> Self {
        if value >= MATE_BOUND {
            Self::Mate(((MATE - value + 1) / 2) as i8)
        } else if value <= -MATE_BOUND {
            Self::Mate((-(MATE + value) / 2) as i8)
        } else {
            Self::Centipawns(value as i16)
        }
    }
}

/// As UCI writes it: `cp 12` or `mate -3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// Moves of a principal variation, at most 15.
#[derive(Clone, PartialEq, Eq)]
pub struct Variation {
    moves: [Move; LINE],
    len: u8,
}

impl Variation {
    /// The first `len` moves; none if there are none.
    pub(crate) fn new(moves: &[Move; LINE], len: u8) -> Option<Self> {
        // Two equal lines are equal in all their bytes: what is behind the end is from earlier lines.
        let mut line = [NO_MOVE; LINE];
        line.iter_mut().zip(moves).take(len.into()).for_each(|(slot, mv)| *slot = *mv);
        (len > 0).then_some(Self { moves: line, len })
    }

    pub(crate) const fn first(&self) -> Move {
        self.moves[0]
    }
}

impl Deref for Variation {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.moves.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl fmt::Debug for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
