use chess::Bitboard;

use super::frame::Frame;
use super::rhythm::Rhythm;
use super::scene::Scene;
use super::settings::LightSettings;
use crate::time::Instant;

/// A scene, and since when it is shown.
///
/// A rhythm starts when there is something new for it to say, so that it is lit at once; and it carries on undisturbed
/// when something else changes on the board, or when some of it is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show {
    scene: Scene,
    began: Instant,
}

impl Show {
    /// Shows another scene from now on, or the same.
    pub fn change(&mut self, scene: Scene, now: Instant) {
        let news = |(meaning, squares): (_, Bitboard)| squares.without(self.scene.squares(meaning)).any();
        if scene.meanings().filter(|(meaning, _)| meaning.rhythm() != Rhythm::Steady).any(news) {
            self.began = now;
        }
        self.scene = scene;
    }

    /// What is shown.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What the lights show now.
    #[must_use]
    pub fn frame(&self, now: Instant, settings: LightSettings) -> Frame {
        self.scene.frame(now.since(self.began), settings)
    }

    /// When they will show something different; none if they never will.
    #[must_use]
    pub fn next_change(&self, now: Instant, settings: LightSettings) -> Option<Instant> {
        Some(self.began.after(self.scene.next_change(now.since(self.began), settings)?))
    }
}
