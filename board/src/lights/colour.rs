/// What one light is told: how long each of its three colours is on, out of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "a part of a colour says it all by its name")]
pub struct Rgb {
    pub r: u8,
    pub g: u8,
    pub b: u8,
}

impl Rgb {
    /// No light.
    pub const DARK: Self = Self { r: 0, g: 0, b: 0 };

    /// The red, the green and the blue part.
    #[must_use]
    pub const fn channels(self) -> [u8; 3] {
        [self.r, self.g, self.b]
    }

    /// The same change made to each part.
    pub(super) fn map(self, change: impl Fn(u8) -> u8) -> Self {
        Self { r: change(self.r), g: change(self.g), b: change(self.b) }
    }

    /// From a colour as the eye sees it to the one that the light has to be told, with so much of its power.
    ///
    /// Half the light looks like much more than half as bright. A square law is as near to what eyes do as the light of
    /// such cheap diodes deserves, needs no table, and is close to how screens read the same hexadecimal digits, so the
    /// colours in the document look on a page as they do on the wood.
    ///
    /// What is lit at all never vanishes, however little power there is: its strongest part keeps one step. The weaker
    /// parts may vanish, for a step of each would make all dim colours the same grey.
    pub(super) fn glow(self, power: u8) -> Self {
        const WHOLE: u32 = 255 * 255 * 255;
        let strongest = self.r.max(self.g).max(self.b);
        self.map(|channel| {
            // The fourth power of 255 is below the highest number by more than is added for rounding: nothing wraps.
            let seen = u32::from(channel).wrapping_mul(u32::from(power));
            let told = (seen.wrapping_mul(seen).wrapping_add(WHOLE / 2) / WHOLE) as u8;
            if channel == strongest && seen > 0 { told.max(1) } else { told }
        })
    }
}

/// The few colours that the board speaks in, each chosen to keep its distance from those that share a rhythm with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// What must not be, or hurts.
    Red,
    /// What has to go.
    Orange,
    /// What comes back, or runs out.
    Amber,
    /// A question.
    Yellow,
    /// What may be done.
    Green,
    /// Somebody else: the opponent, or rules that are not those of chess.
    Blue,
    /// The board itself, or a choice that chess seldom offers.
    Magenta,
    /// The player's own doing. It is as warm as a lamp, for a white diode is colder than wood likes.
    White,
    /// Amber that hardly glows.
    Ember,
    /// White that hardly glows.
    Moonlight,
    /// Blue that hardly glows.
    Dusk,
}

impl Colour {
    /// How it looks, as on a screen.
    #[must_use]
    pub const fn rgb(self) -> Rgb {
        match self {
            Self::Red => seen(0xff, 0x00, 0x00),
            Self::Orange => seen(0xff, 0x68, 0x00),
            Self::Amber => seen(0xff, 0xa8, 0x00),
            Self::Yellow => seen(0xff, 0xdc, 0x20),
            Self::Green => seen(0x00, 0xd8, 0x30),
            Self::Blue => seen(0x00, 0x48, 0xff),
            Self::Magenta => seen(0xff, 0x00, 0xa0),
            Self::White => seen(0xff, 0xe4, 0xc0),
            Self::Ember => seen(0x58, 0x34, 0x00),
            Self::Moonlight => seen(0x70, 0x68, 0x58),
            Self::Dusk => seen(0x20, 0x30, 0x80),
        }
    }
}

const fn seen(r: u8, g: u8, b: u8) -> Rgb {
    Rgb { r, g, b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_power_is_never_less_light_and_a_little_is_never_none() {
        for channel in 0..=255 {
            let one = |power| seen(channel, 0, 0).glow(power).r;
            assert_eq!(one(0), 0);
            assert!((1..=255).all(|power| one(power - 1) <= one(power)));
            assert!((1..=255).all(|power| (one(power) > 0) == (channel > 0)));
        }
        assert_eq!(seen(255, 255, 255).glow(255), seen(255, 255, 255));
        // Half of what is seen is a quarter of the light.
        assert_eq!(seen(255, 128, 0).glow(128), seen(64, 16, 0));
        assert_eq!(seen(255, 128, 0).glow(1), seen(1, 0, 0));
    }
}
