/// One of the eight symmetries of the board, which map a wired position to a square: files and ranks are exchanged first, and then
/// mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    pub(super) exchanged: bool,
    pub(super) files_mirrored: bool,
    pub(super) ranks_mirrored: bool,
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_has_its_bits_and_reaches_all_squares() {
        for symmetry in Symmetry::ALL {
            assert_eq!(Symmetry::from_bits(symmetry.bits()), symmetry);
            assert_eq!((0..64).fold(0_u64, |set, wired| set | 1 << symmetry.square(wired)), u64::MAX);
        }
    }
}
