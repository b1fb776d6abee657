use crate::position::Position;
use crate::square::Square;

/// Hash of a position for the repetition rules: pieces, side to move, castling rights, and en passant if possible.
///
/// It is computed from the board each time, and not updated with each move like a Zobrist key: that needs no table of
/// random numbers (6 KB of flash). Only search engines would need the faster update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    pub(crate) const NONE: Self = Self(0);
}

impl Position {
    /// The hash of this position.
    #[must_use]
    pub fn key(&self) -> Key {
        let en_passant = self.en_passant().map_or(64, Square::index);
        let rest = u64::from(en_passant) << 8 | u64::from(self.castling().bits()) << 1 | self.turn() as u64;
        let words = self.sets.words().iter().map(|set| set.0);
        Key(words.chain([rest]).fold(0, |hash, word| mix(hash ^ word)))
    }
}

/// Bijective 64-bit mixer: two positions that differ in one word never collide.
const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_exactly_if_positions_differ_for_the_repetition_rules() {
        let key = |fen: &str| fen.parse::<Position>().expect(fen).key();
        let start = key("4k3/8/8/8/4pP2/8/8/R3K3 b Q f3 0 1");
        for other in [
            "4k3/8/8/8/4pP2/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/4pP2/8/8/R3K3 b - f3 0 1",
            "4k3/8/8/8/4pP2/8/8/R3K3 b Q - 0 1",
            "4k3/8/8/8/4pP2/8/8/R2K4 b - f3 0 1",
            "4k3/8/8/8/4pP2/8/8/Q3K3 b - f3 0 1",
        ] {
            assert_ne!(start, key(other), "{other}");
        }
        // Counters do not matter, and neither does an en passant square without a possible capture.
        assert_eq!(start, key("4k3/8/8/8/4pP2/8/8/R3K3 b Q f3 7 9"));
        assert_eq!(key("4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 1"), key("4k3/8/8/8/3p1P2/8/8/4K3 b - - 0 1"));
    }
}
