use std::fmt::{self, Write};
use std::io;
use std::path::PathBuf;

use chess::FenError;
use wire::layout::{DecodeError, EncodeError};

use crate::config::ConfigError;
use crate::hex::HexError;
use crate::line::LineError;
use crate::server::ServeError;

/// Why a command could not do what it was asked to. Each is written as one line.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is not one that we know.
    Usage(clap::Error),
    /// A move cannot be played.
    Line(LineError),
    /// A text is not hex.
    Hex(HexError),
    /// Bytes are not a game state.
    Decode(DecodeError),
    /// A game has no bytes.
    Encode(EncodeError),
    /// A text is not a position.
    Fen(FenError),
    /// A board was asked for, but not where.
    NoBoard,
    /// There is no pairing key, or it is none.
    Key(String),
    /// The address of a relay is none.
    Relay(board::RelayError),
    /// The journal of a board cannot be used.
    Journal(PathBuf, io::Error),
    /// The lines of a panel have nowhere to end.
    Panel(io::Error),
    /// A terminal is needed, and there is none.
    NoTerminal,
    /// The terminal does not do what it should.
    Terminal(io::Error),
    /// The output cannot be written.
    Output(io::Error),
    /// What a relay is told makes no sense.
    Config(ConfigError),
    /// A relay cannot serve.
    Serve(ServeError),
    /// The store cannot be opened.
    Store(String),
    /// Something could not be done with a board.
    Boards(String),
    /// There are no threads to work with.
    Runtime(io::Error),
    /// Nobody could be let in to play.
    Load(String),
    /// Relays have shown so many things that cannot be, and fallen silent so many times.
    Inconsistent(u64, u64),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => write_usage(f, &error.to_string()),
            Self::Line(error) => error.fmt(f),
            Self::Hex(error) => write!(f, "hex: {error}"),
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
            Self::Fen(error) => write!(f, "fen: {error}"),
            Self::NoBoard => f.write_str(
                "say where: tabiya board --terminal, or tabiya board --relay URL --name NAME for one in a browser",
            ),
            Self::Key(problem) => write!(f, "the pairing key: {problem}"),
            Self::Relay(error) => write!(f, "--relay: {error}"),
            Self::Journal(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Panel(error) => write!(f, "cannot play the panel: {error}"),
            Self::NoTerminal => f.write_str("standard input and output must be a terminal to draw a board in it"),
            Self::Terminal(error) => write!(f, "cannot use the terminal: {error}"),
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Config(error) => error.fmt(f),
            Self::Serve(error) => error.fmt(f),
            Self::Store(problem) | Self::Boards(problem) => f.write_str(problem),
            Self::Runtime(error) => write!(f, "cannot start: {error}"),
            Self::Load(problem) => write!(f, "cannot play: {problem}"),
            Self::Inconsistent(shown, hung) => {
                write!(f, "the relay has shown {shown} things that cannot be, and did not answer {hung} times")
            }
        }
    }
}

/// What is wrong comes first in what the parser says; the rest is advice, and `--help` has more of that.
fn write_usage(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let text = text.strip_prefix("error: ").unwrap_or(text).trim_end();
    let advice = ["\n\n  tip: ", "\n\nUsage: ", "\n\nFor more information"];
    let end = advice.into_iter().filter_map(|advice| text.find(advice)).min();
    let sentence = end.and_then(|end| text.get(..end)).unwrap_or(text);
    for (index, line) in sentence.lines().map(str::trim).enumerate() {
        if index > 0 {
            f.write_char(' ')?;
        }
        // What the user wrote is quoted in it, and may be anything.
        for c in line.chars() {
            if c.is_control() {
                write!(f, "{}", c.escape_default())?;
            } else {
                f.write_char(c)?;
            }
        }
    }
    Ok(())
}

macro_rules! failures {
    ($($variant:ident $error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

failures!(
    Usage clap::Error,
    Line LineError,
    Hex HexError,
    Decode DecodeError,
    Encode EncodeError,
    Fen FenError,
    Output io::Error,
    Config ConfigError,
    Relay board::RelayError,
    Serve ServeError
);
