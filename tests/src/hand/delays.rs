//! How long things took.

use std::collections::BTreeMap;

/// How often something took each number of milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    counts: BTreeMap<u64, u64>,
}

impl Delays {
    /// One more took so long.
    pub fn add(&mut self, milliseconds: u64) {
        *self.counts.entry(milliseconds).or_default() += 1;
    }

    /// Adds others.
    pub fn absorb(&mut self, other: &Self) {
        for (&delay, &count) in &other.counts {
            *self.counts.entry(delay).or_default() += count;
        }
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The longest.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }

    /// The shortest time that so many in a thousand did not exceed.
    #[must_use]
    pub fn reached_by(&self, per_thousand: u64) -> u64 {
        let wanted = (self.count() * per_thousand).div_ceil(1000);
        let mut seen = 0;
        for (&delay, &count) in &self.counts {
            seen += count;
            if seen >= wanted {
                return delay;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_them_and_most_of_them_and_the_longest() {
        let mut delays = Delays::default();
        for delay in 1..=200 {
            delays.add(delay);
        }
        assert_eq!((delays.reached_by(500), delays.reached_by(990), delays.longest()), (100, 198, 200));
        delays.absorb(&delays.clone());
        assert_eq!((delays.count(), delays.reached_by(500)), (400, 100));
        assert_eq!(Delays::default().reached_by(990), 0);
    }
}
