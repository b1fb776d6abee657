//! The levels: stronger ones win, weak ones vary.

use std::collections::BTreeSet;

use chess::{Color, Game, Position};
use engine::Level;

use crate::thinker::Thinker;

/// Points of the first player in halves, from games with both colours.
fn play(one: u8, other: u8, pairs: u64) -> u32 {
    let mut halves = 0;
    for seed in 0..pairs {
        for color in Color::ALL {
            let (mut one, mut other) = (Thinker::at_level(one, seed), Thinker::at_level(other, seed + 100));
            let mut game = Box::new(Game::new());
            while game.outcome().is_none() && game.moves().len() < 240 {
                let player = if game.position().turn() == color { &mut one } else { &mut other };
                let best = player.best(game.start(), game.moves(), u64::MAX);
                game.play(best.mv).expect("a legal move");
            }
            halves += match game.outcome().and_then(chess::Outcome::winner) {
                Some(winner) if winner == color => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }
    halves
}

#[test]
fn a_level_beats_one_that_is_far_below() {
    for (strong, weak) in [(3, 1), (5, 3)] {
        let halves = play(strong, weak, 3);
        assert!(halves >= 9, "level {strong} has {halves} of 12 half points against level {weak}");
    }
}

#[test]
fn weak_levels_vary_with_the_seed() {
    let first = |seed| Thinker::at_level(3, seed).best(&Position::start(), &[], u64::MAX).mv;
    assert!((0..12).map(first).collect::<BTreeSet<_>>().len() >= 2);
}

#[test]
fn every_level_has_a_number() {
    assert_eq!(Level::all().map(Level::number).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    assert_eq!((Level::new(0), Level::new(11)), (None, None));
    assert_eq!(Level::default(), Level::FULL);
}
