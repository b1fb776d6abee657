//! Looking at the lights for a while.

use board::{LightSettings, Meaning, Rgb, Scene};
use chess::Square;

/// The lights change at most so often, in milliseconds. That they do not change in between is proven in `idle.rs`.
pub(crate) const TICK: u64 = 20;

/// The colours of one square over one period of what it says; one colour if that is steady.
pub(crate) fn watch(meaning: Meaning, settings: LightSettings) -> Vec<Rgb> {
    let scene = Scene::EMPTY.with(meaning, Square::E4);
    let period = meaning.rhythm().period().unwrap_or(TICK);
    (0..period / TICK).map(|tick| scene.frame(tick * TICK, settings).at(Square::E4)).collect()
}

/// How much light there is for the eye, which sees green best and blue worst; 1 is all three at their brightest.
pub(crate) fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = colour.channels().map(|channel| f64::from(channel) / 255.0);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// As bright as can be, so that nothing but the scene itself is looked at.
pub(crate) const FULL: LightSettings =
    LightSettings { brightness: 255, budget_milliamps: u16::MAX, light_squares: 255, dark_squares: 255 };
