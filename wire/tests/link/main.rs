//! Tests of the link format: messages, handshake, damaged or forged frames, and the examples of the document.

mod document;
mod handshake;
mod messages;

use wire::link::{Channel, Ephemeral, Initiator, PairingKey, Responder};

/// Both ends of a channel, the board's first.
fn channels() -> (Channel, Channel) {
    let key = PairingKey::new([7; 32]);
    let (call, first_frame) = Initiator::new(&key, Ephemeral::new([1; 32]));
    let (answer, relay) = Responder::read(&first_frame).unwrap().answer(&key, Ephemeral::new([2; 32])).unwrap();
    (call.answered(&answer).unwrap(), relay)
}
