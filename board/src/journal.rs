//! What must survive a power cut: the game, the table, the settings, and what was said to the relay and not yet heard.
//!
//! `wire::journal` has the bytes; here is what becomes of them. There are two [banks](Bank), of flash or of a file. Changes
//! are added to one of them until it is nearly full; then everything is written into the other one as it is now, which
//! has been erased before, and from then on that one counts. Like the rest of this crate it does no input or output: it
//! answers with [actions](Action), and somebody else carries them out.
//!
//! 1. [`Journal::recover`] reads both banks after a start, and returns what was in them.
//! 2. [`Journal::poll`] is shown everything there is to keep, [`Holdings`], after every change. It finds out by itself what
//!    the banks do not have yet.
//! 3. [`Journal::done`] tells it that an action has been carried out.
//!
//! What changed between two polls counts as one: after a power cut all of it is there or none, for a change of any size.

mod active;
mod bank;
mod batch;
mod fold;
mod holdings;
mod keeper;
mod mark;
mod plan;
mod preferences;
mod recover;
mod recovered;
mod survey;
mod values;
mod walk;
mod writing;

pub use bank::{Action, Bank, Banks, Unreadable};
pub use holdings::Holdings;
pub use keeper::{Journal, MIN_BANK};
pub use recovered::{Condition, Events, Recovered};
pub use values::{ValueError, Values};
