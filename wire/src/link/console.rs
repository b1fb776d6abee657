/// Longest line of the console, in bytes.
pub const MAX_CONSOLE_LINE: usize = 160;

/// Longest part of an answer of the console in one message, in bytes.
pub const MAX_CONSOLE_OUTPUT: usize = 480;

/// A command of the owner for the console of the board. Only the relay sends it. It is executed at most once, and not sent again after
/// a reconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsoleLine<'a> {
    /// Identifies the line in its answer.
    pub number: u32,
    /// The line, at most [`MAX_CONSOLE_LINE`] bytes.
    pub line: &'a str,
}

/// A part of the answer to a [`ConsoleLine`]. Only the board sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsoleOutput<'a> {
    /// The number of the line.
    pub number: u32,
    /// Whether the answer ends with this part.
    pub is_last: bool,
    /// The text, at most [`MAX_CONSOLE_OUTPUT`] bytes.
    pub text: &'a str,
}
