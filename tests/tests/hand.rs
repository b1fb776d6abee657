//! Hands play whole games on the brain of the board, as clumsily as people do, and it reads every move that they make and
//! none that they do not.
//!
//! Time is simulated and chance has a seed, so the figures are the same in every run. `cargo xtask bench hand` plays
//! forty times as many moves.

use tests::hand::games::FAMOUS;
use tests::hand::habit::Habit;
use tests::hand::report;
use tests::hand::sitting;
use tests::hand::tally::Tally;
use tests::hand::verdict::{Verdict, verdicts};

/// Every verdict on these games must be reached; if one is not, the whole report says why.
fn assert_all_is_read(tally: &Tally, moves: u64) {
    let verdicts = verdicts(tally, moves);
    assert!(verdicts.iter().all(Verdict::is_reached), "{}", report::text(tally, &verdicts));
}

/// Plays games of these numbers until so many moves are made.
fn play(numbers: impl IntoIterator<Item = u64>, moves: u64) -> Tally {
    let mut total = Tally::default();
    for number in numbers {
        if total.moves >= moves {
            break;
        }
        total.absorb(&sitting::play(number));
    }
    total
}

#[test]
fn every_move_of_many_games_is_read() {
    const MOVES: u64 = 11_000;
    let tally = play((0..).step_by(2), MOVES);
    assert_all_is_read(&tally, MOVES);
}

#[test]
fn every_move_of_many_games_is_read_with_everything_that_hands_do_besides() {
    const MOVES: u64 = 11_000;
    let tally = play((1..).step_by(2), MOVES);
    assert_all_is_read(&tally, MOVES);
    for habit in Habit::ALL {
        assert!(tally.habits.contains_key(habit), "no hand has ever done this: {}", habit.name());
    }
    assert!(tally.flickers > 0 && tally.asked > 0, "{} flickers, {} questions", tally.flickers, tally.asked);
}

#[test]
fn every_move_of_the_famous_games_is_read() {
    let mut total = Tally::default();
    for famous in FAMOUS.iter() {
        for number in 0..4 {
            total.absorb(&sitting::replay(famous, number));
        }
    }
    let moves: usize = FAMOUS.iter().map(|famous| famous.moves.len()).sum();
    assert_all_is_read(&total, 4 * moves as u64);
}
