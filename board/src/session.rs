//! The link session between a board and its relay, for both ends.
//!
//! `wire::link` encodes single frames; this module is the protocol around them. Like the rest of this crate it does no input or
//! output: frames and the time go in, frames come out.
//!
//! Each side sends numbered [events](wire::link::Event) in a stream of its own, keeps them until the peer has acknowledged them,
//! and resends the missing ones after a reconnect. So every event arrives exactly once and in order, across lost connections and
//! restarts of either side. A side that can no longer resend single events, because its queue was full or the peer has lost its
//! state, sends a snapshot of the game instead. A new game is sent the same way.
//!
//! - [`Session`] is either end, with or without a connection.
//! - [`BoardSession`] adds the handshake and the reconnect backoff of a board.
//! - A relay [accepts](Session::accept) the connections that [`wire::link::Responder`] has authenticated.
//!
//! **Invariant:** an event is in the journal before it is sent, and a received event is in the journal before it is acknowledged:
//! see [`Session::mark_stored`].
//!
//! **Invariant:** the game equals the events that were sent and received: the caller applies an [`Incoming`] event to the game before
//! the next call.

pub(crate) mod backoff;
mod board_session;
mod connection;
mod endpoint;
mod error;
mod inbox;
mod incoming;
mod keepalive;
mod outbox;
mod receive;
mod snapshot_receiver;
mod snapshot_sender;
mod transmit;

pub use board_session::BoardSession;
pub use endpoint::{End, Session};
pub use error::LinkError;
pub use incoming::{Incoming, SnapshotBasis};
pub use outbox::Full;
