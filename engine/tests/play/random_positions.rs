//! Properties over random games.

use chess::{Game, Move};
use engine::Random;
use proptest::prelude::{ProptestConfig, any, proptest};
use proptest::test_runner::RngSeed;

use crate::thinker::Thinker;

/// A game of random moves, of at most this many plies.
fn random_game(seed: u64, plies: u32) -> Box<Game> {
    let mut random = Random::new(seed);
    let mut game = Box::new(Game::new());
    for _ in 0..plies {
        let legal = game.position().legal_moves();
        let chosen: Option<&Move> = legal.get(random.below(legal.len() as u32) as usize);
        let Some(&mv) = chosen.filter(|_| game.outcome().is_none()) else { break };
        game.play(mv).expect("a legal move");
    }
    game
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn every_move_is_legal_and_every_line_can_be_played(seed in any::<u64>(), plies in 0_u32..160, level in 1_u8..=10, nodes in 1_u64..1500) {
        let game = random_game(seed, plies);
        if game.position().has_legal_move() {
            let best = Thinker::at_level(level, seed).best(game.start(), game.moves(), nodes);
            let mut position = *game.position();
            assert_eq!(best.line.first(), Some(&best.mv));
            for &mv in best.line.iter() {
                position = position.play(mv).expect("a legal line");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_move(seed in any::<u64>(), plies in 0_u32..100, level in 1_u8..=10) {
        let game = random_game(seed, plies);
        if game.position().has_legal_move() {
            let think = || Thinker::at_level(level, seed).best(game.start(), game.moves(), 800);
            assert_eq!(think(), think());
        }
    }
}
