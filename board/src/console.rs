//! The console of a board: its commands, and their answers. A line comes from the serial console or, over the link, from the owner's page
//! of the relay.

mod clock_choice;
mod command;
mod computer_choice;
mod report;
mod run;

use core::fmt;

use arrayvec::ArrayString;
use wire::link::MAX_CONSOLE_LINE;

pub use clock_choice::ClockChoice;
pub use command::{Command, CommandError, HELP};
pub use computer_choice::ComputerChoice;
pub use report::SquareList;

#[cfg(test)]
mod tests;

/// Longest answer to a command, in bytes.
pub const MAX_ANSWER: usize = 1024;

/// A line that has come over the link. [`Runner::answer`](crate::Runner::answer) executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteLine {
    pub(crate) number: u32,
    pub(crate) line: ArrayString<MAX_CONSOLE_LINE>,
}

impl RemoteLine {
    /// The line. It may contain a secret, and must not be logged.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.line
    }
}

/// What commands need to know of the machine.
pub trait ConsoleMachine {
    /// A random number of its generator.
    fn random(&mut self) -> u32;

    /// Writes the version of the software and the name of the hardware.
    fn write_version(&self, text: &mut impl fmt::Write) -> fmt::Result;

    /// Writes further lines of `stats`.
    fn write_stats(&self, text: &mut impl fmt::Write) -> fmt::Result;

    /// Writes the line of `stats` about the failure that ended the last run; nothing on a machine that keeps none.
    fn write_failure(&self, _text: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }

    /// Writes the lines of `selftest` about the wires of the switches; nothing on a machine without wires.
    fn write_wiring(&self, _text: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }
}

/// What the machine must do after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Nothing beside printing the output.
    None,
    /// Reset the board.
    Reboot,
    /// Use the network address that is in the profile now.
    NewAddress,
}

/// Counters since start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) frames: u32,
    pub(crate) connections: u32,
    /// Frames for the relay.
    pub(crate) link_frames: u32,
    /// Of them, those that were sent over an earlier connection before.
    pub(crate) resent: u32,
    pub(crate) flash_operations: u32,
    pub(crate) failures: u32,
}
