use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::{File, Rank, Square};

/// A set of squares, one bit each: bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(u64::MAX);

    /// The set of one square.
    #[must_use]
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1_u64.wrapping_shl(square.index() as u32))
    }

    /// The eight squares of a file.
    #[must_use]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101_u64.wrapping_shl(file.index() as u32))
    }

    /// The eight squares of a rank.
    #[must_use]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff_u64.wrapping_shl((rank.index() << 3) as u32))
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    #[must_use]
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[must_use]
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u32 {
        if cfg!(target_pointer_width = "64") { self.0.count_ones() } else { count_by_halves(self.0) }
    }

    /// Whether the set contains this square.
    #[must_use]
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 & Self::of(square).0 != 0
    }

    /// The square with the lowest index.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// The square with the lowest index of a set that is known not to be empty; of the empty one, a1.
    #[inline]
    pub(crate) const fn lowest(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// The set of only the square with the lowest index.
    #[inline]
    pub(crate) const fn lowest_bit(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The squares that are in this set and not in the other.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Shifts all squares by a number of indices. Squares that leave the board are dropped; squares that cross the left or
    /// right edge wrap to the next rank, so callers mask a file before they shift sideways.
    #[inline]
    pub(crate) const fn shift(self, by: i8) -> Self {
        if by >= 0 {
            Self(self.0.wrapping_shl(by.unsigned_abs() as u32))
        } else {
            Self(self.0.wrapping_shr(by.unsigned_abs() as u32))
        }
    }

    /// The squares, the lowest index first.
    #[must_use]
    pub const fn squares(self) -> Squares {
        Squares(self)
    }
}

/// Population count for 32-bit cores without a count instruction: the halves are added as soon as the partial sums fit,
/// which is cheaper than counting each half.
const fn count_by_halves(bits: u64) -> u32 {
    const fn in_fours(bits: u32) -> u32 {
        let in_pairs = bits.wrapping_sub(bits >> 1 & 0x5555_5555);
        (in_pairs & 0x3333_3333).wrapping_add(in_pairs >> 2 & 0x3333_3333)
    }
    let in_fours = in_fours(bits as u32).wrapping_add(in_fours((bits >> 32) as u32));
    let in_eights = (in_fours & 0x0f0f_0f0f).wrapping_add(in_fours >> 4 & 0x0f0f_0f0f);
    in_eights.wrapping_mul(0x0101_0101) >> 24
}

macro_rules! set_operator {
    ($($operator:ident $method:ident $assign_operator:ident $assign_method:ident)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assign_operator for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

set_operator! {
    BitAnd bitand BitAndAssign bitand_assign
    BitOr bitor BitOrAssign bitor_assign
    BitXor bitxor BitXorAssign bitxor_assign
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Eight rows of marks, the eighth rank on top.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { " X" } else { " ." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// The squares of a [`Bitboard`], the lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_round_trip() {
        for set in [0, 1, 1 << 63, 0x8100_0000_0000_0081, u64::MAX].map(Bitboard) {
            assert_eq!(set.squares().collect::<Bitboard>(), set);
            assert_eq!(set.squares().len(), set.squares().count());
        }
    }

    #[test]
    fn both_population_counts_agree() {
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for bits in [bits, bits & bits >> 7, bits | bits << 9, !0, 0] {
                assert_eq!(count_by_halves(bits), bits.count_ones());
            }
        }
    }

    #[test]
    fn a_file_and_a_rank_share_one_square() {
        for square in Square::all() {
            assert_eq!(Bitboard::file(square.file()) & Bitboard::rank(square.rank()), Bitboard::of(square));
        }
    }
}
