//! All frames of a scene, rendered by the board crate, to compare with what an emulated board shows.

use board::{LightSettings, Rgb, Scene};
use chess::{Bitboard, Square};

/// The colours of all 64 lights, a1 first.
pub type Lights = [Rgb; 64];

/// A scene with all its frames.
pub struct ScenePattern {
    scene: Scene,
    /// The squares with a meaning.
    marked: Bitboard,
    frames: Vec<Lights>,
}

impl ScenePattern {
    /// Renders a scene with the default settings.
    #[must_use]
    pub fn of(scene: Scene) -> Self {
        let marks = || Square::all().filter_map(|square| Some((square, scene.at(square)?)));
        let marked = marks().map(|(square, _)| square).collect();
        // The period of the whole scene, in milliseconds.
        let round = marks().filter_map(|(_, meaning)| meaning.rhythm().period()).fold(FRAME_MS, common_multiple);
        let times = (0..round / FRAME_MS).map(|frame| frame * FRAME_MS);
        let mut frames: Vec<Lights> =
            times.map(|time| *scene.frame(time, LightSettings::default()).colours()).collect();
        frames.dedup();
        Self { scene, marked, frames }
    }

    /// Whether these lights are a frame of this scene.
    #[must_use]
    pub fn has(&self, lights: &Lights) -> bool {
        self.frames.contains(lights)
    }

    /// Whether these lights are a frame in which every marked square is lit. A scene with more or fewer marks has no such frame.
    #[must_use]
    pub fn is_fully_lit_in(&self, lights: &Lights) -> bool {
        lit(lights) == self.marked && self.has(lights)
    }

    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// Frame period of the lights.
const FRAME_MS: u64 = 20;

fn common_multiple(one: u64, other: u64) -> u64 {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}

/// The squares that are lit.
#[must_use]
pub fn lit(lights: &Lights) -> Bitboard {
    Square::all().filter(|square| lights[usize::from(square.index())] != Rgb::DARK).collect()
}

/// The lit squares and their colours, for error messages.
#[must_use]
pub fn describe(lights: &Lights) -> String {
    let word = |square: Square| {
        let Rgb { r, g, b } = lights[usize::from(square.index())];
        format!("{square} #{r:02x}{g:02x}{b:02x}")
    };
    let words: Vec<String> = lit(lights).squares().map(word).collect();
    if words.is_empty() { "dark".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use board::Meaning;

    use super::*;

    #[test]
    fn distinguishes_scenes_with_more_or_fewer_meanings() {
        let less = Scene::EMPTY.with(Meaning::OpponentFrom, Square::E2).with(Meaning::OpponentTo, Square::E4);
        let more = less.with(Meaning::Check, Square::E8);
        let (less, more) = (ScenePattern::of(less), ScenePattern::of(more));
        let fully_lit =
            |pattern: &ScenePattern| pattern.frames.iter().filter(|frame| pattern.is_fully_lit_in(frame)).count();
        assert!(fully_lit(&less) > 0 && fully_lit(&more) > 0);
        assert!(!less.frames.iter().any(|frame| more.is_fully_lit_in(frame)));
        assert!(!more.frames.iter().any(|frame| less.is_fully_lit_in(frame)));
    }

    #[test]
    fn an_empty_scene_is_dark() {
        let pattern = ScenePattern::of(Scene::EMPTY);
        assert!(pattern.is_fully_lit_in(&[Rgb::DARK; 64]));
        assert_eq!((pattern.frames.len(), describe(&pattern.frames[0])), (1, "dark".to_owned()));
    }
}
