use chess::Bitboard;

/// Debounces 64 reed switches at once.
///
/// A square changes when it has read differently for `depth` scans in a row. The counters are stored in bit planes: bit 0
/// of all squares in one word, bit 1 in the next. So one addition counts for all squares in a few instructions.
#[derive(Clone, Debug)]
pub struct Debounce {
    depth: u8,
    occupied: Bitboard,
    /// How many scans in a row each square has read differently, one word per bit.
    counters: [Bitboard; 4],
}

/// Changes found by one scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Squares that have become empty.
    pub lifted: Bitboard,
    /// Squares that have become occupied.
    pub placed: Bitboard,
    /// Squares that had read differently for less than `depth` scans and are back to their state: bounce, or a magnet too weak.
    pub wavered: Bitboard,
}

impl Debounce {
    /// The counters have four bits.
    pub const MAX_DEPTH: u8 = 15;

    /// Starts from a board that is known to look like this. A depth of 0 means 1: every scan is believed.
    #[must_use]
    pub const fn new(depth: u8, occupied: Bitboard) -> Self {
        let depth = match depth {
            0 => 1,
            1..=Self::MAX_DEPTH => depth,
            _ => Self::MAX_DEPTH,
        };
        Self { depth, occupied, counters: [Bitboard::EMPTY; 4] }
    }

    /// What is occupied, bounce aside.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Takes in one scan of all squares.
    pub fn scan(&mut self, raw: Bitboard) -> Scan {
        let differs = raw ^ self.occupied;
        let [ones, twos, fours, eights] = self.counters;
        let counting = ones | twos | fours | eights;
        // Nothing moves on the board most of the time.
        if (differs | counting).is_empty() {
            return Scan::default();
        }

        // Add one where a square differs, start again where it does not.
        let mut carry = differs;
        let mut reached = differs;
        for (index, bit) in self.counters.iter_mut().enumerate() {
            let sum = *bit ^ carry;
            carry &= *bit;
            *bit = sum & differs;
            reached &= if self.depth >> index & 1 == 1 { *bit } else { !*bit };
        }
        for bit in &mut self.counters {
            *bit = bit.without(reached);
        }
        self.occupied ^= reached;
        Scan { lifted: reached & !raw, placed: reached & raw, wavered: counting.without(differs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same for one square, the plain way.
    struct Plain {
        occupied: bool,
        count: u8,
    }

    impl Plain {
        fn scan(&mut self, depth: u8, raw: bool) -> (bool, bool) {
            let wavered = raw == self.occupied && self.count > 0;
            self.count = if raw == self.occupied { 0 } else { self.count + 1 };
            let changed = self.count == depth;
            if changed {
                self.occupied = raw;
                self.count = 0;
            }
            (changed, wavered)
        }
    }

    #[test]
    fn squares_are_debounced_independently() {
        for depth in 1..=Debounce::MAX_DEPTH {
            let mut debounce = Debounce::new(depth, Bitboard(0xffff_0000_0000_ffff));
            let mut plain = [const { Plain { occupied: false, count: 0 } }; 64];
            for (square, plain) in chess::Square::all().zip(&mut plain) {
                plain.occupied = debounce.occupied().has(square);
            }
            let mut random = 0x2545_f491_4f6c_dd1d_u64;
            let mut raw = 0;
            for _ in 0..4000 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                // A few squares change in each scan, so that some counters run up to any depth.
                raw ^= random & random.rotate_left(11) & random.rotate_left(23) & random.rotate_left(41);
                let scan = debounce.scan(Bitboard(raw));
                for (square, plain) in chess::Square::all().zip(&mut plain) {
                    let now = Bitboard(raw).has(square);
                    let (changed, wavered) = plain.scan(depth, now);
                    assert_eq!(scan.lifted.has(square), changed && !now);
                    assert_eq!(scan.placed.has(square), changed && now);
                    assert_eq!(scan.wavered.has(square), wavered);
                    assert_eq!(debounce.occupied().has(square), plain.occupied);
                }
            }
        }
    }

    #[test]
    fn the_depth_is_clamped() {
        let mut eager = Debounce::new(0, Bitboard::EMPTY);
        assert_eq!(eager.scan(Bitboard(1)).placed, Bitboard(1));
        let mut slow = Debounce::new(200, Bitboard::EMPTY);
        let scans = (1..=u32::from(u8::MAX)).find(|_| slow.scan(Bitboard(1)).placed.any());
        assert_eq!(scans, Some(u32::from(Debounce::MAX_DEPTH)));
    }
}
