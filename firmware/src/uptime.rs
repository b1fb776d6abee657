//! The heartbeat of the board: blinks the status LED, and logs the uptime once a minute.

/// Duration of a beat in milliseconds. The LED toggles at every beat.
pub const BEAT_MS: u64 = 500;

const BEATS_PER_MINUTE: u32 = 60_000 / BEAT_MS as u32;

/// Counts beats. The caller calls [`UptimeBlink::beat`] every [`BEAT_MS`].
#[derive(Clone, Debug, Default)]
pub struct UptimeBlink {
    lit: bool,
    beats_this_minute: u32,
    minutes: u32,
}

/// The output of a beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Whether the LED is on until the next beat.
    pub lit: bool,
    /// The uptime in minutes, if a minute has just been completed.
    pub minutes: Option<u32>,
}

impl UptimeBlink {
    /// Advances by [`BEAT_MS`].
    pub fn beat(&mut self) -> Beat {
        self.lit = !self.lit;
        self.beats_this_minute += 1;
        let minutes = (self.beats_this_minute == BEATS_PER_MINUTE).then(|| {
            self.beats_this_minute = 0;
            // Saturates after eight thousand years.
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
    fn the_led_toggles_at_every_beat() {
        let mut uptime = UptimeBlink::default();
        let lit: Vec<bool> = (0..4).map(|_| uptime.beat().lit).collect();
        assert_eq!(lit, [true, false, true, false]);
    }

    #[test]
    fn the_uptime_is_reported_once_a_minute() {
        let mut uptime = UptimeBlink::default();
        let reports: Vec<(u64, u32)> =
            (1..=360).filter_map(|beat| uptime.beat().minutes.map(|minutes| (beat * BEAT_MS, minutes))).collect();
        assert_eq!(reports, [(60_000, 1), (120_000, 2), (180_000, 3)]);
    }
}
