use chess::{Bitboard, Square};

use super::budget::{self, Budget};
use super::colour::Rgb;
use super::meaning::Meaning;
use super::rhythm::{CYCLE, TICK};
use super::scene::Scene;
use super::settings::{LightSettings, share};

const LIGHT_SQUARES: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
const _: () = assert!(size_of::<Frame>() == 192);

/// The colours of all 64 lights at one moment.
///
/// Invariant: it keeps to the current budget of its settings, because only [`Scene::frame`] creates a frame that is not
/// dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame([Rgb; 64]);

impl Frame {
    /// All lights off.
    pub const DARK: Self = Self([Rgb::DARK; 64]);

    /// The colour of each square, a1 first, h8 last.
    #[must_use]
    pub const fn colours(&self) -> &[Rgb; 64] {
        &self.0
    }

    /// The colour of a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Rgb {
        self.0.get(usize::from(square.index())).copied().unwrap_or_default()
    }

    /// Rotates the frame by 180 degrees, for a board whose first light is under h8.
    #[must_use]
    pub fn rotated(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Current of the frame in milliamperes.
    #[must_use]
    pub fn milliamps(&self) -> u32 {
        let channels = self.0.iter().flat_map(|colour| colour.channels());
        budget::milliamps(channels.fold(0, |sum, channel| sum.saturating_add(u32::from(channel))))
    }

    fn paint(&mut self, squares: Bitboard, colour: Rgb) {
        for square in squares {
            if let Some(light) = self.0.get_mut(usize::from(square.index())) {
                *light = colour;
            }
        }
    }
}

impl Scene {
    /// The frame `elapsed` milliseconds after the scene began.
    #[must_use]
    pub fn frame(&self, elapsed: u64, settings: LightSettings) -> Frame {
        let budget = self.budget(settings);
        let tick = tick(elapsed);
        let mut frame = Frame::DARK;
        for patch in self.patches(settings) {
            frame.paint(patch.squares, budget.afford(patch.colour(tick)));
        }
        frame
    }

    /// The time of the next different frame after `elapsed`, in milliseconds since the scene began. `None` if the frame
    /// never changes, so that a static scene needs no wake-ups.
    #[must_use]
    pub fn next_change(&self, elapsed: u64, settings: LightSettings) -> Option<u64> {
        let budget = self.budget(settings);
        let tick = tick(elapsed);
        let mut soonest = None;
        for patch in self.patches(settings) {
            let Some(period) = patch.meaning.rhythm().period() else { continue };
            let shown = budget.afford(patch.colour(tick));
            // A rhythm repeats after one period, and changes after the soonest change of another patch do not matter.
            let last = soonest.unwrap_or((period / TICK) as u16);
            let change = (1..=last).find(|&ahead| budget.afford(patch.colour(tick.wrapping_add(ahead))) != shown);
            soonest = change.or(soonest);
        }
        Some((elapsed / TICK).saturating_add(u64::from(soonest?)).saturating_mul(TICK))
    }

    fn budget(&self, settings: LightSettings) -> Budget {
        let mut budget = Budget::new(settings.spare_milliamps());
        for patch in self.patches(settings) {
            budget.spend(patch.brightest(), patch.squares.count());
        }
        budget
    }

    /// Splits the scene into groups of squares that always share a colour.
    fn patches(&self, settings: LightSettings) -> impl Iterator<Item = Patch> {
        let kinds = [(LIGHT_SQUARES, settings.power(true)), (!LIGHT_SQUARES, settings.power(false))];
        self.meanings().flat_map(move |(meaning, squares)| {
            let patches = kinds.map(|(kind, power)| Patch { meaning, squares: squares & kind, power });
            patches.into_iter().filter(|patch| patch.squares.any())
        })
    }
}

/// Squares that always share a colour: one meaning, and either light or dark squares.
struct Patch {
    meaning: Meaning,
    squares: Bitboard,
    /// Brightness at the top of the rhythm, out of 255.
    power: u8,
}

impl Patch {
    fn colour(&self, tick: u16) -> Rgb {
        self.meaning.colour().rgb().gamma_corrected(share(self.power, self.meaning.rhythm().level(tick)))
    }

    /// The colour at the top of the rhythm, which every rhythm reaches.
    fn brightest(&self) -> Rgb {
        self.meaning.colour().rgb().gamma_corrected(self.power)
    }
}

/// Index of the frame in the cycle.
const fn tick(elapsed: u64) -> u16 {
    (elapsed / TICK % CYCLE) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_light_squares_is_right() {
        assert_eq!(Square::all().filter(|square| square.is_light()).collect::<Bitboard>(), LIGHT_SQUARES);
    }
}
