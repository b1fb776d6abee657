//! Simulated hands play whole games on the board's move detection, with human clumsiness. The board must read every move,
//! and no other.
//!
//! Time is simulated and the random numbers have a seed, so the figures are the same in every run. `cargo xtask bench hand` plays
//! many more moves, and other ones in every run.

use tests::bench::Target;
use tests::hand::behaviour::Behaviour;
use tests::hand::counters::HandCounters;
use tests::hand::games::FAMOUS;
use tests::hand::report;
use tests::hand::simulation;
use tests::hand::targets::targets;
use tests::physical_hand::style::Style;
use tests::physical_hand::{bench, report as physical_report, targets as physical_targets};

/// All targets must be reached; otherwise the report is printed.
fn assert_targets(counters: &HandCounters, moves: u64) {
    let targets = targets(counters, moves);
    assert!(targets.iter().all(Target::is_reached), "{}", report::text(counters, &targets, None));
}

/// Plays the games with these numbers up to this number of moves.
fn play(numbers: impl IntoIterator<Item = u64>, moves: u64) -> HandCounters {
    let mut total = HandCounters::default();
    for number in numbers {
        if total.moves >= moves {
            break;
        }
        total.absorb(&simulation::play(number));
    }
    total
}

#[test]
fn reads_every_move_of_many_games() {
    const MOVES: u64 = 11_000;
    let counters = play((0..).step_by(2), MOVES);
    assert_targets(&counters, MOVES);
}

#[test]
fn reads_every_move_with_every_behaviour() {
    const MOVES: u64 = 11_000;
    let counters = play((1..).step_by(2), MOVES);
    assert_targets(&counters, MOVES);
    for behaviour in Behaviour::ALL {
        assert!(counters.behaviours.contains_key(behaviour), "no hand has ever done this: {}", behaviour.name());
    }
    assert!(
        counters.flickers > 0 && counters.questions > 0,
        "{} flickers, {} questions",
        counters.flickers,
        counters.questions
    );
}

#[test]
fn reads_every_move_of_famous_games() {
    let mut total = HandCounters::default();
    for famous in FAMOUS.iter() {
        for number in 0..4 {
            total.absorb(&simulation::replay(famous, number));
        }
    }
    let moves: usize = FAMOUS.iter().map(|famous| famous.moves.len()).sum();
    assert_targets(&total, 4 * moves as u64);
}

#[test]
fn ideal_hands_on_nominal_parts_are_read_without_a_fault() {
    const SEED: u64 = 1;
    let total = bench::play(&[Style::Ideal], 4_000, SEED);
    let targets = physical_targets::ideal(&physical_targets::whole(&total));
    assert!(targets.iter().all(Target::is_reached), "{}", physical_report::text(&total, &targets, SEED, 3));
}
