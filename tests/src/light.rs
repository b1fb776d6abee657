//! How a scene looks in light: every frame that it has, made by the crate that the documented meanings are in.

use board::{LightSettings, Rgb, Scene};
use chess::{Bitboard, Square};

/// What all 64 lights show, a1 first.
pub type Lights = [Rgb; 64];

/// A scene, and all frames of it.
pub struct Look {
    scene: Scene,
    /// The squares about which something is said.
    marked: Bitboard,
    frames: Vec<Lights>,
}

impl Look {
    /// Of this scene, on a board with the usual settings.
    #[must_use]
    pub fn of(scene: Scene) -> Self {
        let said = || Square::all().filter_map(|square| Some((square, scene.at(square)?)));
        let marked = said().map(|(square, _)| square).collect();
        // After this time, in milliseconds, everything begins again together.
        let round = said().filter_map(|(_, meaning)| meaning.rhythm().period()).fold(FRAME_MS, common_multiple);
        let times = (0..round / FRAME_MS).map(|frame| frame * FRAME_MS);
        let mut frames: Vec<Lights> =
            times.map(|time| *scene.frame(time, LightSettings::default()).colours()).collect();
        frames.dedup();
        Self { scene, marked, frames }
    }

    /// Whether these lights are this scene, at some moment of it.
    #[must_use]
    pub fn has(&self, lights: &Lights) -> bool {
        self.frames.contains(lights)
    }

    /// The same, at a moment in which nothing of it is dark. A scene that says more, or less, cannot look like that.
    #[must_use]
    pub fn is_plain_in(&self, lights: &Lights) -> bool {
        lit(lights) == self.marked && self.has(lights)
    }

    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// Lights change at most so often.
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

/// Lights in words, for whoever has to find out what is wrong with them.
#[must_use]
pub fn in_words(lights: &Lights) -> String {
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
    fn a_scene_is_told_from_one_that_says_more_or_less() {
        let less = Scene::EMPTY.with(Meaning::OpponentFrom, Square::E2).with(Meaning::OpponentTo, Square::E4);
        let more = less.with(Meaning::Check, Square::E8);
        let (less, more) = (Look::of(less), Look::of(more));
        let plain = |look: &Look| look.frames.iter().filter(|frame| look.is_plain_in(frame)).count();
        assert!(plain(&less) > 0 && plain(&more) > 0);
        assert!(!less.frames.iter().any(|frame| more.is_plain_in(frame)));
        assert!(!more.frames.iter().any(|frame| less.is_plain_in(frame)));
    }

    #[test]
    fn nothing_to_say_is_dark() {
        let look = Look::of(Scene::EMPTY);
        assert!(look.is_plain_in(&[Rgb::DARK; 64]));
        assert_eq!((look.frames.len(), in_words(&look.frames[0])), (1, "dark".to_owned()));
    }
}
