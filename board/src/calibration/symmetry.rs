use chess::{Bitboard, Square};

/// One of the eight symmetries of the board, which map a wired position to a square: files and ranks are exchanged first, and then
/// mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    exchanged: bool,
    files_mirrored: bool,
    ranks_mirrored: bool,
}

impl Symmetry {
    /// Every position is its square.
    pub const IDENTITY: Self = Self { exchanged: false, files_mirrored: false, ranks_mirrored: false };

    /// All symmetries.
    pub const ALL: [Self; 8] = [
        Self::from_bits(0),
        Self::from_bits(1),
        Self::from_bits(2),
        Self::from_bits(3),
        Self::from_bits(4),
        Self::from_bits(5),
        Self::from_bits(6),
        Self::from_bits(7),
    ];

    /// Decodes the three lowest bits.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self { exchanged: bits & 1 != 0, files_mirrored: bits & 2 != 0, ranks_mirrored: bits & 4 != 0 }
    }

    /// The symmetry in three bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.exchanged as u8 | (self.files_mirrored as u8) << 1 | (self.ranks_mirrored as u8) << 2
    }

    /// The square of a wired position, both from 0 (a1) to 63 (h8).
    #[must_use]
    pub const fn square(self, wired: u8) -> u8 {
        let (file, rank) = (wired & 7, wired >> 3 & 7);
        let (file, rank) = if self.exchanged { (rank, file) } else { (file, rank) };
        let file = if self.files_mirrored { 7 ^ file } else { file };
        let rank = if self.ranks_mirrored { 7 ^ rank } else { rank };
        rank << 3 | file
    }

    /// The squares of wired positions.
    #[must_use]
    pub fn squares(self, wired: Bitboard) -> Bitboard {
        if self == Self::IDENTITY {
            return wired;
        }
        wired.squares().map(|position| Square::from_index(self.square(position.index()))).collect()
    }

    /// The wired positions of squares: the inverse of [`squares`](Self::squares).
    #[must_use]
    pub fn wired(self, squares: Bitboard) -> Bitboard {
        Square::all().filter(|position| squares.has(Square::from_index(self.square(position.index())))).collect()
    }

    /// The symmetry that maps these wired positions to these squares; none if they are not arranged as on the board.
    #[must_use]
    pub fn find(pairs: &[(u8, u8)]) -> Option<Self> {
        Self::ALL.into_iter().find(|symmetry| pairs.iter().all(|(wired, square)| symmetry.square(*wired) == *square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: Bitboard = Bitboard(0x8142_2418_00ff_3c01);

    #[test]
    fn squares_and_positions_are_inverse() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.wired(symmetry.squares(POSITIONS)), POSITIONS);
            assert_eq!(Symmetry::from_bits(symmetry.bits()), symmetry);
        }
    }

    #[test]
    fn three_corners_tell_all_symmetries_apart() {
        for symmetry in Symmetry::ALL {
            let wired = [0, 7, 56].map(|square| symmetry.wired(Bitboard(1 << square)).0.trailing_zeros() as u8);
            let pairs = [(wired[0], 0), (wired[1], 7), (wired[2], 56)];
            assert_eq!(Symmetry::find(&pairs), Some(symmetry));
        }
        assert_eq!(Symmetry::find(&[(18, 0), (7, 7), (56, 56)]), None);
    }
}
