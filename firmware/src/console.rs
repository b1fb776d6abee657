//! The serial console: line editor, command parser, and output in chunks.

mod command;
mod computer_choice;
mod line;
mod output;

pub use command::{Command, CommandError, HELP};
pub use computer_choice::ComputerChoice;
pub use line::{Editor, Typed};
pub use output::{CHUNK_BYTES, write_chunked};
