//! Positions of a game at intervals, so that a takeback replays only the plies since the last one.
//!
//! A game of chess undoes its moves, and the turns of a script are in its rulings. Positions under other rules can only be replayed, and
//! from the start of the game that would cost more with every ply.

use std::sync::Arc;

use rules::{AnyPosition, Play};

use super::sheet::Sheet;

/// Plies between two checkpoints.
const INTERVAL: usize = 64;

/// The positions after every [`INTERVAL`] plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkpoints(Vec<Arc<AnyPosition>>);

impl Checkpoints {
    /// Records the position of a game after its last ply, if it is due.
    pub(super) fn record(&mut self, game: &Play<Sheet>) {
        if game.is_replayed() && game.len() == (self.0.len() + 1) * INTERVAL {
            self.0.push(Arc::new(game.position()));
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes back all plies of a game after the first `plies`.
    pub(super) fn take_back(&mut self, game: &mut Play<Sheet>, plies: usize) {
        match self.position(game, plies) {
            Some(position) => game.rewind(plies, &position),
            None => game.take_back_to(plies),
        }
        self.0.truncate(plies / INTERVAL);
    }

    /// The position after the first `plies` of a game whose positions are replayed.
    pub(super) fn position(&self, game: &Play<Sheet>, plies: usize) -> Option<AnyPosition> {
        if !game.is_replayed() || plies > game.len() {
            return None;
        }
        let last = (plies / INTERVAL).min(self.0.len());
        let checkpoint = match last.checked_sub(1) {
            Some(index) => *self.0[index],
            None => AnyPosition::at(&game.start()),
        };
        let number = last * INTERVAL;
        game.plies_from(number).take(plies - number).try_fold(checkpoint, |position, ply| position.after(ply))
    }
}

#[cfg(test)]
mod tests {
    use rules::Start;

    use super::*;

    /// A game of Breakthrough in which both sides play the first ply that does not end it.
    fn game(plies: usize) -> (Play<Sheet>, Checkpoints) {
        let (mut game, mut checkpoints) = (Play::on(Sheet::default()), Checkpoints::default());
        game.restart(&Start::Breakthrough);
        for _ in 0..plies {
            let next = game
                .situation()
                .plies()
                .iter()
                .copied()
                .find(|&ply| game.position().after(ply).is_some_and(|next| !next.situation().plies().is_empty()));
            game.play(next.expect("the game goes on")).expect("the ply is legal");
            checkpoints.record(&game);
        }
        (game, checkpoints)
    }

    #[test]
    fn a_takeback_leads_to_the_position_that_was_there() {
        let (long, checkpoints) = game(70);
        assert_eq!(checkpoints.0.len(), 1);
        for plies in [69, 65, 64, 63, 1, 0] {
            let (mut taken_back, mut kept) = (long.clone(), checkpoints.clone());
            kept.take_back(&mut taken_back, plies);
            let (shorter, expected) = game(plies);
            assert_eq!((taken_back.position(), taken_back.len()), (shorter.position(), plies));
            assert_eq!(kept, expected);
        }
    }
}
