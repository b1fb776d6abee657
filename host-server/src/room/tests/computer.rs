//! Rooms in which one of the players is a computer.

use engine::Level;
use wire::link::ClockRule;

use super::table::{Black, RELAY, Table, White, connect, player, rematch};
use crate::room::{Act, Command, Computer, Expected, Fact, Phase, Presence, Refusal, RelayId, Room, SideChoice, Terms};

fn terms() -> Terms {
    Terms { computer: Some(Computer::Level(Level::new(3).unwrap())), ..Terms::default() }
}

/// Ann plays White against the computer.
fn against_computer() -> Table {
    let mut table = Table::open(terms());
    table.sits("ann", SideChoice::White).unwrap();
    table.comes(White);
    table
}

#[test]
fn the_computer_takes_the_seat_opposite_to_the_first_person() {
    for (side, computer) in [(SideChoice::White, Black), (SideChoice::Black, White)] {
        let mut table = Table::open(terms());
        assert_eq!(table.room.computer(), None);
        table.sits("ann", side).unwrap();
        assert_eq!(table.room.computer(), Some(computer));
        assert_eq!(table.name_at(computer), Some("Tabiya level 3"));
        assert_eq!(table.room.phase(), Phase::Waiting);
        table.comes(!computer);
        assert!(table.is_playing());
        assert_eq!(table.sits("bob", SideChoice::First), Err(Refusal::Taken));
    }
}

#[test]
fn the_terms_with_a_computer_have_their_stored_form() {
    for (computer, stored) in [
        (Computer::Level(Level::new(10).unwrap()), r#"{"level":10}"#),
        (Computer::Engine("stockfish-1500".parse().unwrap()), r#"{"engine":"stockfish-1500"}"#),
    ] {
        let terms = Terms { computer: Some(computer), ..Terms::default() };
        let line = format!(r#"{{"countdown":0,"grace":60000,"computer":{stored}}}"#);
        assert_eq!(serde_json::to_string(&terms).unwrap(), line);
        assert_eq!(serde_json::from_str::<Terms>(&line).unwrap(), terms);
    }
    for stored in [r#"{"level":0}"#, r#"{"level":11}"#, r#"{"engine":"a b"}"#, r#"{"engine":""}"#, "5"] {
        let line = format!(r#"{{"countdown":0,"grace":60000,"computer":{stored}}}"#);
        assert!(serde_json::from_str::<Terms>(&line).is_err(), "{stored}");
    }
}

#[test]
fn a_log_with_a_computer_is_read_again() {
    let mut table = against_computer();
    table.plays("e2e4 e7e5");
    let lines: Vec<String> = table.log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
    let log: Vec<_> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Room::from_log(&log).unwrap(), table.room);
}

#[test]
fn no_token_opens_the_seat_of_the_computer() {
    let table = against_computer();
    let computer = &table.room.seat(Black).unwrap().player;
    for token in ["", "0", &"0".repeat(64)] {
        assert!(!computer.token.opens_with(token));
    }
    assert!(!player("ann").is_computer() && computer.is_computer());
}

#[test]
fn the_computer_is_asked_for_moves_and_answers() {
    let mut table = against_computer();
    assert_eq!(table.room.expects_of_computer(), None);
    table.plays("e2e4");
    assert_eq!(table.room.expects_of_computer(), Some(Expected::Ply));
    table.does((White, Act::AskTakeback { plies: 1 })).unwrap();
    assert_eq!(table.room.expects_of_computer(), Some(Expected::TakebackAnswer(1)));
    table.does((Black, Act::AcceptTakeback { plies: 1 })).unwrap();
    assert_eq!(table.room.expects_of_computer(), None);
    table.does((White, Act::OfferDraw)).unwrap();
    assert_eq!(table.room.expects_of_computer(), Some(Expected::DrawAnswer));
    table.does((Black, Act::DeclineDraw)).unwrap();
    table.does((White, Act::Resign)).unwrap();
    assert_eq!(table.room.expects_of_computer(), None);
    table.does(rematch(White)).unwrap();
    assert_eq!(table.room.expects_of_computer(), Some(Expected::RematchAnswer));
    table.does((Black, Act::AcceptRematch)).unwrap();
    assert_eq!(table.room.computer(), Some(White), "a rematch swaps the colours");
    assert_eq!(table.room.expects_of_computer(), Some(Expected::Ply));
}

#[test]
fn the_person_alone_decides_about_hints() {
    let mut table = against_computer();
    assert!(!table.room.hints());
    table.does((White, Act::Hints { on: true })).unwrap();
    assert!(table.room.hints());
}

#[test]
fn one_relay_acts_for_the_computer_while_the_person_is_connected() {
    let (first, second) = (RELAY, RelayId(9));
    let mut table = against_computer();
    assert!(table.room.is_computer_at(first) && !table.room.is_computer_at(second));
    table.does(connect(White, second)).unwrap();
    assert!(table.room.is_computer_at(first) && !table.room.is_computer_at(second));
    table.does(Command::LiveRelays(vec![second])).unwrap();
    assert!(!table.room.is_computer_at(first) && table.room.is_computer_at(second));
    table.does(Command::LiveRelays(vec![])).unwrap();
    assert!(matches!(table.room.seat(White).unwrap().presence, Presence::Away(_)));
    assert!(table.room.is_computer_at(first) && table.room.is_computer_at(second));
    assert!(table.room.seat(Black).unwrap().is_here(), "a computer is never disconnected");
}

#[test]
fn the_room_closes_when_the_person_has_left() {
    let mut table = against_computer();
    table.plays("e2e4");
    table.does((White, Act::Leave)).unwrap();
    assert_eq!(table.room.phase(), Phase::Closed);

    let mut table = against_computer();
    table.plays("e2e4");
    table.goes(White);
    let due = table.room.due().expect("the grace period of the person ends");
    table.now = due;
    table.ticks();
    assert!(table.facts().any(|fact| matches!(fact, Fact::Ended(_))), "the game is lost by abandonment");
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn a_room_that_was_not_entered_waits_for_its_player() {
    let mut table = Table::open(terms());
    table.passes(60_000).ticks();
    assert_eq!(table.room.phase(), Phase::Waiting);
}

#[test]
fn the_computer_can_lose_on_time() {
    let clock = Some(ClockRule { base_ms: 1_000, increment_ms: 0 });
    let mut table = Table::open(Terms { clock, ..terms() });
    table.sits("ann", SideChoice::Black).unwrap();
    table.comes(Black);
    table.plays("e2e4 e7e5");
    table.passes(2_000).ticks();
    assert_eq!(table.room.verdict().and_then(rules::Verdict::winner), Some(Black));
}
