//! Console lines of the owner: one at a time, each executed at most once.

use board::session::LinkError;
use wire::link::{ConsoleLine, ConsoleOutput, Message, features};

use super::RelaySession;

/// Longest answer of a board, in bytes: more than the document allows.
const MAX_ANSWER: usize = 4_096;

/// The line that is being executed on the current connection.
#[derive(Debug, Default)]
pub(super) struct RemoteConsole {
    /// The number of the last line.
    number: u32,
    /// The line that is to be sent.
    line: Option<String>,
    /// What the board has answered so far, if it has still to answer.
    awaited: Option<String>,
    answer: Option<String>,
}

impl RemoteConsole {
    /// The connection is another one: the line is lost.
    pub(super) fn reset(&mut self) {
        *self = Self { number: self.number, ..Self::default() };
    }

    pub(super) fn receive(&mut self, output: ConsoleOutput<'_>) {
        let ConsoleOutput { number, is_last, text } = output;
        // Output with another number is the late answer to a line for which the owner no longer waits.
        let Some(awaited) = self.awaited.as_mut().filter(|_| number == self.number && self.line.is_none()) else {
            return;
        };
        if awaited.len() + text.len() <= MAX_ANSWER {
            awaited.push_str(text);
        }
        if is_last {
            self.answer = self.awaited.take();
        }
    }
}

impl RelaySession {
    /// Whether the board executes console lines.
    #[must_use]
    pub const fn has_console(&self) -> bool {
        self.features & features::CONSOLE != 0
    }

    /// Sends a line to the board. An earlier one that was not answered is given up.
    pub fn send_line(&mut self, line: String) {
        let console = &mut self.console;
        console.number = console.number.wrapping_add(1);
        console.line = Some(line);
        console.awaited = Some(String::new());
        console.answer = None;
    }

    /// Whether the answer to a line is still to come.
    #[must_use]
    pub const fn awaits_console(&self) -> bool {
        self.console.awaited.is_some()
    }

    /// The complete answer to the last line.
    pub const fn console_answer(&mut self) -> Option<String> {
        self.console.answer.take()
    }

    pub(super) fn transmit_line(&mut self, buffer: &mut [u8]) -> Result<Option<usize>, LinkError> {
        let console = &mut self.console;
        let Some(line) = &console.line else { return Ok(None) };
        let message = Message::ConsoleLine(ConsoleLine { number: console.number, line });
        let sent = self.session.transmit_unnumbered(&message, buffer)?;
        if sent.is_some() {
            console.line = None;
        }
        Ok(sent)
    }
}
