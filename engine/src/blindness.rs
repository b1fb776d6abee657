//! What a weak level overlooks: moves that it does not consider below the root.

use chess::{Move, Position};

use crate::random::mix;

/// Limits of what a search sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blindness {
    /// Chance in 256 that a quiet move is overlooked.
    pub(crate) quiet: u8,
    /// Chance in 256 that a capture by a distant piece is overlooked. Captures by near pieces are overlooked half as often.
    pub(crate) capture: u8,
    /// Captures in a row that are followed after the last ply; the best level follows all.
    pub(crate) captures: u8,
}

/// King moves from which on a capture is distant.
const DISTANT: u8 = 3;

impl Blindness {
    pub(crate) const NONE: Self = Self { quiet: 0, capture: 0, captures: u8::MAX };

    #[inline]
    pub(crate) const fn overlooks_any(self) -> bool {
        self.quiet | self.capture != 0
    }

    /// Whether no captures are followed any more, at this depth below the last ply (0, -1, ..).
    #[inline]
    pub(crate) const fn is_quiescence_over(self, depth: i32) -> bool {
        self.captures != u8::MAX && depth <= -(self.captures as i32)
    }

    /// Whether a move is overlooked. The same move in the same position is overlooked for the whole search.
    ///
    /// A recapture is always seen, and so is every move out of check.
    pub(crate) fn overlooks(self, position: &Position, key: u64, mv: Move, last: Move) -> bool {
        if mv.to() == last.to() || position.is_check() {
            return false;
        }
        let chance = if position.is_capture(mv) {
            let (from, to) = (mv.from().index(), mv.to().index());
            let steps = (from & 7).abs_diff(to & 7).max((from >> 3).abs_diff(to >> 3));
            if steps >= DISTANT { self.capture } else { self.capture / 2 }
        } else {
            self.quiet
        };
        (mix(key ^ u64::from(mv.bits()) << 24) as u8) < chance
    }
}
