//! GMO chess at a table: freezes, and plies that do not end a turn.

use rules::genome::{FREEZE_MS, PIECES, Setup};
use rules::{Start, Verdict, Why};
use wire::link::ClockRule;

use super::table::{Black, Table, White};
use crate::room::{Refusal, Terms};

fn table(setup: &Setup, clock: Option<ClockRule>) -> Table {
    Table::set(Terms { clock, start: Some(Box::new(Start::Genome(*setup))), ..Terms::default() })
}

const fn without_increment(base_ms: u32) -> ClockRule {
    ClockRule { base_ms, increment_ms: 0 }
}

#[test]
fn a_freeze_costs_the_mover_time_and_stops_the_game() {
    let mut table = table(&Setup::default_preset(1).unwrap(), Some(without_increment(60_000)));
    table.plays("f2f3");
    table.plays("f7f6");
    table.passes(2_000);
    // The queen freezes.
    table.plays("e1g3");
    assert_eq!((table.left(White), table.left(Black)), (60_000 - 2_000 - 5_000, 65_000));
    assert_eq!(table.room.frozen_ms(table.now), u64::from(FREEZE_MS));
    table.passes(4_999);
    assert_eq!(table.moves(Black, "a7a6"), Err(Refusal::Frozen));
    assert_eq!(table.left(Black), 65_000 - 4_999);
    table.passes(1);
    assert_eq!(table.room.frozen_ms(table.now), 0);
    table.plays("a7a6");
    assert_eq!(table.left(Black), 60_000);
    // Without a freezing piece the game goes on at once.
    table.plays("a2a3");
}

#[test]
fn hints_need_no_consent() {
    assert!(table(&Setup::default_preset(1).unwrap(), None).room.hints());
}

#[test]
fn a_freeze_without_a_clock_only_stops_the_game() {
    let mut table = table(&Setup::default_preset(1).unwrap(), None);
    for ply in ["f2f3", "f7f6", "e1g3"] {
        table.plays(ply);
    }
    assert_eq!(table.moves(Black, "a7a6"), Err(Refusal::Frozen));
    table.passes(u64::from(FREEZE_MS));
    table.plays("a7a6");
}

#[test]
fn a_freeze_that_takes_the_last_seconds_loses_on_time() {
    let mut table = table(&Setup::default_preset(1).unwrap(), Some(without_increment(10_000)));
    for ply in ["f2f3", "f7f6"] {
        table.plays(ply);
    }
    table.passes(5_000);
    table.plays("e1g3");
    table.ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Time }));
}

#[test]
fn the_clock_of_the_pawn_s_owner_runs_during_a_promotion() {
    let king = PIECES.iter().find(|piece| piece.piece == "king").and_then(rules::genome::BuiltIn::parse).unwrap();
    // Jumps two squares ahead, and captures there.
    let jumper = "AHH HAC HAS HHH CHA CHA HHA CAC SAA".parse().unwrap();
    let mut setup = Setup::new(&jumper, 1).unwrap();
    let genome = setup.add(&king).unwrap();
    setup.place(chess::File::H, genome, true);
    let clock = ClockRule { base_ms: 60_000, increment_ms: 1_000 };
    let mut table = table(&setup, Some(clock));
    for ply in ["a2a4", "h7h5", "a4a6", "h5h3"] {
        table.plays(ply);
    }
    let before = table.left(White);
    table.plays("a6a8");
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
    assert_eq!(table.moves(Black, "b7b5"), Err(Refusal::NotYourTurn));
    table.passes(3_000);
    table.plays("a8a8q");
    // One increment for the whole turn.
    assert_eq!(table.left(White), before - 3_000 + 1_000);
    assert_eq!(table.room.clock().unwrap().running(), Some(Black));
    table.plays("b7b5");
}
