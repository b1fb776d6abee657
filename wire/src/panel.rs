//! Encodes the panel of a board without hardware: switch readings and light colours as frames on two serial lines.
//!
//! `docs/protocol.md` specifies them under "The panel". The emulated firmware is at one end of the lines, and the program
//! that simulates switches and lights is at the other; both use this module.

mod frame;
mod message;
mod reader;

pub use frame::{MAX_PANEL_FRAME, PanelFrame};
pub use message::{MAX_PANEL_MESSAGE, PanelError, PanelMessage};
pub use reader::PanelReader;
