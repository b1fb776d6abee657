//! The journal: what a board must not forget, as bytes that are only ever added to.
//!
//! `docs/protocol.md` is the specification; this is the only place in the project that knows these bytes. When what is
//! written, into which of two banks, and what becomes of it after a power cut is in `board::journal`.
//!
//! A bank is flash, or a file, that is all `ff` before it is used. It begins with a [`Head`], and then has one frame
//! after the other. A frame has some [records](Record) in it. Every frame has a [`Check`] that covers the one before it
//! as well, so a frame counts only if everything before it counts, and the first that does not is the end.

mod check;
mod form;
mod frame;
mod head;
mod moves;
mod preferences;
mod record;
mod session;
mod start;

pub use check::Check;
pub use frame::{ALIGN, Draft, Found, Frame, MAX_FRAME, MAX_PAYLOAD, Records, is_blank};
pub use head::{HEAD_LEN, Head};
pub use moves::Moves;
pub use preferences::Preferences;
pub use record::{MAX_VALUE, Record, RecordError, WriteError};
pub use session::Session;

/// The version of the journal that this crate writes and reads. New records do not change it; it rises when something
/// changes that an older reader could take for something else.
pub const VERSION: u8 = 1;
