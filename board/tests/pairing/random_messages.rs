use board::Instant;
use board::pairing::{BoardPairing, Decision, RelayPairing};
use proptest::prelude::*;
use wire::link::{Ephemeral, MAX_FRAME};
use wire::pairing::{BoardOpening, Message, RelayOpening};

use crate::world::name;

const NOW: Instant = Instant::at(0);

fn message() -> impl Strategy<Value = Message<'static>> {
    prop_oneof![
        any::<[u8; 16]>().prop_map(|nonce| Message::Request { nonce, name: "kitchen", software: "test" }),
        any::<[u8; 16]>().prop_map(|nonce| Message::Reveal { nonce }),
        any::<[u8; 32]>().prop_map(|key| Message::Accepted { key, name: "kitchen" }),
        Just(Message::Declined),
        Just(Message::Received),
        Just(Message::Ping),
        Just(Message::Pong),
    ]
}

proptest! {
    /// A relay that sends anything after its answer never makes the board panic. Without a promised nonce there are no squares, and
    /// without squares no key is accepted.
    #[test]
    fn a_board_survives_any_relay(frames in prop::collection::vec((message(), any::<bool>()), 0..12), cut in any::<[u8; 40]>()) {
        let mut buffer = [0; MAX_FRAME];
        let mut board = BoardPairing::new();
        board.connected(Ephemeral::new([1; 32]), [2; 16], NOW);
        let len = board.transmit("", "", &mut buffer, NOW).unwrap().unwrap();
        let opening = RelayOpening::read(&buffer[..len]).unwrap();
        let (mut answer, mut relay) = opening.answer(Ephemeral::new([3; 32]), [4; 16]).unwrap();
        board.receive(&mut answer, NOW).unwrap();
        let mut was_compared = false;
        for (message, transmits) in frames {
            if transmits && board.transmit("", "", &mut buffer, NOW).is_err() {
                break;
            }
            let len = relay.send(&message, &mut buffer).unwrap();
            match board.receive(&mut buffer[..len], NOW) {
                Ok(Some(board::pairing::PairingEvent::Accepted { .. })) => prop_assert!(was_compared),
                Ok(_) => {}
                Err(_) => break,
            }
            was_compared |= board.squares().is_some();
        }
        let _ = board.receive(&mut cut.clone(), NOW);
        let _ = board.transmit("", "", &mut [], NOW);
        board.disconnected(5, NOW);
        prop_assert!(!board.is_open());
    }

    /// A board that sends anything never makes the relay panic, and gets the key only after the decision of the owner.
    #[test]
    fn a_relay_survives_any_board(frames in prop::collection::vec(message(), 0..12), accept_after in 0..12_usize) {
        let (opening, frame) = BoardOpening::new(Ephemeral::new([1; 32]));
        let (answer, mut relay) = RelayPairing::answer(&frame, Ephemeral::new([2; 32]), [3; 16], NOW).unwrap();
        let mut board = opening.answered(&answer).unwrap();
        let mut buffer = [0; MAX_FRAME];
        for (index, message) in frames.into_iter().enumerate() {
            if index == accept_after {
                relay.decide(Decision::Accept { key: [7; 32], name: name("kitchen") });
            }
            let len = board.send(&message, &mut buffer).unwrap();
            if relay.receive(&mut buffer[..len], NOW).is_err() {
                break;
            }
            while let Some(len) = relay.transmit(&mut buffer, NOW).unwrap() {
                let is_key = matches!(board.receive(&mut buffer[..len]), Ok(Message::Accepted { .. }));
                prop_assert!(!is_key || index >= accept_after, "the key is sent before the owner has decided");
            }
        }
        prop_assert!(RelayPairing::answer(&[0; 7], Ephemeral::new([2; 32]), [3; 16], NOW).is_err());
    }
}
