//! A game under other rules on the way to a board.

use chess::Color;
use rules::Start;

use super::fixture::Fixture;
use crate::dialect::board::relay_session::RelaySession;
use crate::room::{Act, Terms, Time};

fn breakthrough() -> Fixture {
    let terms = Terms { start: Some(Box::new(Start::Breakthrough)), ..Terms::default() };
    Fixture::under(terms, Color::Black, 5)
}

#[test]
fn a_board_gets_the_game_under_its_rules() {
    let mut fixture = breakthrough();
    fixture.settle();
    let play = fixture.board.any_game().unwrap();
    assert_eq!((play.start(), play.len()), (Start::Breakthrough, 0));
    fixture.other(Act::Move { ply: "e2e3".parse().unwrap(), number: Some(0) }).unwrap();
    fixture.settle();
    assert_eq!(fixture.board.any_game().unwrap(), fixture.room.game());
}

#[test]
fn the_record_of_a_session_keeps_the_rules() {
    let mut fixture = breakthrough();
    fixture.settle();
    fixture.other(Act::Move { ply: "e2e3".parse().unwrap(), number: Some(0) }).unwrap();
    fixture.settle();
    let record = serde_json::to_vec(&fixture.relay_session.record()).unwrap();
    let again = RelaySession::from_record(serde_json::from_slice(&record).unwrap()).unwrap();
    assert_eq!(again.game(), fixture.room.game());
}

#[test]
fn a_board_that_does_not_know_the_rules_is_not_sent_the_game() {
    let mut fixture = breakthrough();
    // Before the hello of the board no feature is known.
    assert!(!fixture.relay_session.can_play(&Start::Breakthrough) && fixture.relay_session.can_play(&Start::CHESS));
    let (room, now) = (fixture.room.clone(), Time(fixture.board.now));
    fixture.relay_session.settle(Some(&room), now);
    assert_eq!(fixture.relay_session.game().start(), Start::CHESS);
    fixture.settle();
    assert!(fixture.relay_session.can_play(&Start::Breakthrough));
}
