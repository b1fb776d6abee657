//! Reset cause of the chip, from the flags in `RCC_CSR`, and a count of resets by cause.

use core::fmt;

/// Why the chip started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// The supply was switched on.
    PowerOn,
    /// The supply fell below the brown-out level.
    BrownOut,
    /// The reset pin: the button B2, or the debug probe.
    Pin,
    /// The firmware: `reboot`, a panic or a fault.
    Software,
    /// The watchdog.
    Watchdog,
    /// A flag of a feature that this firmware does not use, or no flag at all.
    Other,
}

impl ResetCause {
    /// All causes.
    pub const ALL: [Self; 6] = [Self::PowerOn, Self::BrownOut, Self::Pin, Self::Software, Self::Watchdog, Self::Other];

    /// The cause, from the register `RCC_CSR` of an STM32F4 or STM32F7.
    ///
    /// Several flags are set at once: every reset pulls the reset pin low, and a power-on reset passes the brown-out level.
    /// So the flags are tested from the most specific to the least.
    #[must_use]
    pub const fn from_rcc_csr(csr: u32) -> Self {
        const BORRSTF: u32 = 1 << 25;
        const PINRSTF: u32 = 1 << 26;
        const PORRSTF: u32 = 1 << 27;
        const SFTRSTF: u32 = 1 << 28;
        const IWDGRSTF: u32 = 1 << 29;
        const WWDGRSTF: u32 = 1 << 30;
        const LPWRRSTF: u32 = 1 << 31;
        match csr {
            csr if csr & IWDGRSTF != 0 => Self::Watchdog,
            csr if csr & (WWDGRSTF | LPWRRSTF) != 0 => Self::Other,
            csr if csr & SFTRSTF != 0 => Self::Software,
            csr if csr & PORRSTF != 0 => Self::PowerOn,
            csr if csr & BORRSTF != 0 => Self::BrownOut,
            csr if csr & PINRSTF != 0 => Self::Pin,
            _ => Self::Other,
        }
    }

    /// The name in the log, on the console and for the relay.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PowerOn => "power-on",
            Self::BrownOut => "brown-out",
            Self::Pin => "reset pin",
            Self::Software => "software reset",
            Self::Watchdog => "watchdog",
            Self::Other => "unknown",
        }
    }
}

/// How often the board was reset, by cause. The journal keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetCounts([u16; ResetCause::ALL.len()]);

/// Bytes of the counts in the journal.
pub const RESET_COUNTS_BYTES: usize = 2 * ResetCause::ALL.len();

impl ResetCounts {
    /// Decodes the counts. Missing bytes, such as those of a cause that a later version added, count as 0.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Self {
        let mut counts = Self::default();
        for (count, bytes) in counts.0.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *count = u16::from_le_bytes(*bytes);
        }
        counts
    }

    /// Encodes the counts: two bytes each, the low one first, in the order of [`ResetCause::ALL`].
    #[must_use]
    pub fn encode(self) -> [u8; RESET_COUNTS_BYTES] {
        let mut bytes = [0; RESET_COUNTS_BYTES];
        for (bytes, count) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *bytes = count.to_le_bytes();
        }
        bytes
    }

    /// Counts a reset. A count stays at its maximum.
    pub fn add(&mut self, cause: ResetCause) {
        let count = &mut self.0[cause as usize];
        *count = count.saturating_add(1);
    }
}

/// The causes that have occurred: `power-on 12, watchdog 1`.
impl fmt::Display for ResetCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let occurred = ResetCause::ALL.iter().zip(self.0).filter(|(_, count)| *count > 0);
        for (index, (cause, count)) in occurred.enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(f, "{separator}{} {count}", cause.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the register as ST's reference manuals describe them, with the pin flag that every reset sets.
    #[test]
    fn the_most_specific_flag_is_the_cause() {
        for (csr, cause) in [
            (0x0e00_0003, ResetCause::PowerOn),
            (0x0600_0000, ResetCause::BrownOut),
            (0x0400_0001, ResetCause::Pin),
            (0x1400_0000, ResetCause::Software),
            (0x2400_0000, ResetCause::Watchdog),
            (0x3400_0000, ResetCause::Watchdog),
            (0x4400_0000, ResetCause::Other),
            (0x0000_0003, ResetCause::Other),
        ] {
            assert_eq!(ResetCause::from_rcc_csr(csr), cause, "{csr:#010x}");
        }
    }

    #[test]
    fn counts_survive_encoding() {
        let mut counts = ResetCounts::decode(&[]);
        assert_eq!(counts.to_string(), "");
        counts.add(ResetCause::Watchdog);
        for _ in 0..300 {
            counts.add(ResetCause::PowerOn);
        }
        let counts = ResetCounts::decode(&counts.encode());
        assert_eq!(counts.to_string(), "power-on 300, watchdog 1");
    }

    #[test]
    fn a_count_stays_at_its_maximum() {
        let mut counts = ResetCounts::decode(&[0xff, 0xff]);
        counts.add(ResetCause::PowerOn);
        assert_eq!(counts.to_string(), "power-on 65535");
    }
}
