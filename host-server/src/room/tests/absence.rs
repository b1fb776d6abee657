use super::table::{Black, RELAY, Table, White, rematch, uci};
use crate::room::{Command, Ending, Fact, Phase, Reason, Refusal, Terms, Time, Wish};

const GRACE: u64 = 60_000;
/// How long somebody is waited for after the game.
const LINGER: u64 = 15_000;

#[test]
fn who_is_back_in_time_plays_on() {
    let mut table = Table::set(Terms::default());
    table.goes(Black);
    assert_eq!(table.room.due(), Some(table.now.after(GRACE)));
    table.passes(GRACE - 1).ticks();
    table.comes(Black);
    assert_eq!(table.room.due(), None);
    table.passes(10 * GRACE).ticks();
    assert!(table.is_playing());
}

#[test]
fn who_stays_away_loses_to_who_waits() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.ending(), Some(Ending::disconnect(Some(Black))));
}

#[test]
fn nobody_has_won_if_both_stay_away_and_then_the_room_closes() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(10_000).goes(Black);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.ending(), Some(Ending::disconnect(None)));
    let facts: Vec<_> = table.facts().rev().take(4).collect();
    assert_eq!(facts[0], &Fact::Closed);
    assert_eq!(facts[1..3], [&Fact::Left { color: Black }, &Fact::Left { color: White }]);
    assert_eq!((table.room.phase(), table.room.due()), (Phase::Closed, None));
}

#[test]
fn who_comes_back_first_when_both_were_away_has_not_lost() {
    // White's time to come back is over, but Black's is not: nobody is there to whom White could lose.
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(50_000).goes(Black);
    table.passes(20_000).ticks();
    assert!(table.is_playing());
    assert_eq!(table.room.due(), Some(table.now.after(40_000)));
    let mut other = table.clone();
    table.comes(White);
    assert!(table.is_playing());
    // If it is Black who is back, White was away for too long after all.
    other.comes(Black);
    assert_eq!(other.room.ending(), Some(Ending::disconnect(Some(Black))));
}

#[test]
fn a_flag_falls_while_somebody_is_away() {
    let mut table = Table::timed(30_000, 0);
    table.plays("e2e4");
    table.goes(Black);
    table.passes(30_000).ticks();
    assert_eq!(table.room.ending().unwrap().reason, Reason::Time);
}

#[test]
fn who_leaves_a_game_for_good_has_lost_it_and_the_seat_is_free() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    table.does(Command::Leave(Black)).unwrap();
    assert_eq!(table.room.ending(), Some(Ending::disconnect(Some(White))));
    assert_eq!((table.room.phase(), table.name_at(Black)), (Phase::Waiting, None));
    assert_eq!(table.does(Command::Leave(Black)), Err(Refusal::NoSeat));
}

#[test]
fn the_room_closes_when_the_last_one_leaves_in_whichever_phase() {
    for phase in 0..4 {
        let mut table = match phase {
            0 => {
                let mut table = Table::open(Terms::default());
                table.sits("ann", Wish::White).unwrap();
                table.sits("bob", Wish::Black).unwrap();
                table
            }
            1 => Table::set(Terms { countdown: 3_000, ..Terms::default() }),
            2 => Table::set(Terms::default()),
            _ => {
                let mut table = Table::set(Terms::default());
                table.does(Command::Resign(White)).unwrap();
                table
            }
        };
        table.does(Command::Leave(White)).unwrap();
        assert_ne!(table.room.phase(), Phase::Closed);
        table.does(Command::Leave(Black)).unwrap();
        assert_eq!((table.room.phase(), table.last_fact()), (Phase::Closed, &Fact::Closed));
    }
}

#[test]
fn after_the_game_nobody_is_waited_for_long() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Resign(White)).unwrap();
    table.goes(White);
    assert_eq!(table.room.due(), Some(table.now.after(LINGER)));
    table.passes(LINGER).ticks();
    assert_eq!((table.room.phase(), table.name_at(White)), (Phase::Waiting, None));
    table.goes(Black);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_rematch_may_begin_while_its_asker_is_away_for_a_moment() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Resign(White)).unwrap();
    table.does(rematch(White)).unwrap();
    table.goes(White);
    table.passes(10_000).does(rematch(Black)).unwrap();
    assert!(table.is_playing());
    assert_eq!(table.room.due(), Some(table.now.after(GRACE - 10_000)));
    assert!(!table.room.seat(Black).unwrap().is_here());
    assert!(table.room.seat(White).unwrap().is_here());
}

#[test]
fn who_waits_alone_and_goes_is_waited_for_and_then_the_code_is_free() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::First).unwrap();
    table.comes(White);
    table.passes(100 * GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_room_in_which_nobody_ever_sat_closes_after_ten_minutes() {
    let mut table = Table::open(Terms::default());
    assert_eq!(table.room.due(), Some(table.now.after(600_000)));
    table.passes(599_999).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.passes(1).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn nothing_happens_in_a_closed_room() {
    let mut table = Table::open(Terms::default());
    table.passes(600_000).ticks();
    let before = table.log.len();
    assert_eq!(table.sits("ann", Wish::First), Err(Refusal::Closed));
    assert_eq!(table.says("Hello?"), Err(Refusal::Closed));
    table.ticks();
    table.does(Command::Relays(vec![])).unwrap();
    assert_eq!(table.log.len(), before);
}

#[test]
fn without_any_grace_there_is_still_time_to_sit_down() {
    let mut table = Table::set(Terms { grace: 0, ..Terms::default() });
    assert!(table.is_playing());
    table.goes(White);
    table.passes(1_000).ticks();
    assert_eq!(table.room.ending(), Some(Ending::disconnect(Some(Black))));
}

#[test]
fn the_longest_grace_and_countdown_do_not_overflow() {
    let mut table = Table::set(Terms { grace: u64::MAX, countdown: u64::MAX, ..Terms::default() });
    assert_eq!(table.room.phase(), Phase::Counting { until: Time(u64::MAX) });
    table.goes(White);
    assert_eq!(table.room.due(), Some(Time(u64::MAX)));
    table.ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
}

#[test]
fn a_move_can_be_made_by_who_is_away_if_it_was_on_its_way() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.does(Command::Move { color: White, mv: uci("e2e4"), ply: Some(0) }).unwrap();
    table.does(Command::Come { color: White, relay: RELAY }).unwrap();
    assert_eq!(table.room.game().moves().len(), 1);
}
