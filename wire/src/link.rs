//! Encodes the link between a board and its relay: a handshake, then one encrypted message per frame.
//!
//! `docs/protocol.md` is the specification; no other module in the project knows these bytes. This module handles single
//! frames; `board::session` has the protocol: sequence numbers, acknowledgements, resending and reconnects.
//!
//! 1. The board sends the first frame of an [`Initiator`]. The relay reads it as a [`Responder`] and answers; both then have a
//!    [`Channel`]. Or the relay sends a [`Refusal`].
//! 2. Each further frame is one [`Message`], encrypted by the channel.

mod channel;
pub(crate) mod code;
mod console;
mod event;
pub mod features;
mod game_info;
mod handshake;
mod hello;
mod initiator;
mod message;
pub(crate) mod noise;
mod pairing;
mod repr;
mod responder;
mod snapshot;

pub use channel::{Channel, ReceiveError, SendError};
pub use console::{ConsoleLine, ConsoleOutput, MAX_CONSOLE_LINE, MAX_CONSOLE_OUTPUT};
pub use event::{Event, NumberedEvent};
pub use game_info::{Challenge, ClockRule, Clocks, GameInfo, Live, MAX_NAME, Name, Occupancy, Seat, clipped_name};
pub use handshake::{ANSWER_LEN, FIRST_FRAME_LEN, REFUSAL_LEN, Refusal};
pub use hello::{CORRECTIONS, Goodbye, Hello, MAX_SOFTWARE, Seen};
pub use initiator::{Initiator, InitiatorError};
pub use message::{MAX_FRAME, MAX_MESSAGE, Message, ReadError, WriteError};
pub use pairing::{BoardId, Ephemeral, PairingKey};
pub(crate) use repr::name as read_name;
pub use responder::{Responder, ResponderError, WrongKey};
pub use snapshot::{MAX_FEN, MAX_PIECE, Snapshot, SnapshotOrigin};

/// Version of the link. It is the first byte that a board sends, and rises with changes that an older reader could not
/// understand.
pub const VERSION: u8 = 1;
