use core::error::Error;
use core::fmt;

use serde::{Deserialize, Serialize};

use super::event::Said;
use super::form::MessageForm;
use super::hello::{Goodbye, Hello, MAX_SOFTWARE};
use super::noise::TAG_LEN;
use super::snapshot::{MAX_FEN, MAX_PIECE, Snapshot};
use super::table::{Live, MAX_NAME, Wood};

/// No message takes more bytes than this. The longest is a full piece of a snapshot.
pub const MAX_MESSAGE: usize = MAX_PIECE + 3;

/// No frame is longer than this, so a buffer of this size can send and receive anything.
pub const MAX_FRAME: usize = MAX_MESSAGE + TAG_LEN;

const _: () = assert!(MAX_FRAME == 531, "the greatest length is stated in the specification");

/// One thing that one side says to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// Who I am, and what I have.
    Hello(Hello<'a>),
    /// Something happened.
    Event(Said),
    /// Everything you said up to this number is in my journal.
    Ack(u32),
    /// The game as it is; its bytes come next.
    Snapshot(Snapshot<'a>),
    /// The next bytes of the snapshot.
    Piece(&'a [u8]),
    /// That was the last piece.
    Complete,
    /// Are you there?
    Ping,
    /// I am.
    Pong,
    /// What the wood looks like.
    Wood(Wood),
    /// What the clocks show, and who is there.
    Live(Live),
    /// I hang up.
    Goodbye(Goodbye),
}

impl<'a> Message<'a> {
    /// Writes it into a buffer and returns how many bytes it took.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, WriteError> {
        write_form(&MessageForm::try_from(*self)?, buffer)
    }

    /// Reads it, and nothing else, from these bytes.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ReadError> {
        read_form::<MessageForm<'a>>(bytes)?.try_into()
    }
}

pub(super) fn write_form(form: &impl Serialize, buffer: &mut [u8]) -> Result<usize, WriteError> {
    postcard::to_slice(form, buffer).map(|written| written.len()).map_err(|_| WriteError::Buffer)
}

pub(super) fn read_form<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, ReadError> {
    match postcard::take_from_bytes(bytes) {
        Ok((form, [])) => Ok(form),
        Ok((_, rest)) => Err(ReadError::Trailing(rest.len())),
        Err(_) => Err(ReadError::Malformed),
    }
}

/// Why something cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The buffer is too short; [`MAX_MESSAGE`] bytes are enough for any message.
    Buffer,
    /// A name has this many bytes, which is too long.
    Name(usize),
    /// What is said of the software has this many bytes, which is too long.
    Software(usize),
    /// A FEN has this many bytes, which is too long.
    Fen(usize),
    /// A piece has this many bytes, which is none or too many.
    Piece(usize),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer => write!(f, "the buffer is too short; {MAX_MESSAGE} bytes are always enough"),
            Self::Name(len) => write_name(f, *len),
            Self::Software(len) => write_software(f, *len),
            Self::Fen(len) => write_fen(f, *len),
            Self::Piece(len) => write_piece(f, *len),
        }
    }
}

impl Error for WriteError {}

/// Why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The bytes end too early, or have no such message, or a number in them is too big for its place.
    Malformed,
    /// So many bytes are left behind the message.
    Trailing(usize),
    /// No move has this number.
    Move(u16),
    /// No side has this number.
    Color(u8),
    /// Neither side has this number, and nobody has it either.
    Player(u8),
    /// Nothing that can be claimed has this number.
    Claim(u8),
    /// No ending has this number.
    Outcome(u8),
    /// No seat has this number.
    Seat(u8),
    /// A name has this many bytes, which is too long.
    Name(usize),
    /// What is said of the software has this many bytes, which is too long.
    Software(usize),
    /// A FEN has this many bytes, which is too long.
    Fen(usize),
    /// A piece has this many bytes, which is none or too many.
    Piece(usize),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the bytes are not a message"),
            Self::Trailing(count) => write!(f, "{count} bytes are left behind the message"),
            Self::Move(code) => write!(f, "{code} is not a move"),
            Self::Color(code) => write!(f, "a side is 0 or 1, not {code}"),
            Self::Player(code) => write!(f, "a player is 0, 1 or 2 for nobody, not {code}"),
            Self::Claim(code) => write!(f, "a claim is 0 or 1, not {code}"),
            Self::Outcome(code) => write!(f, "the end of a game is 0 to 13, not {code}"),
            Self::Seat(code) => write!(f, "a seat is 0 to 3, not {code}"),
            Self::Name(len) => write_name(f, *len),
            Self::Software(len) => write_software(f, *len),
            Self::Fen(len) => write_fen(f, *len),
            Self::Piece(len) => write_piece(f, *len),
        }
    }
}

impl Error for ReadError {}

fn write_name(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a name has at most {MAX_NAME} bytes, not {len}")
}

fn write_software(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "what is said of the software has at most {MAX_SOFTWARE} bytes, not {len}")
}

fn write_fen(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a FEN has at most {MAX_FEN} bytes, not {len}")
}

fn write_piece(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a piece has 1 to {MAX_PIECE} bytes, not {len}")
}
