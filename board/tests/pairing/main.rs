//! Pairing at both ends: the whole exchange, a man in the middle, time limits, and random messages.

mod man_in_the_middle;
mod random_messages;
mod world;

use board::Instant;
use board::pairing::{Decision, PairingEvent};
use board::session::LinkError;
use wire::pairing::PairingError;

use world::{World, name};

#[test]
fn an_accepted_board_gets_its_key() {
    let mut world = World::new(1);
    world.compare();
    assert_eq!(world.board_squares(), world.relay_squares());
    world.relay.decide(Decision::Accept { key: [7; 32], name: name("kitchen") });
    world.settle();
    assert_eq!(world.board_events.last(), Some(&PairingEvent::Accepted { key: [7; 32], name: name("kitchen") }));
    assert!(world.is_received, "the board confirms the key");
    assert_eq!(world.board_error, Some(LinkError::PairingOver), "the board closes the connection");
}

#[test]
fn a_declined_board_does_not_ask_again() {
    let mut world = World::new(2);
    world.compare();
    world.relay.decide(Decision::Decline);
    world.settle();
    assert_eq!(world.board_events.last(), Some(&PairingEvent::Declined));
    world.board.disconnected(0, world.now);
    assert_eq!(world.board.connect_at(), None);
}

#[test]
fn a_decision_before_the_request_has_no_effect() {
    let mut world = World::new(3);
    world.relay.decide(Decision::Accept { key: [7; 32], name: name("kitchen") });
    world.compare();
    assert!(!world.relay.is_decided());
    assert!(world.board_events.iter().all(|event| matches!(event, PairingEvent::Compare(_))));
}

#[test]
fn pings_keep_a_request_alive_and_silence_ends_it() {
    let mut world = World::new(4);
    world.compare();
    for _ in 0..100 {
        world.wait(5_000);
        world.settle();
    }
    assert_eq!((world.board_error, world.relay_error), (None, None));
    world.is_cut = true;
    world.wait(15_000);
    world.settle();
    assert_eq!(world.board_error, Some(LinkError::KeepaliveTimeout));
    assert_eq!(world.relay_error, Some(LinkError::KeepaliveTimeout));
}

#[test]
fn a_failed_attempt_is_repeated_with_a_growing_delay() {
    let mut world = World::new(5);
    let mut last = 0;
    for _ in 0..4 {
        world.board.disconnected(0, Instant::at(0));
        let at = world.board.connect_at().expect("it asks again").since(Instant::at(0));
        assert!(at > last, "{at} after {last}");
        last = at;
    }
    assert!(world.board.has_failed());
    world.board.end_backoff(Instant::at(0));
    assert_eq!(world.board.connect_at(), Some(Instant::at(0)));
}

#[test]
fn a_stopped_request_closes_the_connection() {
    let mut world = World::new(6);
    world.compare();
    world.board.stop();
    world.settle();
    assert_eq!(world.board_error, Some(LinkError::PairingOver));
    assert_eq!(world.board.squares(), None);
}

#[test]
fn a_relay_that_breaks_its_promise_is_rejected() {
    let mut world = World::new(7);
    world.cheats = true;
    world.settle();
    assert_eq!(world.board_error, Some(LinkError::Pairing(PairingError::Commitment)));
    assert_eq!(world.board_squares(), None, "no squares are shown");
}
