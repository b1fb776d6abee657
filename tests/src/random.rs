//! Pseudo-random numbers for tests (splitmix64): the same seed gives the same sequence in every run.

use std::ops::RangeInclusive;

/// The next number of splitmix64 after this state.
pub fn next_number(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A splitmix64 generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any 64-bit number.
    pub fn number(&mut self) -> u64 {
        next_number(&mut self.0)
    }

    /// A number in a range.
    pub fn within(&mut self, range: RangeInclusive<u64>) -> u64 {
        let (low, high) = range.into_inner();
        low + self.number() % (high - low + 1)
    }

    /// A number from 0 up to, but not including, 1.
    #[expect(clippy::cast_precision_loss, reason = "the 53 bits that remain fit a double")]
    pub fn fraction(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with a probability of `per_thousand` / 1000.
    pub fn happens(&mut self, per_thousand: u64) -> bool {
        self.number() % 1000 < per_thousand
    }

    /// These many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.number() >> 56) as u8).collect()
    }

    /// Shuffles in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.number() % (last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there are no items.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        let index = usize::try_from(self.number() % items.len() as u64).expect("an index fits");
        items[index]
    }
}

/// A seed that differs in every run.
#[must_use]
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to be typed.
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
