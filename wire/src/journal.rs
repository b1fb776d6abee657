//! Encodes the flash journal of a board: an append-only log of records that survives power cuts.
//!
//! `docs/protocol.md` is the specification; no other module in the project knows these bytes. `board::journal` decides
//! when and into which of the two banks records are written, and recovers them after a power cut.
//!
//! A bank is flash or a file, and all `ff` after an erase. It begins with a [`BankHeader`], followed by
//! [frames](RecordFrame) of [records](Record). The [`Checksum`] of a frame is chained to the frame before it, so a frame
//! is valid only if all frames before it are, and the first invalid frame ends the log.

mod bank_header;
mod checksum;
mod frame;
mod moves;
pub(crate) mod piece_codes;
mod record;
mod repr;
mod session_memory;
mod settings_record;
mod start_position;

pub use bank_header::{BankHeader, HEADER_LEN};
pub use checksum::Checksum;
pub use frame::{ALIGN, FrameRead, FrameWriter, MAX_FRAME, MAX_PAYLOAD, RecordFrame, Records, is_blank};
pub use moves::Moves;
pub use record::{MAX_VALUE, Record, RecordReadError, RecordWriteError};
pub use session_memory::SessionMemory;
pub use settings_record::SettingsRecord;

/// Version of the journal format. New kinds of records do not change it; it rises when an older reader would misread
/// something.
pub const VERSION: u8 = 1;
