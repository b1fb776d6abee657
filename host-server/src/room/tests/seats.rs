use super::table::{Black, RELAY, Table, White, id, player, rematch};
use crate::room::{Command, Entry, Fact, Phase, Refusal, RelayId, Terms, TokenHash, Wish};

fn counted() -> Terms {
    Terms { countdown: 3_000, ..Terms::default() }
}

#[test]
fn a_room_that_was_just_opened_waits() {
    let table = Table::open(Terms::default());
    assert_eq!(table.room.phase(), Phase::Waiting);
    assert_eq!((table.room.code().as_str(), table.room.version(), table.room.games()), ("ROOM", 1, 0));
    assert_eq!(table.room.seat(White), None);
}

#[test]
fn whoever_does_not_mind_gets_white_and_the_next_one_what_is_left() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::First).unwrap();
    table.sits("bob", Wish::First).unwrap();
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("ann"), Some("bob")));
    assert_eq!(table.sits("eve", Wish::First), Err(Refusal::Taken));
}

#[test]
fn dice_decide_between_free_seats_only() {
    for (dice, first, second) in [(2, White, Black), (3, Black, White)] {
        let mut table = Table::open(Terms::default());
        table.does(Command::Sit { player: player("ann"), wish: Wish::Random, dice }).unwrap();
        table.does(Command::Sit { player: player("bob"), wish: Wish::Random, dice }).unwrap();
        assert_eq!((table.name_at(first), table.name_at(second)), (Some("ann"), Some("bob")));
    }
}

#[test]
fn a_seat_that_is_asked_for_by_name_is_that_one_or_none() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::Black).unwrap();
    assert_eq!(table.sits("bob", Wish::Black), Err(Refusal::Taken));
    table.sits("bob", Wish::White).unwrap();
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("bob"), Some("ann")));
}

#[test]
fn nobody_sits_at_both_sides() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::White).unwrap();
    assert_eq!(table.sits("ann", Wish::Black), Err(Refusal::Taken));
}

#[test]
fn two_may_have_the_same_name_but_not_the_same_secret() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::White).unwrap();
    let mut namesake = player("ann");
    namesake.id = id("other");
    namesake.token = TokenHash::of("another secret");
    table.does(Command::Sit { player: namesake, wish: Wish::First, dice: 0 }).unwrap();
    let opens = |color, token| table.room.seat(color).unwrap().player.token.opens_with(token);
    assert!(opens(White, "secret of ann") && !opens(Black, "secret of ann"));
    assert!(opens(Black, "another secret") && !opens(White, "another secret") && !opens(White, ""));
}

#[test]
fn a_game_begins_when_both_are_there_and_not_before() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", Wish::White).unwrap();
    table.comes(White);
    table.sits("bob", Wish::Black).unwrap();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.comes(Black);
    assert!(table.is_playing());
    assert_ne!(table.game().0, 0);
}

#[test]
fn a_countdown_comes_first_and_ends_by_itself() {
    let mut table = Table::set(counted());
    let until = table.now.after(3_000);
    assert_eq!(table.room.phase(), Phase::Counting { until });
    assert_eq!(table.room.due(), Some(until));
    table.passes(2_999).ticks();
    assert!(!table.is_playing());
    assert_eq!(table.moves(White, "e2e4"), Err(Refusal::NotBegun));
    table.passes(1).ticks();
    assert!(table.is_playing());
}

#[test]
fn a_countdown_stops_when_a_player_goes_and_begins_anew_when_they_are_back() {
    let mut table = Table::set(counted());
    table.passes(2_000).goes(Black);
    assert_eq!((table.room.phase(), table.last_fact()), (Phase::Waiting, &Fact::Halted));
    table.passes(2_000).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.comes(Black);
    assert_eq!(table.room.phase(), Phase::Counting { until: table.now.after(3_000) });
}

#[test]
fn a_countdown_stops_when_a_player_leaves_and_the_seat_is_free() {
    let mut table = Table::set(counted());
    table.does(Command::Leave(White)).unwrap();
    assert_eq!((table.room.phase(), table.name_at(White)), (Phase::Waiting, None));
    table.sits("eve", Wish::First).unwrap();
    table.comes(White);
    assert!(matches!(table.room.phase(), Phase::Counting { .. }));
}

#[test]
fn a_slow_store_takes_nothing_off_the_countdown() {
    let mut table = Table::open(counted());
    table.sits("ann", Wish::White).unwrap();
    table.comes(White);
    table.sits("bob", Wish::Black).unwrap();
    let then = table.now;
    table.passes(5_000).received(Command::Come { color: Black, relay: RELAY }, then).unwrap();
    assert_eq!(table.room.phase(), Phase::Counting { until: table.now.after(3_000) });
}

#[test]
fn a_player_can_be_there_twice() {
    let mut table = Table::set(Terms::default());
    let other = RelayId(2);
    table.does(Command::Come { color: White, relay: other }).unwrap();
    assert_eq!(table.lines_of(Command::Come { color: White, relay: other }), 0);
    table.goes(White);
    assert!(table.room.seat(White).unwrap().is_here());
    table.does(Command::Go { color: White, relay: other }).unwrap();
    assert!(!table.room.seat(White).unwrap().is_here());
    assert_eq!(table.lines_of(Command::Go { color: White, relay: other }), 0);
}

#[test]
fn whoever_was_there_through_a_relay_that_died_is_away_from_then_on() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Come { color: White, relay: RelayId(2) }).unwrap();
    table.passes(10_000).does(Command::Relays(vec![RelayId(2)])).unwrap();
    assert!(table.room.seat(White).unwrap().is_here_through(RelayId(2)));
    assert!(!table.room.seat(Black).unwrap().is_here());
    assert_eq!(table.room.due(), Some(table.now.after(60_000)));
}

#[test]
fn only_those_who_sit_there_can_do_what_players_do() {
    let mut table = Table::open(Terms::default());
    let commands = [
        Command::Resign(White),
        Command::Leave(White),
        Command::Abort(White),
        Command::OfferDraw(White),
        Command::AllowTakeback { color: White, plies: 1 },
        rematch(White),
        Command::DeclineRematch(White),
        Command::Hints { color: White, on: true },
        Command::Come { color: White, relay: RELAY },
        Command::Go { color: White, relay: RELAY },
    ];
    for command in commands {
        assert_eq!(table.does(command), Err(Refusal::NoSeat));
    }
    assert_eq!(table.log.len(), 1);
}

#[test]
fn hints_are_shown_if_both_agree_and_a_newcomer_has_agreed_to_nothing() {
    let mut table = Table::set(Terms::default());
    table.does(Command::Hints { color: White, on: true }).unwrap();
    assert!(!table.room.hints());
    table.does(Command::Hints { color: Black, on: true }).unwrap();
    assert!(table.room.hints());
    assert_eq!(table.lines_of(Command::Hints { color: Black, on: true }), 0);
    table.does(Command::Leave(Black)).unwrap();
    table.sits("eve", Wish::Black).unwrap();
    assert!(!table.room.hints());
}

#[test]
fn a_log_does_not_grow_for_ever_but_a_game_in_it_can_be_played_to_its_end() {
    let mut table = Table::set(Terms::default());
    for round in 0..60_000 {
        let fact = Fact::Hints { color: White, on: round % 2 == 0 };
        table.room.apply(&Entry { at: table.now, pen: 0, from: None, fact });
    }
    assert_eq!(table.does(Command::Hints { color: White, on: true }), Err(Refusal::TooLong));
    assert_eq!(table.says("Still here?"), Err(Refusal::TooLong));
    assert_eq!(table.does(Command::AskTakeback { color: White, plies: 1 }), Err(Refusal::TooLong));
    table.goes(White);
    table.comes(White);
    table.plays("e2e4 e7e5");
    table.does(Command::Resign(White)).unwrap();
    assert_eq!(table.does(rematch(White)), Err(Refusal::TooLong));
}
