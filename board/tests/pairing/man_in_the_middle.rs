use board::Instant;
use board::pairing::{BoardPairing, RelayPairing, RequestEvent};
use proptest::prelude::*;
use wire::link::{Ephemeral, MAX_FRAME};
use wire::pairing::{BoardChannel, BoardOpening, Message, RelayChannel, RelayOpening};

/// A man in the middle, who has a handshake with each of the two and forwards what they say.
struct Middle {
    to_relay: BoardChannel,
    to_board: RelayChannel,
}

const NOW: Instant = Instant::at(0);

proptest! {
    /// Whatever nonces the man in the middle uses, the board and the relay show different squares, although each of them
    /// finds the handshake and the commitment in order.
    #[test]
    fn the_squares_differ(keys: [[u8; 32]; 4], nonces: [[u8; 16]; 2], own in any::<[[u8; 16]; 2]>()) {
        prop_assume!(keys[0] != keys[2] && keys[1] != keys[3]);
        let mut buffer = [0; MAX_FRAME];
        let mut board = BoardPairing::new();
        board.connected(Ephemeral::new(keys[0]), nonces[0], NOW);
        let len = board.transmit("", "", &mut buffer, NOW).unwrap().unwrap();

        // The man in the middle answers the board in place of the relay, and asks the relay in place of the board.
        let from_board = RelayOpening::read(&buffer[..len]).unwrap();
        let (answer, to_board) = from_board.answer(Ephemeral::new(keys[1]), own[0]).unwrap();
        let (opening, frame) = BoardOpening::new(Ephemeral::new(keys[2]));
        let (relay_answer, mut relay) = RelayPairing::answer(&frame, Ephemeral::new(keys[3]), nonces[1], NOW).unwrap();
        let mut middle = Middle { to_relay: opening.answered(&relay_answer).unwrap(), to_board };
        prop_assert!(board.receive(&mut answer.clone(), NOW).unwrap().is_none());

        let len = board.transmit("kitchen", "", &mut buffer, NOW).unwrap().unwrap();
        let is_request = matches!(middle.to_board.receive(&mut buffer[..len]), Ok(Message::Request { .. }));
        prop_assert!(is_request);
        let request = Message::Request { nonce: own[1], name: "kitchen", software: "" };
        let len = middle.to_relay.send(&request, &mut buffer).unwrap();
        let Some(RequestEvent::Requested { squares, .. }) = relay.receive(&mut buffer[..len], NOW).unwrap() else {
            panic!("the relay shows squares")
        };
        let len = middle.to_board.send(&Message::Reveal { nonce: own[0] }, &mut buffer).unwrap();
        board.receive(&mut buffer[..len], NOW).unwrap();
        prop_assert_ne!(board.squares(), Some(squares));
        prop_assert!(board.squares().is_some());
    }
}
