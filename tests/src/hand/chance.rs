//! Random numbers that are the same in every run with the same seed.

use std::ops::RangeInclusive;

/// A small generator, good enough to be clumsy with.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The same seed gives the same hand.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in a range.
    pub fn within(&mut self, range: RangeInclusive<u64>) -> u64 {
        let (low, high) = range.into_inner();
        low + self.number() % (high - low + 1)
    }

    /// Whether something happens that happens so many times in a thousand.
    pub fn happens(&mut self, per_thousand: u64) -> bool {
        self.number() % 1000 < per_thousand
    }

    /// Puts things in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.number() % (last as u64 + 1);
            things.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }

    /// One of several things, of which there is at least one.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        let index = usize::try_from(self.number() % things.len() as u64).expect("an index fits");
        things[index]
    }
}
