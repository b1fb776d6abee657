//! The protocol by which a board without a key gets one from a relay, for both ends.
//!
//! `wire::pairing` encodes single frames; this module has their order, the keepalive and the time limits. Like `session` it does no
//! input or output: frames and the time go in, frames come out.
//!
//! - [`BoardPairing`] is the board's end, with the backoff between two requests.
//! - [`RelayPairing`] is the relay's end of one connection.
//!
//! **Invariant:** the relay sends the key only after both nonces are revealed and its owner has decided.

mod board_end;
mod relay_end;

pub use board_end::{BoardPairing, PairingEvent};
pub use relay_end::{Decision, RelayPairing, RequestEvent};

/// Milliseconds without a frame after which either end closes the connection.
const SILENCE: u64 = 15_000;

/// Milliseconds between two pings of the relay.
const PING_INTERVAL: u64 = 5_000;
