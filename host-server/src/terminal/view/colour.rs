//! Wood, and light that shines through it.

use board::Rgb;
use ratatui::style::Color;

// Each is brown among the 256 colours as well, where most neighbours are olive or mauve.
pub(super) const LIGHT_WOOD: Rgb = Rgb { r: 0xb4, g: 0x8a, b: 0x5c };
pub(super) const DARK_WOOD: Rgb = Rgb { r: 0x78, g: 0x50, b: 0x2c };
pub(super) const MAPLE: Rgb = Rgb { r: 0xf6, g: 0xe6, b: 0xc0 };
pub(super) const EBONY: Rgb = Rgb { r: 0x1e, g: 0x14, b: 0x0e };

/// Which colours the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::terminal) enum Palette {
    /// All of them.
    True,
    /// The 256 that have numbers.
    Numbered,
}

impl Palette {
    /// What a terminal that says this of itself can show.
    pub(in crate::terminal) fn of(colorterm: Option<&str>) -> Self {
        match colorterm {
            Some("truecolor" | "24bit") => Self::True,
            _ => Self::Numbered,
        }
    }

    pub(super) fn colour(self, Rgb { r, g, b }: Rgb) -> Color {
        match self {
            Self::True => Color::Rgb(r, g, b),
            Self::Numbered => Color::Indexed(number(Rgb { r, g, b })),
        }
    }
}

/// What a square looks like whose light is told this.
///
/// A light is told how much power to take, and half the power looks like much more than half as bright; the brain reckons
/// with a square, so its root is what is seen. A dim light tints the wood, and a bright one hides it.
pub(super) fn shine(wood: Rgb, told: Rgb) -> Rgb {
    let seen = told.channels().map(|channel| (u16::from(channel) * 255).isqrt());
    let strongest = seen.into_iter().max().unwrap_or_default();
    if strongest == 0 {
        return wood;
    }
    let [r, g, b] = [0, 1, 2].map(|index| {
        let hue = seen[index] * 255 / strongest;
        let wood = u16::from(wood.channels()[index]);
        ((u32::from(wood) * u32::from(255 - strongest) + u32::from(hue) * u32::from(strongest)) / 255) as u8
    });
    Rgb { r, g, b }
}

/// Whether something dark is easier to see on this than something light.
pub(super) fn is_bright(Rgb { r, g, b }: Rgb) -> bool {
    u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) > 1280
}

/// The number of the nearest colour in the cube of 216 that every such terminal has.
fn number(colour: Rgb) -> u8 {
    // Its steps are 0, 95, 135, 175, 215 and 255.
    let step = |channel: u8| match channel {
        0..48 => 0,
        48..115 => 1,
        _ => (channel - 35) / 40,
    };
    let [r, g, b] = colour.channels().map(step);
    16 + 36 * r + 6 * g + b
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn rgb(r: u8, g: u8, b: u8) -> Rgb {
        Rgb { r, g, b }
    }

    #[test]
    fn no_light_is_wood_and_full_light_hides_it() {
        assert_eq!(shine(DARK_WOOD, Rgb::DARK), DARK_WOOD);
        assert_eq!(shine(DARK_WOOD, rgb(255, 0, 0)), rgb(255, 0, 0));
        let tinted = shine(DARK_WOOD, rgb(0, 4, 0));
        assert!(tinted.g > DARK_WOOD.g && tinted.r < DARK_WOOD.r && tinted.r > 0, "{tinted:?}");
    }

    #[test]
    fn a_terminal_with_few_colours_gets_the_nearest() {
        assert_eq!(number(rgb(0, 0, 0)), 16);
        assert_eq!(number(rgb(255, 255, 255)), 231);
        assert_eq!(number(rgb(255, 0, 0)), 196);
        assert_eq!(number(rgb(0x5f, 0x87, 0xaf)), 67);
        let steps = [0_u8, 95, 135, 175, 215, 255];
        for channel in 0..=255_u8 {
            let near = steps[usize::from(number(rgb(0, 0, channel)) - 16)];
            let best = steps.iter().map(|step| step.abs_diff(channel)).min().unwrap();
            assert!(near.abs_diff(channel) <= best + 1, "{channel}");
        }
        assert_eq!(Palette::of(Some("truecolor")).colour(rgb(1, 2, 3)), Color::Rgb(1, 2, 3));
        assert_eq!(Palette::of(None).colour(rgb(0, 0, 0)), Color::Indexed(16));
    }
}
