//! A histogram of delays.

use std::collections::BTreeMap;

/// Counts of delays by milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: BTreeMap<u64, u64>,
}

impl Histogram {
    /// Adds a delay.
    pub fn add(&mut self, milliseconds: u64) {
        *self.counts.entry(milliseconds).or_default() += 1;
    }

    /// Adds all delays of another histogram.
    pub fn absorb(&mut self, other: &Self) {
        for (&delay, &count) in &other.counts {
            *self.counts.entry(delay).or_default() += count;
        }
    }

    /// Number of delays.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The longest delay.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }

    /// The delay that this many in a thousand do not exceed.
    #[must_use]
    pub fn reached_by(&self, per_thousand: u64) -> u64 {
        let limit = (self.count() * per_thousand).div_ceil(1000);
        let mut seen = 0;
        for (&delay, &count) in &self.counts {
            seen += count;
            if seen >= limit {
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
    fn computes_percentiles() {
        let mut delays = Histogram::default();
        for delay in 1..=200 {
            delays.add(delay);
        }
        assert_eq!((delays.reached_by(500), delays.reached_by(990), delays.longest()), (100, 198, 200));
        delays.absorb(&delays.clone());
        assert_eq!((delays.count(), delays.reached_by(500)), (400, 100));
        assert_eq!(Histogram::default().reached_by(990), 0);
    }
}
