use super::table::{Black, RELAY, Step, Table, White, connect, disconnect, id, player, rematch};
use crate::room::{Act, Command, Entry, Fact, Phase, Refusal, RelayId, SideChoice, Terms, TokenHash};

fn counted() -> Terms {
    Terms { countdown: 3_000, ..Terms::default() }
}

#[test]
fn a_new_room_waits_for_players() {
    let table = Table::open(Terms::default());
    assert_eq!(table.room.phase(), Phase::Waiting);
    assert_eq!((table.room.code().as_str(), table.room.version(), table.room.games()), ("ROOM", 1, 0));
    assert_eq!(table.room.seat(White), None);
}

#[test]
fn without_a_preferred_side_white_is_given_first() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::First).unwrap();
    table.sits("bob", SideChoice::First).unwrap();
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("ann"), Some("bob")));
    assert_eq!(table.sits("eve", SideChoice::First), Err(Refusal::Taken));
}

#[test]
fn a_random_side_is_a_free_one() {
    for (random, first, second) in [(2, White, Black), (3, Black, White)] {
        let mut table = Table::open(Terms::default());
        table.write_ids = random - 1;
        table.sits("ann", SideChoice::Random).unwrap();
        table.write_ids = random - 1;
        table.sits("bob", SideChoice::Random).unwrap();
        assert_eq!((table.name_at(first), table.name_at(second)), (Some("ann"), Some("bob")));
    }
}

#[test]
fn a_preferred_side_is_given_or_refused() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::Black).unwrap();
    assert_eq!(table.sits("bob", SideChoice::Black), Err(Refusal::Taken));
    table.sits("bob", SideChoice::White).unwrap();
    assert_eq!((table.name_at(White), table.name_at(Black)), (Some("bob"), Some("ann")));
}

#[test]
fn a_player_has_only_one_seat() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::White).unwrap();
    assert_eq!(table.sits("ann", SideChoice::Black), Err(Refusal::Taken));
}

#[test]
fn players_with_the_same_name_have_different_tokens() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::White).unwrap();
    let mut namesake = player("ann");
    namesake.id = id("other");
    namesake.token = TokenHash::of("another secret");
    table.does(Command::Sit { player: namesake, side: SideChoice::First }).unwrap();
    let opens = |color, token| table.room.seat(color).unwrap().player.token.opens_with(token);
    assert!(opens(White, "secret of ann") && !opens(Black, "secret of ann"));
    assert!(opens(Black, "another secret") && !opens(White, "another secret") && !opens(White, ""));
}

#[test]
fn a_game_starts_when_both_players_are_connected() {
    let mut table = Table::open(Terms::default());
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table.sits("bob", SideChoice::Black).unwrap();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.comes(Black);
    assert!(table.is_playing());
    assert_ne!(table.game().0, 0);
}

#[test]
fn a_countdown_precedes_the_game_and_ends_by_itself() {
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
fn a_disconnect_stops_the_countdown_and_a_reconnect_restarts_it() {
    let mut table = Table::set(counted());
    table.passes(2_000).goes(Black);
    assert_eq!((table.room.phase(), table.last_fact()), (Phase::Waiting, &Fact::CountdownStopped));
    table.passes(2_000).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
    table.comes(Black);
    assert_eq!(table.room.phase(), Phase::Counting { until: table.now.after(3_000) });
}

#[test]
fn leaving_stops_the_countdown_and_frees_the_seat() {
    let mut table = Table::set(counted());
    table.does((White, Act::Leave)).unwrap();
    assert_eq!((table.room.phase(), table.name_at(White)), (Phase::Waiting, None));
    table.sits("eve", SideChoice::First).unwrap();
    table.comes(White);
    assert!(matches!(table.room.phase(), Phase::Counting { .. }));
}

#[test]
fn a_slow_store_does_not_shorten_the_countdown() {
    let mut table = Table::open(counted());
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table.sits("bob", SideChoice::Black).unwrap();
    let then = table.now;
    table.passes(5_000).received(connect(Black, RELAY), then).unwrap();
    assert_eq!(table.room.phase(), Phase::Counting { until: table.now.after(3_000) });
}

#[test]
fn a_player_can_be_connected_through_two_relays() {
    let mut table = Table::set(Terms::default());
    let other = RelayId(2);
    table.does(connect(White, other)).unwrap();
    assert_eq!(table.lines_of(connect(White, other)), 0);
    table.goes(White);
    assert!(table.room.seat(White).unwrap().is_here());
    table.does(disconnect(White, other)).unwrap();
    assert!(!table.room.seat(White).unwrap().is_here());
    assert_eq!(table.lines_of(disconnect(White, other)), 0);
}

#[test]
fn players_of_a_dead_relay_are_absent_from_then_on() {
    let mut table = Table::set(Terms::default());
    table.does(connect(White, RelayId(2))).unwrap();
    table.passes(10_000).does(Command::LiveRelays(vec![RelayId(2)])).unwrap();
    assert!(table.room.seat(White).unwrap().is_here_through(RelayId(2)));
    assert!(!table.room.seat(Black).unwrap().is_here());
    assert_eq!(table.room.due(), Some(table.now.after(60_000)));
}

#[test]
fn acts_of_players_need_a_seat() {
    let mut table = Table::open(Terms::default());
    let steps: [Step; 10] = [
        (White, Act::Resign).into(),
        (White, Act::Leave).into(),
        (White, Act::Abort).into(),
        (White, Act::OfferDraw).into(),
        (White, Act::AcceptTakeback { plies: 1 }).into(),
        rematch(White).into(),
        (White, Act::DeclineRematch).into(),
        (White, Act::Hints { on: true }).into(),
        connect(White, RELAY),
        disconnect(White, RELAY),
    ];
    for step in steps {
        assert_eq!(table.does(step), Err(Refusal::NoSeat));
    }
    assert_eq!(table.log.len(), 1);
}

#[test]
fn hints_need_the_consent_of_both_players_and_end_with_a_new_player() {
    let mut table = Table::set(Terms::default());
    table.does((White, Act::Hints { on: true })).unwrap();
    assert!(!table.room.hints());
    table.does((Black, Act::Hints { on: true })).unwrap();
    assert!(table.room.hints());
    assert_eq!(table.lines_of((Black, Act::Hints { on: true })), 0);
    table.does((Black, Act::Leave)).unwrap();
    table.sits("eve", SideChoice::Black).unwrap();
    assert!(!table.room.hints());
}

#[test]
fn a_full_log_accepts_only_what_finishes_the_game() {
    let mut table = Table::set(Terms::default());
    for round in 0..20_000 {
        let fact = Fact::Hints { color: White, on: round % 2 == 0 };
        table.room.apply(&Entry { at: table.now, write_id: 0, from: None, fact });
    }
    assert_eq!(table.does((White, Act::Hints { on: true })), Err(Refusal::TooLong));
    assert_eq!(table.says("Still here?"), Err(Refusal::TooLong));
    assert_eq!(table.does((White, Act::AskTakeback { plies: 1 })), Err(Refusal::TooLong));
    table.goes(White);
    table.comes(White);
    table.plays("e2e4 e7e5");
    table.does((White, Act::Resign)).unwrap();
    assert_eq!(table.does(rematch(White)), Err(Refusal::TooLong));
}

#[test]
fn a_seat_given_up_after_a_game_is_open_to_the_next_player() {
    let mut table = Table::set(Terms::default());
    table.does((Black, Act::Resign)).unwrap();
    table.does((Black, Act::Leave)).unwrap();
    assert_eq!((table.room.phase(), table.room.open_seat()), (Phase::Waiting, Some(Black)));
    assert_eq!(table.room.left(Black).map(|player| player.name.as_str()), Some("bob"));
    table.sits("eve", SideChoice::First).unwrap();
    assert_eq!(table.room.left(Black), None);
}

#[test]
fn in_a_room_with_by_invitation_a_seat_given_up_after_a_game_stays_empty() {
    let mut table = Table::set(Terms { by_invitation: true, ..Terms::default() });
    table.plays("e2e4 e7e5");
    table.does((Black, Act::Leave)).unwrap();
    assert_eq!((table.room.phase(), table.room.open_seat()), (Phase::Over, None));
    assert_eq!(table.room.left(Black).map(|player| player.name.as_str()), Some("bob"));
    assert_eq!(table.sits("eve", SideChoice::First), Err(Refusal::Taken));
    assert_eq!(table.does(rematch(White)), Err(Refusal::NoOffer));
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.phase(), Phase::Closed);
}
