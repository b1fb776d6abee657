use super::table::{Black, Table, White, rematch, uci};
use crate::room::{Command, Ending, Fact, Reason, Refusal, Terms};
use wire::link::ClockRule;

fn move_of(color: chess::Color, mv: &str) -> Command {
    Command::Move { color, mv: uci(mv), ply: None }
}

#[test]
fn a_game_without_a_clock_has_none() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4");
    assert_eq!((table.room.clock(), table.room.due()), (None, None));
}

#[test]
fn it_stands_still_until_the_first_move_and_runs_for_the_other_from_then_on() {
    let mut table = Table::timed(60_000, 2_000);
    table.passes(50_000).ticks();
    assert_eq!((table.left(White), table.left(Black)), (60_000, 60_000));
    table.plays("e2e4");
    table.passes(7_000);
    assert_eq!((table.left(White), table.left(Black)), (62_000, 53_000));
    table.plays("e7e5");
    assert_eq!(table.last_fact(), &Fact::Moved { mv: uci("e7e5"), took: 7_000 });
    assert_eq!(table.left(Black), 55_000);
    table.passes(1_000);
    assert_eq!((table.left(White), table.left(Black)), (61_000, 55_000));
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
}

#[test]
fn a_flag_falls_by_itself_at_the_very_millisecond() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    assert_eq!(table.room.due(), Some(table.now.after(60_000)));
    table.passes(59_999).ticks();
    assert!(table.is_playing());
    table.passes(1).ticks();
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::Time, winner: Some(White) }));
    assert_eq!((table.left(White), table.left(Black)), (60_000, 0));
    table.passes(5_000);
    assert_eq!(table.left(White), 60_000);
}

#[test]
fn a_move_that_comes_too_late_is_not_made_even_if_nobody_has_looked_at_the_clock() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.passes(60_000);
    let ending = Ending { reason: Reason::Time, winner: Some(White) };
    assert_eq!(table.moves(Black, "e7e5"), Err(Refusal::Over(ending)));
    assert_eq!(table.room.game().moves().len(), 1);
}

#[test]
fn a_flag_draws_against_a_bare_king() {
    let terms = Terms {
        clock: Some(ClockRule { base_ms: 1_000, increment_ms: 0 }),
        start: Some("7k/8/8/8/8/8/q7/7K w - - 0 1".to_owned()),
        ..Terms::default()
    };
    let mut table = Table::set(terms);
    table.plays("h1g1");
    table.passes(1_000).ticks();
    assert_eq!(table.room.ending(), Some(Ending { reason: Reason::TimeAgainstBareKing, winner: None }));
}

#[test]
fn a_move_in_time_counts_however_slow_the_store_is() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    let then = table.passes(59_000).now;
    table.passes(5_000).received(move_of(Black, "e7e5"), then).unwrap();
    assert_eq!(table.left(Black), 1_000);
    // Nor does the other one pay for the store.
    assert_eq!(table.left(White), 60_000);
}

#[test]
fn a_move_in_time_counts_even_if_something_else_was_written_while_it_waited() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    let said = table.passes(58_000).now;
    let moved = table.passes(1_000).now;
    table.passes(5_000);
    let say = Command::Say { speaker: super::table::speaker("ann", Some(White)), text: "Hurry!".to_owned() };
    table.received(say, said).unwrap();
    table.received(move_of(Black, "e7e5"), moved).unwrap();
    assert_eq!(table.left(Black), 1_000);
}

#[test]
fn time_never_goes_back_in_a_log() {
    let mut table = Table::set(Terms::default());
    let latest = table.now;
    table.now = crate::room::Time(5);
    table.plays("e2e4");
    assert_eq!(table.log.last().unwrap().at, latest);
    assert_eq!(table.last_fact(), &Fact::Moved { mv: uci("e2e4"), took: 0 });
}

#[test]
fn who_thinks_pays_when_a_move_is_taken_back_and_not_for_the_store() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4 e7e5 g1f3");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    let then = table.passes(10_000).now;
    table.passes(55_000).received(Command::AllowTakeback { color: Black, plies: 1 }, then).unwrap();
    assert_eq!(table.last_fact(), &Fact::TakenBack { plies: 1, took: 10_000 });
    assert_eq!((table.left(White), table.left(Black)), (60_000, 50_000));
    assert_eq!(table.room.clock().unwrap().running(), Some(White));
    table.passes(1_000);
    assert_eq!((table.left(White), table.left(Black)), (59_000, 50_000));
}

#[test]
fn it_stands_still_again_when_the_first_move_is_taken_back() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.does(Command::AskTakeback { color: White, plies: 1 }).unwrap();
    table.passes(10_000).does(Command::AllowTakeback { color: Black, plies: 1 }).unwrap();
    assert_eq!((table.room.clock().unwrap().running(), table.room.due()), (None, None));
    table.passes(100_000).ticks();
    table.plays("d2d4");
    assert_eq!((table.left(White), table.left(Black)), (60_000, 50_000));
}

#[test]
fn each_game_has_all_its_time() {
    let mut table = Table::timed(60_000, 0);
    table.plays("e2e4");
    table.passes(10_000).does(Command::Resign(Black)).unwrap();
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert_eq!((table.left(White), table.left(Black)), (60_000, 60_000));
    assert_eq!(table.room.clock().unwrap().running(), None);
}

#[test]
fn who_has_only_an_increment_has_it_from_the_first_move() {
    let mut table = Table::timed(0, 5_000);
    assert_eq!(table.left(Black), 5_000);
    table.plays("e2e4");
    table.passes(4_999).plays("e7e5");
    assert_eq!(table.left(Black), 5_001);
}

#[test]
fn nothing_at_all_is_no_clock() {
    assert_eq!(Table::timed(0, 0).room.clock(), None);
}

#[test]
fn the_largest_clock_does_not_overflow() {
    let mut table = Table::timed(u32::MAX, u32::MAX);
    table.plays("e2e4 e7e5 g1f3");
    table.now = crate::room::Time(u64::MAX);
    table.ticks();
    assert_eq!(table.room.ending().unwrap().reason, Reason::Time);
}
