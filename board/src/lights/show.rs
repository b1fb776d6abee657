use chess::Bitboard;

use super::frame::Frame;
use super::rhythm::Rhythm;
use super::scene::Scene;
use super::settings::LightSettings;
use crate::time::Instant;

/// The current scene and the time at which its rhythms began.
///
/// The rhythms restart when a square gets a new meaning that is not steady, so that it is lit at once. They continue when
/// only steady meanings are added or squares lose their meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show {
    scene: Scene,
    began: Instant,
}

impl Show {
    pub(crate) const EMPTY: Self = Self { scene: Scene::EMPTY, began: Instant::at(0) };

    /// Replaces the scene.
    pub fn change(&mut self, scene: Scene, now: Instant) {
        let is_new = |(meaning, squares): (_, Bitboard)| squares.without(self.scene.squares(meaning)).any();
        if scene.meanings().filter(|(meaning, _)| meaning.rhythm() != Rhythm::Steady).any(is_new) {
            self.began = now;
        }
        self.scene = scene;
    }

    /// The current scene.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The frame at this time.
    #[must_use]
    pub fn frame(&self, now: Instant, settings: LightSettings) -> Frame {
        self.scene.frame(now.since(self.began), settings)
    }

    /// The time of the next different frame; `None` if there is none.
    #[must_use]
    pub fn next_change(&self, now: Instant, settings: LightSettings) -> Option<Instant> {
        Some(self.began.after(self.scene.next_change(now.since(self.began), settings)?))
    }
}
