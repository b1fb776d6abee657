//! The link from outside: the examples of the document, every message there and back, and whoever should not get in.

mod document;
mod handshake;
mod messages;

use wire::link::{Call, Channel, Ephemeral, Knock, PairingKey};

/// Both ends of a channel, the board's first.
fn channels() -> (Channel, Channel) {
    let key = PairingKey::new([7; 32]);
    let (call, knock) = Call::new(&key, Ephemeral::new([1; 32]));
    let (answer, relay) = Knock::read(&knock).unwrap().answer(&key, Ephemeral::new([2; 32])).unwrap();
    (call.answered(&answer).unwrap(), relay)
}
