use board::Instant;
use board::pairing::{BoardPairing, Decision, PairingEvent, RelayPairing};
use wire::link::{Ephemeral, MAX_FRAME, clipped_name};
use wire::pairing::{BoardOpening, Message, RelayOpening};

const NOW: Instant = Instant::at(0);

/// A board or a relay that misbehaves while it is paired: after the handshake it sends the given bytes as messages, in any order. Nothing
/// panics, a key is sent only after the owner has accepted, and no board takes a key before it has shown squares.
pub fn pairing(data: &[u8]) {
    // The first frames of both ends, which anyone can send.
    if let Ok(opening) = RelayOpening::read(data) {
        let _ = opening.answer(Ephemeral::new([3; 32]), [0; 16]);
    }
    assert!(BoardOpening::new(Ephemeral::new([1; 32])).0.answered(data).is_err(), "no answer is made by chance");
    match data.split_first() {
        Some((first, rest)) if first & 1 == 0 => bad_board(rest),
        Some((_, rest)) => bad_relay(rest),
        None => {}
    }
}

/// The next message of the input, and the rest of it. What is not a message is left out.
fn next_message(data: &[u8]) -> Option<(Option<Message<'_>>, &[u8])> {
    let (&len, rest) = data.split_first()?;
    let (bytes, rest) = rest.split_at(usize::from(len).min(rest.len()));
    let message = Message::read(bytes).ok();
    if let Some(message) = &message {
        let mut buffer = [0; MAX_FRAME];
        let len = message.write(&mut buffer).expect("what was read can be written");
        assert!(Message::read(&buffer[..len]).as_ref() == Ok(message), "{message:?}");
    }
    Some((message, rest))
}

fn bad_board(mut data: &[u8]) {
    let (opening, frame) = BoardOpening::new(Ephemeral::new([1; 32]));
    let answered = RelayPairing::answer(&frame, Ephemeral::new([2; 32]), [3; 16], NOW);
    let (answer, mut relay) = answered.expect("an opening");
    let mut board = opening.answered(&answer).expect("an answer");
    let mut is_accepted = false;
    let mut buffer = [0; MAX_FRAME];
    while let Some((message, rest)) = next_message(data) {
        // A length of 0 is the owner, who accepts.
        if data.first() == Some(&0) {
            relay.decide(Decision::Accept { key: [7; 32], name: clipped_name("kitchen") });
            is_accepted = true;
        }
        data = rest;
        if let Some(message) = message {
            let len = board.send(&message, &mut buffer).expect("a message");
            if relay.receive(&mut buffer[..len], NOW).is_err() {
                return;
            }
        }
        while let Ok(Some(len)) = relay.transmit(&mut buffer, NOW) {
            let message = board.receive(&mut buffer[..len]).expect("a frame of the relay");
            assert!(is_accepted || !matches!(message, Message::Accepted { .. }), "the key is sent too early");
        }
    }
}

fn bad_relay(mut data: &[u8]) {
    let mut buffer = [0; MAX_FRAME];
    let mut board = BoardPairing::new();
    board.connected(Ephemeral::new([1; 32]), [2; 16], NOW);
    let len = board.transmit("", "", &mut buffer, NOW).expect("an opening").expect("an opening");
    let opening = RelayOpening::read(&buffer[..len]).expect("an opening");
    let (mut answer, mut relay) = opening.answer(Ephemeral::new([3; 32]), [4; 16]).expect("an answer");
    board.receive(&mut answer, NOW).expect("an answer");
    let mut was_compared = false;
    while let Some((message, rest)) = next_message(data) {
        data = rest;
        if board.transmit("kitchen", "board", &mut buffer, NOW).is_err() {
            return;
        }
        if let Some(message) = message {
            let len = relay.send(&message, &mut buffer).expect("a message");
            match board.receive(&mut buffer[..len], NOW) {
                Ok(event) => {
                    let is_key = matches!(event, Some(PairingEvent::Accepted { .. }));
                    assert!(was_compared || !is_key, "a key without squares");
                }
                Err(_) => return,
            }
        }
        was_compared |= board.squares().is_some();
    }
}
