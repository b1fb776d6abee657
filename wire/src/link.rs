//! The link between a board and its relay: what they say to each other, and how it is sealed.
//!
//! `docs/protocol.md` is the specification; this is the only place in the project that knows these bytes. Everything
//! here is about one frame at a time. What a connection is for, who answers what and what happens when it breaks is in
//! `board::session`.
//!
//! 1. The board [calls](Call), the relay reads its [`Knock`] and answers, and both have a [`Channel`]; or the relay sends
//!    a [`Refusal`].
//! 2. From then on every frame is one [`Message`], sealed by the channel.

mod call;
mod channel;
pub(crate) mod code;
mod event;
mod form;
mod greeting;
mod hello;
mod knock;
mod message;
mod noise;
mod pairing;
mod snapshot;
mod table;

pub use call::{AnswerError, Call};
pub use channel::{Channel, ReceiveError, SendError};
pub use event::{Event, Said};
pub use greeting::{ANSWER_LEN, KNOCK_LEN, REFUSAL_LEN, Refusal};
pub use hello::{Goodbye, Hello, MAX_SOFTWARE, Seen};
pub use knock::{Knock, KnockError, WrongKey};
pub use message::{MAX_FRAME, MAX_MESSAGE, Message, ReadError, WriteError};
pub use pairing::{BoardId, Ephemeral, PairingKey};
pub use snapshot::{MAX_FEN, MAX_PIECE, Origin, Snapshot};
pub use table::{ClockRule, Clocks, Live, MAX_NAME, Seat, Table, Wood};

/// The version of the link that this crate speaks. It is the first byte that a board sends, and rises when something
/// changes that an older reader could not understand.
pub const VERSION: u8 = 1;
