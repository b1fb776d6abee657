use chess::Scoresheet;

use crate::play::Play;
use crate::position::AnyPosition;

/// A game that is played again from its start, in parts: where plies cannot be undone, that is how a device finds an earlier position without
/// exceeding the time of a scan.
#[derive(Clone, Copy, Debug)]
pub struct Replay {
    position: AnyPosition,
    plies: usize,
}

impl Replay {
    /// Begins where the plies of a game can be replayed from.
    #[must_use]
    pub fn of<S: Scoresheet>(play: &Play<S>) -> Self {
        Self { position: AnyPosition::at(&play.start()), plies: play.told_before() }
    }

    /// The position so far.
    #[must_use]
    pub const fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Goes on until the first `plies` are played, but by at most `most` plies. Returns whether they are played; nothing if one of them is not legal,
    /// which cannot be on the record of a game.
    pub fn go_on<S: Scoresheet>(&mut self, play: &Play<S>, plies: usize, most: usize) -> Option<bool> {
        let missing = plies.saturating_sub(self.plies);
        for ply in play.plies_from(self.plies).take(missing.min(most)) {
            self.position = self.position.before_next(ply)?;
            self.plies = self.plies.saturating_add(1);
        }
        Some(self.plies >= plies)
    }
}
