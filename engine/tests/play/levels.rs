//! The levels: stronger ones win, weak ones vary.

use std::collections::BTreeSet;

use chess::{Color, Game, Move, Piece, Position, Role};
use engine::{Level, Random, Score};

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

/// A child who knows the rules: gives mate if it sees one, takes what hangs, and does not put a piece where it can be taken. Otherwise it
/// moves at random.
fn child(position: &Position, random: &mut Random) -> Move {
    let value = |role: Role| [1, 3, 3, 5, 9, 0][role as usize];
    let legal = position.legal_moves();
    let worth = |mv: Move| {
        let next = position.after(mv);
        if next.is_checkmate() {
            return 1000;
        }
        let taken = position.piece_at(mv.to()).map_or(0, |piece| value(piece.role()));
        let moved = position.piece_at(mv.from()).map_or(0, |piece| value(piece.role()));
        let is_attacked = (next.attackers(mv.to(), next.occupied()) & next.of_color(next.turn())).any();
        if is_attacked { taken - moved } else { taken }
    };
    let best = legal.iter().map(|&mv| worth(mv)).max().expect("the game goes on");
    let moves: Vec<Move> = legal.iter().copied().filter(|&mv| worth(mv) == best).collect();
    moves[random.below(moves.len() as u32) as usize]
}

fn random_move(position: &Position, random: &mut Random) -> Move {
    let legal = position.legal_moves();
    legal[random.below(legal.len() as u32) as usize]
}

/// White's material minus Black's, in pawns.
fn material(position: &Position) -> i32 {
    let count = |color, role| position.of(Piece::new(color, role)).count().cast_signed();
    let side = |color| {
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
            .map(|(role, value)| count(color, role) * value)
            .iter()
            .sum::<i32>()
    };
    side(Color::White) - side(Color::Black)
}

#[test]
fn level_1_loses_to_a_child_who_takes_what_hangs() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..20 {
        let color = Color::ALL[seed as usize % 2];
        let (mut computer, mut random) = (Thinker::at_level(1, seed), Random::new(seed));
        let mut game = Box::new(Game::new());
        // Neither of them can give mate with a queen, but both can count.
        while game.outcome().is_none() && game.moves().len() < 160 {
            let mv = if game.position().turn() == color {
                computer.best(game.start(), game.moves(), u64::MAX).mv
            } else {
                child(game.position(), &mut random)
            };
            game.play(mv).expect("a legal move");
        }
        let ahead = if color == Color::White { material(game.position()) } else { -material(game.position()) };
        match game.outcome().and_then(chess::Outcome::winner) {
            Some(winner) if winner == color => won += 1,
            Some(_) => lost += 1,
            None if ahead >= 5 => won += 1,
            None if ahead <= -5 => lost += 1,
            None => {}
        }
    }
    assert!(lost >= 12 && lost > 3 * won, "level 1 won {won} and lost {lost} of 20");
}

/// The mean of what a level, or a player of random moves, loses with a move, in centipawns, by a deeper search. One move counts for at
/// most ten pawns.
fn mean_loss(level: Option<u8>) -> i32 {
    let value = |best: &engine::Best| match best.score() {
        Score::Centipawns(centipawns) => i32::from(centipawns).clamp(-2000, 2000),
        Score::Mate(moves) => {
            if moves > 0 {
                2000
            } else {
                -2000
            }
        }
    };
    let mut judge = Thinker::new();
    let (mut total, mut count) = (0, 0);
    for seed in 0..6 {
        let (mut computer, mut random) = (level.map(|number| Thinker::at_level(number, seed)), Random::new(seed));
        let mut game = Box::new(Game::new());
        while game.outcome().is_none() && game.moves().len() < 60 {
            let position = *game.position();
            let mv = if game.moves().len().is_multiple_of(2) {
                let mv = match &mut computer {
                    Some(computer) => computer.best(game.start(), game.moves(), u64::MAX).mv,
                    None => random_move(&position, &mut random),
                };
                let best = value(&judge.best(&position, &[], 4_000));
                let after = position.after(mv);
                let played =
                    if after.legal_moves().is_empty() { best } else { -value(&judge.best(&after, &[], 4_000)) };
                total += (best - played).clamp(0, 1000);
                count += 1;
                mv
            } else {
                random_move(&position, &mut random)
            };
            game.play(mv).expect("a legal move");
        }
    }
    total / count
}

#[test]
fn weak_levels_make_mistakes_and_do_not_move_at_random() {
    let losses: Vec<i32> = (1..=6).map(|number| mean_loss(Some(number))).collect();
    let random = mean_loss(None);
    assert!(losses.iter().all(|loss| 2 * loss < random), "per move: {losses:?} of levels 1 to 6, {random} at random");
    assert!(losses[5] < losses[0], "{losses:?}");
}
