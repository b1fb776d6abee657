use arrayvec::ArrayString;
use wire::link::{ConsoleOutput, MAX_CONSOLE_OUTPUT, Message};

use crate::console::{MAX_ANSWER, RemoteLine};
use crate::session::{LinkError, Session};

/// The console as the relay uses it: the line that is to be executed, and the answer that is being sent. Both are dropped with the
/// connection.
#[derive(Debug, Default)]
pub(super) struct RemoteConsole {
    pub(super) line: Option<RemoteLine>,
    answer: Option<PendingAnswer>,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<RemoteConsole>() <= 1_228, "docs/protocol.md states its size");

#[derive(Debug)]
struct PendingAnswer {
    number: u32,
    text: ArrayString<MAX_ANSWER>,
    /// Bytes that were sent.
    sent: usize,
}

impl RemoteConsole {
    /// The relay has sent a line.
    pub(super) fn receive(&mut self, number: u32, line: &str) {
        // A longer line is no message of the link.
        self.line = ArrayString::from(line).ok().map(|line| RemoteLine { number, line });
        self.answer = None;
    }

    /// The answer to the line with this number.
    pub(super) fn answer(&mut self, number: u32, text: &ArrayString<MAX_ANSWER>) {
        // An answer to a line that was replaced is of no use.
        if self.line.is_none() {
            self.answer = Some(PendingAnswer { number, text: *text, sent: 0 });
        }
    }

    /// Puts the next part of the answer into the buffer.
    pub(super) fn transmit<const N: usize>(
        &mut self,
        session: &mut Session<N>,
        buffer: &mut [u8],
    ) -> Result<Option<usize>, LinkError> {
        let Some(answer) = &mut self.answer else { return Ok(None) };
        let rest = answer.text.get(answer.sent..).unwrap_or_default();
        let text = rest.get(..rest.floor_char_boundary(MAX_CONSOLE_OUTPUT)).unwrap_or_default();
        let is_last = text.len() == rest.len();
        let output = ConsoleOutput { number: answer.number, is_last, text };
        let len = session.transmit_unnumbered(&Message::ConsoleOutput(output), buffer)?;
        answer.sent = answer.sent.saturating_add(text.len());
        if is_last {
            self.answer = None;
        }
        Ok(len)
    }
}
