//! Persists the game, the table, the settings and the unacknowledged events of the session in two flash banks, so that
//! they survive a power cut.
//!
//! `wire::journal` encodes the records. There are two [banks](Bank), of flash or of a file. Changes are appended to the
//! active bank until it is nearly full. Then the journal compacts: it writes a snapshot of the whole state into the other
//! bank, which was erased in advance and becomes the active bank. Like the rest of this crate it does no input or output:
//! it returns [actions](Action), and the caller carries them out.
//!
//! 1. [`Journal::recover`] reads both banks after a start and returns their contents.
//! 2. [`Journal::poll`] is given the [`PersistentState`] after every change, and finds out what is not yet stored.
//! 3. [`Journal::done`] reports that an action has been carried out.
//!
//! All changes between two polls are one batch: after a power cut either all of them are stored or none, for a batch of
//! any size.

mod bank;
mod changes;
mod contents;
mod fingerprint;
mod persistent_state;
mod recover;
mod scan;
mod values;
mod writer;

pub use bank::{Action, Bank, Banks, Unreadable};
pub use contents::{Condition, Events, JournalContents};
pub use persistent_state::PersistentState;
pub use values::{ValueError, Values};
pub use writer::{Journal, MIN_BANK};
