use super::table::{Black, RELAY, Table, White, connect, rematch, uci};
use crate::room::{Ability, Act, Command, Fact, Phase, Refusal, SideChoice, Terms, Time};
use rules::{Verdict, Why};

/// Grace period during a game, in milliseconds.
const GRACE: u64 = 60_000;
/// Grace period after the end of a game, in milliseconds.
const LINGER: u64 = 15_000;

#[test]
fn a_player_who_reconnects_within_the_grace_period_plays_on() {
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
fn an_absent_player_loses_after_the_grace_period() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

#[test]
fn without_both_players_the_game_has_no_winner_and_the_room_closes() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(10_000).goes(Black);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Abandoned));
    let facts: Vec<_> = table.facts().rev().take(4).collect();
    assert_eq!(facts[0], &Fact::Closed);
    assert_eq!(facts[1..3], [&Fact::Left { color: Black }, &Fact::Left { color: White }]);
    assert_eq!((table.room.phase(), table.room.due()), (Phase::Closed, None));
}

#[test]
fn the_first_of_two_absent_players_to_reconnect_does_not_lose() {
    // White's grace period is over and Black's is not. Black is absent too, so White has not lost.
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.passes(50_000).goes(Black);
    table.passes(20_000).ticks();
    assert!(table.is_playing());
    assert_eq!(table.room.due(), Some(table.now.after(40_000)));
    let mut other = table.clone();
    table.comes(White);
    assert!(table.is_playing());
    // If Black reconnects first, White loses.
    other.comes(Black);
    assert_eq!(other.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

#[test]
fn an_absent_player_can_lose_on_time() {
    let mut table = Table::timed(30_000, 0);
    table.plays("e2e4");
    table.goes(Black);
    table.passes(30_000).ticks();
    assert_eq!(table.room.verdict().unwrap().why(), Some(Why::Time));
}

#[test]
fn leaving_loses_the_game_and_frees_the_seat() {
    let mut table = Table::set(Terms::default());
    table.plays("e2e4 e7e5");
    table.does((Black, Act::Leave)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: White, why: Why::Abandonment }));
    assert_eq!((table.room.phase(), table.name_at(Black)), (Phase::Waiting, None));
    assert_eq!(table.does((Black, Act::Leave)), Err(Refusal::NoSeat));
}

#[test]
fn the_room_closes_when_the_last_player_leaves_in_any_phase() {
    for phase in 0..4 {
        let mut table = match phase {
            0 => {
                let mut table = Table::open(Terms::default());
                table.sits("ann", SideChoice::White).unwrap();
                table.sits("bob", SideChoice::Black).unwrap();
                table
            }
            1 => Table::set(Terms { countdown: 3_000, ..Terms::default() }),
            2 => Table::set(Terms::default()),
            _ => {
                let mut table = Table::set(Terms::default());
                table.does((White, Act::Resign)).unwrap();
                table
            }
        };
        table.does((White, Act::Leave)).unwrap();
        assert_ne!(table.room.phase(), Phase::Closed);
        table.does((Black, Act::Leave)).unwrap();
        assert_eq!((table.room.phase(), table.last_fact()), (Phase::Closed, &Fact::Closed));
    }
}

#[test]
fn the_grace_period_is_short_after_the_game() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::Resign)).unwrap();
    table.goes(White);
    assert_eq!(table.room.due(), Some(table.now.after(LINGER)));
    table.passes(LINGER).ticks();
    assert_eq!((table.room.phase(), table.name_at(White)), (Phase::Waiting, None));
    table.goes(Black);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_player_of_an_invitation_keeps_the_seat_for_an_hour_after_the_game() {
    const HOUR: u64 = 3_600_000;
    let mut table = Table::claiming(Terms { by_invitation: true, ..Terms::default() });
    table.does((White, Act::Resign)).unwrap();
    table.goes(White);
    table.passes(HOUR - 1).ticks();
    let mut both = table.clone();
    // The telephone is unlocked again, and the rematch is on.
    table.comes(White);
    table.does(rematch(White)).unwrap();
    table.does(rematch(Black)).unwrap();
    assert!(table.is_playing());
    both.passes(1).ticks();
    assert_eq!((both.room.phase(), both.name_at(White)), (Phase::Over, None));
    // The player who is left has no opponent to wait for.
    both.goes(Black);
    both.passes(LINGER).ticks();
    assert_eq!(both.room.phase(), Phase::Closed);
}

#[test]
fn against_a_board_an_absent_player_keeps_the_seat_for_a_short_time_after_the_game() {
    let mut table = Table::open(Terms { by_invitation: true, ..Terms::default() });
    for (ability, name, color) in [(Ability::Claims, "ann", White), (Ability::Returns, "board", Black)] {
        table.ability = ability;
        table.sits(name, SideChoice::First).unwrap();
        table.comes(color);
    }
    table.does((White, Act::Resign)).unwrap();
    table.goes(White);
    table.passes(LINGER).ticks();
    assert_eq!(table.name_at(White), None);
}

#[test]
fn a_rematch_can_start_while_the_player_who_offered_it_is_absent() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.goes(White);
    table.passes(10_000).does(rematch(Black)).unwrap();
    assert!(table.is_playing());
    // The absence before the game does not count.
    assert_eq!(table.room.due(), Some(table.now.after(GRACE)));
    assert!(!table.room.seat(Black).unwrap().is_here());
    assert!(table.room.seat(White).unwrap().is_here());
}

#[test]
fn a_lone_player_who_disconnects_closes_the_room_after_the_grace_period() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::First).unwrap();
    table.comes(White);
    table.passes(100 * GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_room_without_players_closes_after_ten_minutes() {
    let mut table = Table::open(Terms::default());
    assert_eq!(table.room.due(), Some(table.now.after(600_000)));
    table.passes(599_999).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.passes(1).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_closed_room_does_not_change() {
    let mut table = Table::open(Terms::default());
    table.passes(600_000).ticks();
    let before = table.log.len();
    assert_eq!(table.sits("ann", SideChoice::First), Err(Refusal::Closed));
    assert_eq!(table.says("Hello?"), Err(Refusal::Closed));
    table.ticks();
    table.does(Command::LiveRelays(vec![])).unwrap();
    assert_eq!(table.log.len(), before);
}

#[test]
fn a_grace_period_of_zero_leaves_time_to_connect() {
    let mut table = Table::set(Terms { grace: 0, ..Terms::default() });
    assert!(table.is_playing());
    table.goes(White);
    table.passes(1_000).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
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
fn a_move_received_before_the_disconnect_is_accepted_after_it() {
    let mut table = Table::set(Terms::default());
    table.goes(White);
    table.does((White, Act::Move { ply: uci("e2e4"), number: Some(0) })).unwrap();
    table.does(connect(White, RELAY)).unwrap();
    assert_eq!(table.room.game().len(), 1);
}

/// The worst client disconnects as soon as the last disconnection was written, for the thirty days of a game without a clock.
#[test]
fn thirty_days_of_disconnections_leave_a_log_within_its_limit() {
    let mut table = Table::set(Terms::default());
    let end = table.now.after(30 * 86_400_000);
    let mut waited = 0;
    while table.now < end && table.room.version() < 20_000 {
        let wait = table.room.disconnection_wait();
        assert!(wait >= waited && wait <= 600_000, "{wait} ms after {waited} ms");
        waited = wait;
        table.passes(wait).goes(Black);
        table.comes(Black);
    }
    assert_eq!(waited, 600_000);
    assert!(table.room.version() < 10_000, "{} entries", table.room.version());
}
