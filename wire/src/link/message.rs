use core::error::Error;
use core::fmt;

use chess::FenError;
use serde::{Deserialize, Serialize};

use super::console::{ConsoleLine, ConsoleOutput, MAX_CONSOLE_LINE, MAX_CONSOLE_OUTPUT};
use super::event::NumberedEvent;
use super::game_info::{Challenge, Live, MAX_NAME, Occupancy};
use super::hello::{Goodbye, Hello, MAX_SOFTWARE};
use super::noise::TAG_LEN;
use super::repr::MessageRepr;
use super::snapshot::{MAX_FEN, MAX_PIECE, Snapshot};

/// No message takes more bytes than this. The longest is a full piece of a snapshot.
pub const MAX_MESSAGE: usize = MAX_PIECE + 3;

/// No frame is longer than this, so a buffer of this size can send and receive anything.
pub const MAX_FRAME: usize = MAX_MESSAGE + TAG_LEN;

const _: () = assert!(MAX_FRAME == 531, "the greatest length is stated in the specification");

/// A message of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a message lives while one frame is written or read; the lint only fires on 32-bit targets"
)]
pub enum Message<'a> {
    /// The first message of each end.
    Hello(Hello<'a>),
    /// A numbered event.
    Event(NumberedEvent),
    /// The sender has persisted the receiver's events up to this number.
    Ack(u32),
    /// Announces the whole game; its bytes follow in pieces.
    Snapshot(Snapshot),
    /// The next bytes of the snapshot.
    Piece(&'a [u8]),
    /// The last piece was sent.
    Complete,
    /// Keepalive request.
    Ping,
    /// Keepalive answer.
    Pong,
    /// State of the reed switches.
    Occupancy(Occupancy),
    /// Clocks and presence of the opponent.
    Live(Live),
    /// The sender closes the connection, and why.
    Goodbye(Goodbye),
    /// A game is offered, or no longer.
    Challenge(Option<Challenge>),
    /// A command for the console of the board.
    ConsoleLine(ConsoleLine<'a>),
    /// A part of the answer of the console.
    ConsoleOutput(ConsoleOutput<'a>),
}

impl<'a> Message<'a> {
    /// Encodes it, and returns its length in bytes.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, WriteError> {
        let start = match self {
            Self::Snapshot(snapshot) => snapshot.origin.text(),
            _ => None,
        };
        write_repr(&MessageRepr::of(self, start.as_ref())?, buffer)
    }

    /// Decodes it. Trailing bytes are an error.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ReadError> {
        read_repr::<MessageRepr<'a>>(bytes)?.try_into()
    }
}

pub(super) fn write_repr(form: &impl Serialize, buffer: &mut [u8]) -> Result<usize, WriteError> {
    postcard::to_slice(form, buffer).map(|written| written.len()).map_err(|_| WriteError::Buffer)
}

pub(super) fn read_repr<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, ReadError> {
    match postcard::take_from_bytes(bytes) {
        Ok((form, [])) => Ok(form),
        Ok((_, rest)) => Err(ReadError::Trailing(rest.len())),
        Err(_) => Err(ReadError::Malformed),
    }
}

/// Why a message cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The buffer is too short; [`MAX_MESSAGE`] bytes are enough for any message.
    Buffer,
    /// [`Hello::software`] is too long; its length in bytes.
    Software(usize),
    /// A piece is empty or too long; its length in bytes.
    Piece(usize),
    /// A console line is too long; its length in bytes.
    ConsoleLine(usize),
    /// A part of a console answer is too long; its length in bytes.
    ConsoleOutput(usize),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer => write!(f, "the buffer is too short; {MAX_MESSAGE} bytes are always enough"),
            Self::Software(len) => write_software(f, *len),
            Self::Piece(len) => write_piece(f, *len),
            Self::ConsoleLine(len) => write_console_line(f, *len),
            Self::ConsoleOutput(len) => write_console_output(f, *len),
        }
    }
}

impl Error for WriteError {}

/// Why bytes are not a valid message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The message is truncated, of an unknown kind, or a number is out of range.
    Malformed,
    /// This many bytes follow the message.
    Trailing(usize),
    /// Unknown code of a side.
    Color(u8),
    /// Unknown code of a side or none.
    Player(u8),
    /// Unknown code of a draw claim.
    Claim(u8),
    /// Unknown code of a verdict.
    Verdict(u8),
    /// No rule set other than chess has this number, or this program does not know it.
    Rules(u8),
    /// Unknown code of a seat.
    Seat(u8),
    /// A name is too long; its length in bytes.
    Name(usize),
    /// [`Hello::software`] is too long; its length in bytes.
    Software(usize),
    /// A FEN is too long; its length in bytes.
    FenLength(usize),
    /// The start position is invalid.
    Fen(FenError),
    /// A piece is empty or too long; its length in bytes.
    Piece(usize),
    /// A console line is too long; its length in bytes.
    ConsoleLine(usize),
    /// A part of a console answer is too long; its length in bytes.
    ConsoleOutput(usize),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the bytes are not a message"),
            Self::Trailing(count) => write!(f, "{count} bytes follow the message"),
            Self::Color(code) => write!(f, "a side is 0 or 1, not {code}"),
            Self::Player(code) => write!(f, "a player is 0, 1, or 2 for none, not {code}"),
            Self::Claim(code) => write!(f, "a claim is 0 or 1, not {code}"),
            Self::Verdict(code) => write!(f, "the end of a game is 0 to 19, not {code}"),
            Self::Rules(id) => write!(f, "no rule set other than chess has the number {id}"),
            Self::Seat(code) => write!(f, "a seat is 0 to 3, not {code}"),
            Self::Name(len) => write!(f, "a name has at most {MAX_NAME} bytes, not {len}"),
            Self::Software(len) => write_software(f, *len),
            Self::FenLength(len) => write!(f, "a FEN has at most {MAX_FEN} bytes, not {len}"),
            Self::Fen(error) => write!(f, "the start position is invalid: {error}"),
            Self::Piece(len) => write_piece(f, *len),
            Self::ConsoleLine(len) => write_console_line(f, *len),
            Self::ConsoleOutput(len) => write_console_output(f, *len),
        }
    }
}

impl Error for ReadError {}

fn write_software(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "the description of the software has at most {MAX_SOFTWARE} bytes, not {len}")
}

fn write_piece(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a piece has 1 to {MAX_PIECE} bytes, not {len}")
}

fn write_console_line(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a console line has at most {MAX_CONSOLE_LINE} bytes, not {len}")
}

fn write_console_output(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a part of a console answer has at most {MAX_CONSOLE_OUTPUT} bytes, not {len}")
}
