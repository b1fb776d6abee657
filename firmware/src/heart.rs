//! The sign of life: when the light is on, and when the log hears that the board is still there.

/// How long a beat lasts, in milliseconds. The light changes with every beat: once a second it is lit.
pub const BEAT_MS: u64 = 500;

const BEATS_PER_MINUTE: u32 = 60_000 / BEAT_MS as u32;

/// Counts beats. It knows no clock: whoever owns it calls [`Heart::beat`] every [`BEAT_MS`].
#[derive(Clone, Debug, Default)]
pub struct Heart {
    lit: bool,
    beats_this_minute: u32,
    minutes: u32,
}

/// What to do at one beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Whether the light is on until the next beat.
    pub lit: bool,
    /// The age in minutes, when a whole minute has just gone by.
    pub minutes: Option<u32>,
}

impl Heart {
    /// Half a second has gone by.
    pub fn beat(&mut self) -> Beat {
        self.lit = !self.lit;
        self.beats_this_minute += 1;
        let minutes = (self.beats_this_minute == BEATS_PER_MINUTE).then(|| {
            self.beats_this_minute = 0;
            // At one a minute this saturates after eight thousand years.
            self.minutes = self.minutes.saturating_add(1);
            self.minutes
        });
        Beat { lit: self.lit, minutes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_light_changes_with_every_beat() {
        let mut heart = Heart::default();
        let lit: Vec<bool> = (0..4).map(|_| heart.beat().lit).collect();
        assert_eq!(lit, [true, false, true, false]);
    }

    #[test]
    fn the_log_hears_of_it_once_a_minute() {
        let mut heart = Heart::default();
        let reports: Vec<(u64, u32)> =
            (1..=360).filter_map(|beat| heart.beat().minutes.map(|minutes| (beat * BEAT_MS, minutes))).collect();
        assert_eq!(reports, [(60_000, 1), (120_000, 2), (180_000, 3)]);
    }
}
