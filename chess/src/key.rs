use crate::position::Position;
use crate::square::Square;

/// A fingerprint of everything that makes two positions the same for the repetition rules: pieces, turn, castling
/// rights, and en passant where it is possible.
///
/// It is computed from the board each time instead of being kept up to date move by move: that needs no table of random
/// numbers (6 KB of flash), and searching engines, who need it a million times a second, are not what this is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    pub(crate) const NONE: Self = Self(0);
}

impl Position {
    /// The fingerprint of this position.
    #[must_use]
    pub fn key(&self) -> Key {
        let en_passant = self.en_passant().map_or(64, Square::index);
        let rest = u64::from(en_passant) << 8 | u64::from(self.castling().bits()) << 1 | self.turn() as u64;
        let words = self.sets.words().iter().map(|set| set.0);
        Key(words.chain([rest]).fold(0, |hash, word| mix(hash ^ word)))
    }
}

/// Spreads each bit over all the others. It can be undone, so two positions that differ in one word never collide.
const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_rules_tell_apart_has_another_key() {
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
        // Counters do not matter, nor does a passed square on which nobody can capture.
        assert_eq!(start, key("4k3/8/8/8/4pP2/8/8/R3K3 b Q f3 7 9"));
        assert_eq!(key("4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 1"), key("4k3/8/8/8/3p1P2/8/8/4K3 b - - 0 1"));
    }
}
