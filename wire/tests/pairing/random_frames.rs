use proptest::prelude::*;
use wire::link::{Ephemeral, Refusal};
use wire::pairing::{ANSWER_LEN, BoardOpening, Message, OPENING_LEN, PairingError, RelayOpening};

use crate::{from_board, from_relay, handshake};

fn answered(frame: &[u8]) -> Option<PairingError> {
    BoardOpening::new(Ephemeral::new([1; 32])).0.answered(frame).err()
}

#[test]
fn refusals_are_distinguished() {
    assert_eq!(answered(&Refusal::Busy.frame()), Some(PairingError::Refused(Refusal::Busy)));
    let version = Refusal::Version { lowest: 2, highest: 3 };
    assert_eq!(answered(&version.frame()), Some(PairingError::Refused(version)));
    assert_eq!(answered(&[]), Some(PairingError::Length(0)));
    assert_eq!(answered(&[1, 0, 5]), Some(PairingError::Length(3)));
    assert_eq!(answered(&[2; 1]), Some(PairingError::Length(1)));
    let mut frame = [0; ANSWER_LEN];
    frame[0] = 9;
    assert_eq!(answered(&frame), Some(PairingError::Version(9)));
    let opened = |frame: &[u8]| RelayOpening::read(frame).err();
    assert_eq!(opened(&[7; OPENING_LEN]), Some(PairingError::Version(7)));
    assert_eq!(opened(&[1; OPENING_LEN + 1]), Some(PairingError::Length(OPENING_LEN + 1)));
    assert_eq!(opened(&[]), Some(PairingError::Length(0)));
}

#[test]
fn a_public_key_of_low_order_is_rejected() {
    let mut frame = [0; OPENING_LEN];
    frame[0] = 1;
    let opening = RelayOpening::read(&frame).unwrap();
    assert_eq!(opening.answer(Ephemeral::new([3; 32]), [0; 16]).err(), Some(PairingError::Forged));
}

#[test]
fn texts_that_are_too_long_are_not_sent() {
    let (mut board, _) = handshake([1; 32], [2; 32], [3; 16]);
    let (long, mut buffer) = ("x".repeat(500), [0; 600]);
    for (name, software) in [(&long[..], ""), ("", &long[..])] {
        let request = Message::Request { nonce: [0; 16], name, software };
        assert_eq!(board.send(&request, &mut buffer), Err(PairingError::TooLong));
    }
    assert_eq!(board.send(&Message::Pong, &mut []), Err(PairingError::Buffer));
    assert_eq!(board.send(&Message::Pong, &mut [0; 16]), Err(PairingError::Buffer));
}

#[test]
fn the_debug_output_hides_key_and_nonces() {
    let messages = [
        Message::Request { nonce: [7; 16], name: "kitchen", software: "test" },
        Message::Reveal { nonce: [7; 16] },
        Message::Accepted { key: [7; 32], name: "kitchen" },
    ];
    let text = format!("{messages:?}");
    assert!(!text.contains('7'), "{text}");
}

proptest! {
    #[test]
    fn random_bytes_never_panic_and_are_never_accepted(frame in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(answered(&frame).is_some());
        let (mut board, mut relay) = handshake([1; 32], [2; 32], [3; 16]);
        prop_assert!(board.receive(&mut frame.clone()).is_err());
        prop_assert!(relay.receive(&mut frame.clone()).is_err());
        if let Ok(opening) = RelayOpening::read(&frame) {
            let _ = opening.answer(Ephemeral::new([3; 32]), [0; 16]);
        }
    }

    #[test]
    fn a_changed_or_repeated_frame_is_rejected(at: prop::sample::Index, flipped in 1_u8..) {
        let (mut board, mut relay) = handshake([1; 32], [2; 32], [3; 16]);
        let frame = from_relay(&mut relay, &Message::Accepted { key: [5; 32], name: "kitchen" });
        let mut changed = frame.clone();
        changed[at.index(frame.len())] ^= flipped;
        prop_assert!(board.receive(&mut changed).is_err());
        let (mut board, mut relay) = handshake([1; 32], [2; 32], [3; 16]);
        let frame = from_board(&mut board, &Message::Received);
        let mut again = frame.clone();
        prop_assert!(relay.receive(&mut frame.clone()) == Ok(Message::Received));
        prop_assert!(relay.receive(&mut again).is_err());
    }
}
