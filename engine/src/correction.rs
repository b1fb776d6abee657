//! What searches have found the evaluation to be wrong by, by pawn structure: positions with the same pawns have the same plans.

use chess::{Color, Position};

use crate::evaluate::pawn_hash;
use crate::masked::Masked;

/// Corrections in sixteenths of a centipawn, by a hash of the pawns and the side to move.
pub(crate) struct Corrections(Masked<i16, 1024>);

/// 64 centipawns.
const LIMIT: i32 = 1024;
const PARTS: i32 = 16;
/// No single result moves a correction further.
const MOST: i32 = LIMIT / 4;

fn index(position: &Position) -> usize {
    (pawn_hash(position) >> 32) as u32 as usize & !1 | usize::from(position.turn() == Color::Black)
}

impl Corrections {
    pub(crate) const fn new() -> Self {
        Self(Masked::new([0; 1024]))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|entry| *entry = 0);
    }

    /// Centipawns to be added to the evaluation.
    #[inline]
    pub(crate) fn of(&self, position: &Position) -> i32 {
        i32::from(self.0[index(position)]) / PARTS
    }

    /// A search of this depth has found a score that differs from the corrected evaluation by this.
    pub(crate) fn learn(&mut self, position: &Position, difference: i32, depth: i32) {
        let entry = &mut self.0[index(position)];
        let bonus = (difference * depth / 4).clamp(-MOST, MOST);
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_follows_the_searches_of_the_same_pawns_and_stays_small() {
        let mut corrections = Corrections::new();
        let position: Position = "4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1".parse().expect("a position");
        let other: Position = "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1".parse().expect("a position");
        for _ in 0..1000 {
            corrections.learn(&position, -30_000, 60);
        }
        assert!((-64..-50).contains(&corrections.of(&position)), "{}", corrections.of(&position));
        assert_eq!((corrections.of(&position.pass()), corrections.of(&other)), (0, 0));
        corrections.learn(&position, 100, 8);
        assert!(corrections.of(&position) > -63);
    }
}
