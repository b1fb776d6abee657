//! Absence in games of players who can come back and claim a win: the opponent and the clock decide, not the grace period.

use super::table::{Black, Table, White, connect, rematch};
use crate::room::{Ability, Act, Computer, Ending, Fact, Phase, Refusal, SideChoice, Terms, Time};
use engine::Level;
use rules::genome::Setup;
use rules::{Start, Verdict, Why};
use wire::link::ClockRule;

const GRACE: u64 = 60_000;
const DAY: u64 = 86_400_000;

fn timed() -> Terms {
    Terms { clock: Some(ClockRule { base_ms: 600_000, increment_ms: 0 }), ..Terms::default() }
}

fn invited() -> Terms {
    Terms { by_invitation: true, ..Terms::default() }
}

/// A room in which Ann has invited an opponent and is connected.
fn invitation(terms: Terms) -> Table {
    let mut table = Table { ability: Ability::Claims, ..Table::open(terms) };
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table
}

#[test]
fn a_game_without_a_clock_is_not_lost_by_absence() {
    let mut table = Table::claiming(Terms::default());
    table.plays("e2e4 e7e5");
    table.goes(White);
    assert_eq!((table.room.due(), table.room.absence_ends(White)), (None, None));
    table.passes(20 * DAY).ticks();
    assert!(table.is_playing());
    assert_eq!(table.does((Black, Act::ClaimWin)), Err(Refusal::NoClaimWithoutClock));
    table.comes(White);
    table.plays("g1f3");
}

#[test]
fn a_game_without_a_clock_ends_if_neither_player_comes_back() {
    let mut table = Table::claiming(Terms { longest_absence: 10 * DAY, ..Terms::default() });
    table.plays("e2e4 e7e5");
    table.goes(White);
    table.passes(5 * DAY).goes(Black);
    assert_eq!(table.room.due(), Some(table.now.after(10 * DAY)));
    table.passes(10 * DAY - 1).ticks();
    assert!(table.is_playing());
    table.passes(1).ticks();
    assert_eq!((table.room.verdict(), table.room.phase()), (Some(Verdict::Abandoned), Phase::Closed));
}

#[test]
fn with_a_clock_the_time_of_an_absent_player_decides() {
    let mut table = Table::claiming(timed());
    table.plays("e2e4 e7e5");
    table.goes(White);
    table.passes(GRACE).ticks();
    assert!(table.is_playing(), "the opponent has not claimed");
    table.passes(540_000).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Time }));
}

#[test]
fn the_opponent_may_claim_the_win_after_the_grace_period() {
    let mut table = Table::claiming(timed());
    table.plays("e2e4 e7e5");
    assert_eq!(table.does((Black, Act::ClaimWin)), Err(Refusal::OpponentIsHere));
    table.goes(White);
    assert_eq!(table.room.absence_ends(White), Some(table.now.after(GRACE)));
    table.passes(GRACE - 1);
    assert_eq!(table.does((Black, Act::ClaimWin)), Err(Refusal::TooEarlyToClaim));
    table.passes(1);
    assert_eq!(table.does((White, Act::ClaimWin)), Err(Refusal::OpponentIsHere), "Black is here");
    let mut back = table.clone();
    table.does((Black, Act::ClaimWin)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
    assert_eq!((table.name_at(White), table.room.left(White).is_some()), (None, true));
    assert_eq!(table.does((Black, Act::ClaimWin)), Err(Refusal::NotBegun));
    // A player who comes back before the claim plays on.
    back.comes(White);
    assert_eq!(back.does((Black, Act::ClaimWin)), Err(Refusal::OpponentIsHere));
    back.plays("g1f3");
}

#[test]
fn a_claim_before_each_side_has_moved_aborts_the_game() {
    let mut table = Table::claiming(timed());
    table.plays("e2e4");
    table.goes(Black);
    table.passes(GRACE);
    table.does((White, Act::ClaimWin)).unwrap();
    assert_eq!((table.room.verdict(), table.room.leaver()), (Some(Verdict::Aborted), Some(Black)));
}

/// A running game of Ann, whose client can claim, and Bob, whose client can do this.
fn against(bob: Ability, terms: Terms) -> Table {
    let mut table = Table { ability: Ability::Claims, ..Table::open(terms) };
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table.ability = bob;
    table.sits("bob", SideChoice::Black).unwrap();
    table.comes(Black);
    table
}

#[test]
fn a_game_against_a_documented_client_is_lost_by_absence() {
    let mut table = against(Ability::Documented, Terms::default());
    table.plays("e2e4 e7e5");
    table.goes(White);
    assert_eq!(table.room.absence_ends(White), Some(table.now.after(GRACE)));
    table.passes(GRACE).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

#[test]
fn a_board_does_not_lose_a_game_without_a_clock_by_absence_under_any_rules() {
    let genome = Start::Genome(Setup::default_preset(1).unwrap());
    for start in [None, Some(Box::new(genome))] {
        for bob in [Ability::Returns, Ability::Claims] {
            let mut table = against(bob, Terms { start: start.clone(), ..Terms::default() });
            assert!(!table.room.limits_absence());
            table.plays("f2f3 f7f6");
            table.goes(Black);
            assert_eq!((table.room.due(), table.room.absence_ends(Black)), (None, None));
            table.passes(20 * DAY).ticks();
            assert_eq!(table.does((White, Act::ClaimWin)), Err(Refusal::NoClaimWithoutClock));
            table.comes(Black);
            table.plays("a2a3 a7a6");
        }
    }
}

#[test]
fn the_absent_opponent_of_a_board_does_not_lose_and_occupies_it_for_a_week() {
    let mut table = against(Ability::Returns, Terms::default());
    table.plays("e2e4 e7e5");
    table.goes(White);
    assert_eq!(table.room.absence_ends(White), None);
    assert_eq!(table.room.due(), Some(table.now.after(7 * DAY)));
    table.passes(7 * DAY - 1).ticks();
    let mut back = table.clone();
    back.comes(White);
    back.plays("g1f3");
    assert_eq!(back.room.due(), None);
    table.passes(1).ticks();
    assert_eq!((table.room.verdict(), table.name_at(Black)), (Some(Verdict::Abandoned), Some("bob")));
    // A visitor who is gone before both have moved has played no game.
    let mut table = against(Ability::Returns, Terms::default());
    table.plays("e2e4");
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!((table.room.verdict(), table.name_at(Black)), (Some(Verdict::Aborted), Some("bob")));
}

#[test]
fn two_boards_do_not_lose_a_game_without_a_clock_by_absence() {
    let mut table = Table::set_with(Ability::Returns, Terms { longest_absence: 30 * DAY, ..Terms::default() });
    table.plays("e2e4 e7e5");
    table.goes(White);
    table.passes(DAY / 2).ticks();
    assert!(table.is_playing());
    table.goes(Black);
    assert_eq!(table.room.due(), Some(table.now.after(30 * DAY)));
    table.comes(White);
    table.plays("g1f3");
}

#[test]
fn with_a_clock_a_board_wins_after_the_grace_period_and_loses_by_a_claim() {
    let mut table = against(Ability::Returns, timed());
    table.plays("e2e4 e7e5");
    let mut offline = table.clone();
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
    // The opponent of a board decides whether to claim.
    offline.goes(Black);
    offline.passes(GRACE).ticks();
    assert!(offline.is_playing());
    offline.does((White, Act::ClaimWin)).unwrap();
    assert_eq!(offline.room.verdict(), Some(Verdict::Won { winner: White, why: Why::Abandonment }));
}

#[test]
fn a_board_does_not_lose_to_the_computer_by_absence() {
    let computer = Some(Computer::Level(Level::new(3).unwrap()));
    for ability in [Ability::Returns, Ability::Claims] {
        let terms = Terms { computer: computer.clone(), longest_absence: 30 * DAY, ..Terms::default() };
        let mut table = Table { ability, ..Table::open(terms) };
        table.sits("ann", SideChoice::White).unwrap();
        table.comes(White);
        table.plays("e2e4 e7e5");
        assert_eq!(table.room.due(), None, "the computer is not absent");
        table.goes(White);
        assert_eq!(table.room.due(), Some(table.now.after(30 * DAY)));
        table.passes(29 * DAY).ticks();
        table.comes(White);
        table.plays("g1f3");
    }
}

#[test]
fn the_computer_claims_no_win_so_that_an_absent_player_only_has_the_own_clock() {
    let computer = Some(Computer::Level(Level::new(3).unwrap()));
    let clock = Some(ClockRule { base_ms: 600_000, increment_ms: 0 });
    let mut table = Table { ability: Ability::Claims, ..Table::open(Terms { clock, computer, ..Terms::default() }) };
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table.plays("e2e4 e7e5");
    table.goes(White);
    assert_eq!((table.room.absence_ends(White), table.room.limits_absence()), (None, false));
    table.passes(599_000).ticks();
    assert!(table.is_playing());
    table.passes(1_000).ticks();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Time }));
}

#[test]
fn an_invitation_is_valid_for_a_day_while_its_host_is_away() {
    let mut table = invitation(invited());
    let opened = Time(1_000_000);
    table.goes(White);
    assert_eq!(table.room.due(), Some(opened.after(DAY)));
    table.passes(DAY - 1).ticks();
    assert_eq!((table.room.phase(), table.room.open_seat()), (Phase::Waiting, Some(Black)));
    table.passes(1).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
    // A connected host can wait longer, and a host who leaves closes the room.
    let mut table = invitation(invited());
    table.passes(3 * DAY).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_room_without_invitation_closes_after_the_grace_period_of_a_lone_player() {
    let mut table = invitation(Terms::default());
    table.goes(White);
    table.passes(GRACE).ticks();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn the_game_begins_when_the_guest_comes_while_the_host_is_away() {
    let mut table = invitation(Terms { by_invitation: true, ..timed() });
    table.goes(White);
    table.passes(DAY / 2);
    table.sits("bob", SideChoice::First).unwrap();
    assert!(table.room.begins_with(Black));
    assert_eq!(table.room.phase(), Phase::Waiting, "until the guest is connected");
    table.comes(Black);
    assert!(table.is_playing());
    // No clock runs before the first move, and the host has the whole grace period from the start of the game.
    assert_eq!(table.room.due(), None);
    assert_eq!(table.room.absence_ends(White), Some(table.now.after(GRACE)));
    table.passes(DAY);
    assert_eq!(table.left(White), 600_000);
    let mut claimed = table.clone();
    claimed.does((Black, Act::ClaimWin)).unwrap();
    assert_eq!(claimed.room.verdict(), Some(Verdict::Aborted));
    table.comes(White);
    table.plays("e2e4 e7e5");
}

#[test]
fn a_guest_who_cannot_claim_waits_for_the_host() {
    let mut table = invitation(invited());
    table.goes(White);
    table.ability = Ability::Documented;
    table.sits("bob", SideChoice::First).unwrap();
    table.comes(Black);
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.comes(White);
    assert!(table.is_playing());
}

#[test]
fn leaving_before_each_side_has_moved_aborts_the_game() {
    let mut table = Table::claiming(Terms::default());
    table.plays("e2e4");
    table.does((White, Act::Leave)).unwrap();
    assert_eq!((table.room.verdict(), table.room.leaver()), (Some(Verdict::Aborted), Some(White)));
    assert!(
        table.facts().any(|fact| *fact == Fact::Ended(Ending { verdict: Verdict::Aborted, aborted_by: Some(White) }))
    );
    let mut table = Table::claiming(Terms::default());
    table.plays("e2e4 e7e5");
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
    // The documents of other clients have no abort.
    let mut table = Table::set(Terms::default());
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.verdict(), Some(Verdict::Won { winner: Black, why: Why::Abandonment }));
}

#[test]
fn a_rematch_with_an_absent_player_can_be_claimed_after_a_whole_grace_period() {
    let mut table = Table::claiming(timed());
    table.does((White, Act::Resign)).unwrap();
    table.does(rematch(White)).unwrap();
    table.goes(White);
    table.passes(10_000).does(rematch(Black)).unwrap();
    assert!(table.is_playing());
    assert_eq!(table.room.absence_ends(Black), Some(table.now.after(GRACE)));
    table.does(connect(Black, super::table::RELAY)).unwrap();
    assert_eq!(table.room.absence_ends(Black), None);
}
