//! The ten levels.

use crate::blindness::Blindness;

/// A playing strength from 1 to 10. Level 10 is full strength.
///
/// A weak level looks less far ahead, overlooks some moves of its search (quiet replies more than captures, distant captures more
/// than near ones, recaptures never), and chooses among the moves that it takes for nearly equal. The weakest ones overlook some of
/// their own moves, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The limits of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strength {
    /// Plies of the last iteration.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    /// Moves that are worse than the best by less than this many centipawns may be played.
    pub(crate) margin: i32,
    /// What it sees of its own next move.
    pub(crate) own: Blindness,
    /// What it sees of all moves after that.
    pub(crate) blindness: Blindness,
}

/// `own` is the chance in 256 that an own move is overlooked.
const fn strength(depth: u8, nodes: u64, margin: i32, own: u8, quiet: u8, capture: u8, captures: u8) -> Strength {
    let own = Blindness { quiet: own, capture: own, captures };
    Strength { depth, nodes, margin, own, blindness: Blindness { quiet, capture, captures } }
}

/// By level. `cargo xtask bench engine` measures how strong each is.
static STRENGTHS: [Strength; 9] = [
    strength(1, 500, 90, 205, 0, 0, 0),
    strength(1, 500, 120, 222, 0, 255, 1),
    strength(1, 500, 90, 175, 0, 240, 1),
    strength(1, 1_000, 80, 90, 0, 190, 2),
    strength(2, 2_000, 75, 0, 150, 110, 2),
    strength(3, 5_000, 60, 0, 110, 75, 3),
    strength(4, 10_000, 40, 0, 72, 44, 6),
    strength(6, 24_000, 24, 0, 40, 20, 16),
    strength(9, 80_000, 12, 0, 12, 6, 32),
];

impl Level {
    /// The weakest: it loses to a child who knows the rules.
    pub const WEAKEST: Self = Self(1);
    /// Full strength.
    pub const FULL: Self = Self(10);

    /// The level with this number, if it is from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 10 { Some(Self(number)) } else { None }
    }

    /// The number, 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All ten, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=10).map(Self)
    }

    /// The limits of the level; none for full strength.
    pub(crate) fn strength(self) -> Option<Strength> {
        STRENGTHS.get(usize::from(self.0).wrapping_sub(1)).copied()
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}
