//! Scores in centipawns, seen from the side to move, and pairs of them for middlegame and endgame.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Greater than every score.
pub(crate) const INFINITE: i32 = 32_000;
/// The score of giving mate now; a mate in `n` plies is `MATE - n`.
pub(crate) const MATE: i32 = 31_000;
/// Scores from here on are mates that the search has seen.
pub(crate) const MATE_BOUND: i32 = MATE - 256;
pub(crate) const DRAW: i32 = 0;

/// A middlegame and an endgame score in one register: the endgame score in the upper 16 bits. Sums and products with small numbers
/// work on both at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pair(i32);

impl Pair {
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    pub(crate) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(crate) const fn endgame(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Pair {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl Neg for Pair {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_pair_are_computed_independently() {
        for (a, b) in [(3, -7), (-120, 45), (900, 1200), (-1, -1), (0, -300)] {
            for (c, d) in [(-5, 9), (77, -80), (0, 0), (-900, -1)] {
                let (one, other) = (Pair::new(a, b), Pair::new(c, d));
                let parts = |pair: Pair| (pair.middlegame(), pair.endgame());
                let [a, b, c, d] = [a, b, c, d].map(i32::from);
                assert_eq!(parts(one + other), (a + c, b + d));
                assert_eq!(parts(one - other), (a - c, b - d));
                assert_eq!(parts(one * -3), (a * -3, b * -3));
                assert_eq!(parts(-one), (-a, -b));
            }
        }
    }
}
