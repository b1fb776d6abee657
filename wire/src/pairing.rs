//! Pairs a board with a relay that it shares no secret with yet, over a WebSocket at `/ws/pair`.
//!
//! `docs/protocol.md` is the specification. This module encodes single frames; `board::pairing` has the protocol at both ends.
//!
//! 1. The board sends the frame of a [`BoardOpening`]. The relay answers it with a [`RelayOpening`]; both then have an encrypted
//!    channel with a peer that is not authenticated. The answer has a commitment to the relay's nonce.
//! 2. The board sends its nonce in a [`Message::Request`], and then the relay its own in a [`Message::Reveal`]. Both derive the
//!    same eight [`squares`](BoardChannel::squares) from the handshake and the nonces.
//! 3. The owner compares the squares. If they are equal, there is no man in the middle, and the relay sends the pairing key in
//!    [`Message::Accepted`].
//!
//! A man in the middle has two handshakes with different hashes. The nonces are fixed one after the other, each by a party that
//! does not know the other one yet. So it cannot search for nonces that lead to equal squares: it has one attempt, with a chance of
//! one in 4,426,165,368.

mod board_end;
mod error;
mod message;
mod relay_end;
mod sealed;
mod squares;

pub use board_end::{BoardChannel, BoardOpening};
pub use error::PairingError;
pub use message::Message;
pub use relay_end::{RelayChannel, RelayOpening};
pub use squares::SQUARES;

use noise_protocol::{HandshakeState, patterns};

use crate::link::Ephemeral;
use crate::link::noise::{ChaChaPoly, Secret, Sha256, TAG_LEN, X25519};

/// Version of the pairing protocol, the first byte of the first frame of both ends.
pub const VERSION: u8 = 1;

/// Length of the first frame of a board: version and public key.
pub const OPENING_LEN: usize = 33;

/// Length of the relay's answer: version, 0, public key, encrypted commitment.
pub const ANSWER_LEN: usize = 2 + NOISE_ANSWER_LEN;

const NOISE_ANSWER_LEN: usize = 32 + COMMITMENT_LEN + TAG_LEN;

const _: () = assert!(ANSWER_LEN == 82, "the length is stated in the specification");

const COMMITMENT_LEN: usize = 32;

/// The random contribution of one end to the squares.
pub type Nonce = [u8; 16];

type HandshakeHash = [u8; 32];

/// Separates this handshake from that of the link.
const PROLOGUE: &[u8; 15] = b"tabiya pairing\x01";
const _: () = assert!(matches!(PROLOGUE, [.., VERSION]), "the prologue ends with the version");

/// A handshake without a pre-shared key: `Noise_NN_25519_ChaChaPoly_SHA256`.
type Handshake = HandshakeState<X25519, ChaChaPoly, Sha256>;

fn handshake(is_initiator: bool, ephemeral: Ephemeral) -> Handshake {
    let secret = Some(Secret::from(ephemeral));
    HandshakeState::new(patterns::noise_nn(), is_initiator, PROLOGUE, None, secret, None, None)
}

fn hash_of(handshake: &Handshake) -> HandshakeHash {
    // A hash has 32 bytes.
    handshake.get_hash().first_chunk().copied().unwrap_or_default()
}
