//! Samples the light of a square over time.

use board::{LightSettings, Meaning, Rgb, Scene};
use chess::Square;

/// Duration of a frame in milliseconds. `idle.rs` tests that lights do not change in between.
pub(crate) const TICK: u64 = 20;

/// The colours of one square over one period; one colour if the meaning is steady.
pub(crate) fn watch(meaning: Meaning, settings: LightSettings) -> Vec<Rgb> {
    let scene = Scene::EMPTY.with(meaning, Square::E4);
    let period = meaning.rhythm().period().unwrap_or(TICK);
    (0..period / TICK).map(|tick| scene.frame(tick * TICK, settings).at(Square::E4)).collect()
}

/// Relative luminance; 1 is full white.
pub(crate) fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = colour.channels().map(|channel| f64::from(channel) / 255.0);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// As bright as can be, so that nothing but the scene itself is looked at.
pub(crate) const FULL: LightSettings =
    LightSettings { brightness: 255, budget_milliamps: u16::MAX, light_squares: 255, dark_squares: 255 };
