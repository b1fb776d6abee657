use super::table::{Black, Table, White, rematch, uci};
use chess::Color;
use rules::{Start, Verdict, Why};

use crate::room::{Act, Fact, Refusal, Terms};
use wire::link::ClockRule;

fn move_of(color: Color, mv: &str) -> (Color, Act) {
    (color, Act::Move { ply: uci(mv), number: None })
}

#[test]
fn a_game_without_a_clock_has_none() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    assert_eq!((table.room.clock(), table.room.due()), (None, None));
}

#[test]
fn the_clock_starts_with_the_first_move() {
    let mut table = Table::timed(60_000, 2_000);
    table.passes(50_000).ticks();
    assert_eq!((table.left(White), table.left(Black)), (60_000, 60_000));
    table.plays("e2e4");
    table.passes(7_000);
    assert_eq!((table.left(White), table.left(Black)), (62_000, 53_000));
    table.plays("e7e5");
    assert_eq!(table.last_fact(), &Fact::Moved { ply: uci("e7e5"), took: 7_000, ruling: None });
    assert_eq!(table.left(Black), 55_000);
    table.passes(1_000);
    assert_eq!((table.left(White), table.left(Black)), (61_000, 55_000));
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
}

#[test]
fn a_flag_falls_without_an_act_at_the_exact_millisecond() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    assert_eq!(table.room.due(), Some(table.now.after(60_000)));
    table.passes(59_999).ticks();
    assert!(table.is_playing());
    table.passes(1).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: White, why: Why::Time }));
    assert_eq!((table.left(White), table.left(Black)), (60_000, 0));
    table.passes(5_000);
    assert_eq!(table.left(White), 60_000);
}

#[test]
fn a_move_after_the_flag_fell_is_refused_before_any_tick() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.passes(60_000);
    let ending = Verdict::Won { winner: White, why: Why::Time };
    assert_eq!(table.moves(Black, "e7e5"), Err(Refusal::Over(ending)));
    assert_eq!(table.room.game().len(), 1);
}

#[test]
fn a_flag_draws_against_a_bare_king() {
    let terms = Terms {
        clock: Some(ClockRule { base_ms: 1_000, increment_ms: 0 }),
        start: Some(Box::new(Start::Chess("7k/8/8/8/8/8/q7/7K w - - 0 1".parse().unwrap()))),
        ..Terms::default()
    };
    let mut table = Table::set(terms);
    table.plays("h1g1");
    table.passes(1_000).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Drawn(Why::TimeAgainstBareKing)));
}

#[test]
fn a_move_received_in_time_counts_with_a_slow_store() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    let then = table.passes(59_000).now;
    table.passes(5_000).received(move_of(Black, "e7e5"), then).unwrap();
    assert_eq!(table.left(Black), 1_000);
    // The delay of the store is not charged to the opponent either.
    assert_eq!(table.left(White), 60_000);
}

#[test]
fn a_move_received_in_time_counts_after_a_later_write() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    let chatted_at = table.passes(58_000).now;
    let moved_at = table.passes(1_000).now;
    table.passes(5_000);
    table.received(super::table::chat("ann", "Hurry!"), chatted_at).unwrap();
    table.received(move_of(Black, "e7e5"), moved_at).unwrap();
    assert_eq!(table.left(Black), 1_000);
}

#[test]
fn times_in_a_log_never_decrease() {
    let mut table = Table::set(Terms::default());
    let latest = table.now;
    table.now = crate::room::Time(5);
    table.plays("e2e4");
    assert_eq!(table.log.last().unwrap().at, latest);
    assert_eq!(table.last_fact(), &Fact::Moved { ply: uci("e2e4"), took: 0, ruling: None });
}

#[test]
fn a_takeback_charges_the_thinking_time_without_the_delay_of_the_store() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4 e7e5 g1f3");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    let then = table.passes(10_000).now;
    table.passes(55_000).received((Black, Act::AcceptTakeback { plies: 1 }), then).unwrap();
    assert_eq!(table.last_fact(), &Fact::TakenBack { plies: 1, took: 10_000 });
    assert_eq!((table.left(White), table.left(Black)), (60_000, 50_000));
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
    table.passes(1_000);
    assert_eq!((table.left(White), table.left(Black)), (59_000, 50_000));
}

#[test]
fn a_takeback_of_the_first_move_stops_the_clock() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    table.passes(10_000).does((Black, Act::AcceptTakeback { plies: 1 })).unwrap();
    assert_eq!((table.room.clock().unwrap().running(), table.room.due()), (None, None));
    table.passes(100_000).ticks();
    table.plays("d2d4");
    assert_eq!((table.left(White), table.left(Black)), (60_000, 50_000));
}

#[test]
fn a_rematch_resets_the_clocks() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.passes(10_000).does((Black, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (60_000, 60_000));
    assert_eq!(table.room.clock().unwrap().running(), None);
}

#[test]
fn without_base_time_the_first_move_has_the_increment() {
    let mut table = Table::timed(0, 5_000);
    assert_eq!(table.left(Black), 5_000);
    table.plays("e2e4");
    table.passes(4_999).plays("e7e5");
    assert_eq!(table.left(Black), 5_001);
}

#[test]
fn a_time_control_of_zero_is_no_clock() {
    assert_eq!(Table::timed(0, 0).room.clock(), None);
}

#[test]
fn the_largest_clock_does_not_overflow() {
    let mut table = Table::timed(u32::MAX, u32::MAX);
    table.plays("e2e4 e7e5 g1f3");
    table.now = crate::room::Time(u64::MAX);
    table.ticks();
    assert_eq!(table.room.verdict().unwrap().why(), Some(Why::Time));
}
