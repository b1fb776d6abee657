//! The panel of a board that has no wood: what its switches read and its lights show, as frames on two serial lines.
//!
//! docs/protocol.md specifies them under "The panel". The firmware in the emulator is at one end of the lines; whoever plays
//! the panel is at the other, and uses this same module.

mod frame;
mod message;
mod reader;

pub use frame::{MAX_PANEL_FRAME, PanelFrame};
pub use message::{MAX_PANEL_MESSAGE, PanelMessage, PanelNonsense};
pub use reader::PanelReader;
