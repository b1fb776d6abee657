/// Duty cycles of the three channels of one LED, out of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the channels are sufficient")]
pub struct Rgb {
    pub r: u8,
    pub g: u8,
    pub b: u8,
}

impl Rgb {
    /// All channels off.
    pub const DARK: Self = Self { r: 0, g: 0, b: 0 };

    /// Red, green and blue.
    #[must_use]
    pub const fn channels(self) -> [u8; 3] {
        [self.r, self.g, self.b]
    }

    pub(super) fn map(self, change: impl Fn(u8) -> u8) -> Self {
        Self { r: change(self.r), g: change(self.g), b: change(self.b) }
    }

    /// Gamma correction: converts a perceived colour into duty cycles, at a perceived brightness of `power` out of 255.
    ///
    /// Gamma 2 needs no table, is precise enough for these LEDs, and is close to sRGB, so the hexadecimal colours in
    /// `docs/lights.md` look similar on a screen and on the board.
    ///
    /// The strongest channel keeps at least one step, so a lit colour never goes dark. The weaker channels may go dark: one
    /// step of each would turn all dim colours into the same grey.
    pub(super) fn gamma_corrected(self, power: u8) -> Self {
        const WHOLE: u32 = 255 * 255 * 255;
        let strongest = self.r.max(self.g).max(self.b);
        self.map(|channel| {
            // 255^4 plus half of WHOLE for rounding fits into 32 bits: nothing wraps.
            let perceived = u32::from(channel).wrapping_mul(u32::from(power));
            let duty = (perceived.wrapping_mul(perceived).wrapping_add(WHOLE / 2) / WHOLE) as u8;
            if channel == strongest && perceived > 0 { duty.max(1) } else { duty }
        })
    }
}

/// The palette. Colours that share a rhythm are chosen to be far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Illegal move, check, mate.
    Red,
    /// A piece must be removed.
    Orange,
    /// Takeback, low time, winner.
    Amber,
    /// The board asks for a confirmation.
    Yellow,
    /// Allowed, or expected from the player.
    Green,
    /// The opponent, or rules other than chess.
    Blue,
    /// A fault of the board, or a promotion to a queen.
    Magenta,
    /// The player's own move. A warm white, because pure white looks cold on wood.
    White,
    /// Dim violet.
    Violet,
    /// Dim white.
    Moonlight,
    /// Dim blue.
    Dusk,
}

impl Colour {
    /// The perceived colour, as on a screen.
    #[must_use]
    pub const fn rgb(self) -> Rgb {
        match self {
            Self::Red => rgb(0xff, 0x00, 0x00),
            Self::Orange => rgb(0xff, 0x68, 0x00),
            Self::Amber => rgb(0xff, 0xa8, 0x00),
            Self::Yellow => rgb(0xff, 0xdc, 0x20),
            Self::Green => rgb(0x00, 0xd8, 0x30),
            Self::Blue => rgb(0x00, 0x48, 0xff),
            Self::Magenta => rgb(0xff, 0x00, 0xa0),
            Self::White => rgb(0xff, 0xe4, 0xc0),
            Self::Violet => rgb(0x40, 0x10, 0x68),
            Self::Moonlight => rgb(0x70, 0x68, 0x58),
            Self::Dusk => rgb(0x20, 0x30, 0x80),
        }
    }
}

const fn rgb(r: u8, g: u8, b: u8) -> Rgb {
    Rgb { r, g, b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_correction_is_monotonic_and_never_turns_a_light_off() {
        for channel in 0..=255 {
            let one = |power| rgb(channel, 0, 0).gamma_corrected(power).r;
            assert_eq!(one(0), 0);
            assert!((1..=255).all(|power| one(power - 1) <= one(power)));
            assert!((1..=255).all(|power| (one(power) > 0) == (channel > 0)));
        }
        assert_eq!(rgb(255, 255, 255).gamma_corrected(255), rgb(255, 255, 255));
        // Half of the perceived brightness is a quarter of the light.
        assert_eq!(rgb(255, 128, 0).gamma_corrected(128), rgb(64, 16, 0));
        assert_eq!(rgb(255, 128, 0).gamma_corrected(1), rgb(1, 0, 0));
    }
}
