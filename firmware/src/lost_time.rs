//! The time that a clock loses while the processor serves no interrupts.

/// Differences below this count as measurement error, in microseconds. The clock of embassy and the stopwatch have different
/// sources, and are read one after the other.
const TOLERANCE_US: u64 = 2_000;

/// The sum of all lost time.
#[derive(Clone, Copy, Debug, Default)]
pub struct LostTime {
    microseconds: u64,
}

impl LostTime {
    /// No lost time.
    #[must_use]
    pub const fn new() -> Self {
        Self { microseconds: 0 }
    }

    /// Adds a measurement: the time that has passed, and the time that the clock has counted meanwhile.
    pub fn add(&mut self, passed_us: u32, counted_us: u64) {
        let lost = u64::from(passed_us).saturating_sub(counted_us);
        if lost > TOLERANCE_US {
            self.microseconds += lost;
        }
    }

    /// The lost time in milliseconds, rounded down, so that a corrected clock never runs ahead.
    #[must_use]
    pub const fn milliseconds(self) -> u32 {
        (self.microseconds / 1000) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erase_without_interrupts_is_added() {
        let mut lost = LostTime::new();
        lost.add(2_000_900, 65_400);
        assert_eq!(lost.milliseconds(), 1935);
        lost.add(4_000_000, 0);
        assert_eq!(lost.milliseconds(), 5935);
    }

    #[test]
    fn a_clock_that_went_on_is_not_changed() {
        let mut lost = LostTime::new();
        lost.add(4_000_000, 4_000_100);
        lost.add(4_000_000, 3_999_000);
        assert_eq!(lost.milliseconds(), 0);
    }
}
