//! The console: a line at a time, for whoever has a cable.

mod command;
mod line;

pub use command::{Command, CommandError, HELP};
pub use line::{Editor, Typed};
