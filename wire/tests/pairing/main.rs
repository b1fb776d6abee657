//! The frames of pairing: the documented example, a man in the middle, and random frames.

mod document;
mod man_in_the_middle;
mod random_frames;

use wire::link::{Ephemeral, MAX_FRAME};
use wire::pairing::{BoardChannel, BoardOpening, Message, Nonce, RelayChannel, RelayOpening};

/// A handshake between two ends with these ephemeral keys, and this nonce of the relay.
fn handshake(board: [u8; 32], relay: [u8; 32], nonce: Nonce) -> (BoardChannel, RelayChannel) {
    let (opening, frame) = BoardOpening::new(Ephemeral::new(board));
    let (answer, relay) = RelayOpening::read(&frame).unwrap().answer(Ephemeral::new(relay), nonce).unwrap();
    (opening.answered(&answer).unwrap(), relay)
}

/// The frame of a message of the board.
fn from_board(board: &mut BoardChannel, message: &Message<'_>) -> Vec<u8> {
    let mut buffer = vec![0; MAX_FRAME];
    let len = board.send(message, &mut buffer).unwrap();
    buffer.truncate(len);
    buffer
}

/// The frame of a message of the relay.
fn from_relay(relay: &mut RelayChannel, message: &Message<'_>) -> Vec<u8> {
    let mut buffer = vec![0; MAX_FRAME];
    let len = relay.send(message, &mut buffer).unwrap();
    buffer.truncate(len);
    buffer
}
