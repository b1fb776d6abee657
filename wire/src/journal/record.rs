use core::error::Error;
use core::fmt;

use chess::{Outcome, Position, SetupError};

use super::form::RecordForm;
use super::frame::MAX_PAYLOAD;
use super::moves::Moves;
use super::preferences::Preferences;
use super::session::Session;
use super::start::START_LEN;
use crate::link::{self, Clocks, MAX_NAME, Said, Table};

/// No value is longer than this, in bytes.
pub const MAX_VALUE: usize = 64;

/// One thing that a board must not forget. Later records take the place of earlier ones about the same thing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Record<'a> {
    /// How the owner wants the board to be.
    Preferences(Preferences),
    /// Bytes that the firmware wants kept, under a number of its own. If there are none, there is no such value.
    Value {
        /// Which.
        id: u8,
        /// At most [`MAX_VALUE`].
        bytes: &'a [u8],
    },
    /// What there is to know of the game beside its moves. How it ended is not in it, and is none when it is read. What
    /// the clocks showed before is forgotten.
    Table(Table<'a>),
    /// A game begins from this position, with no moves.
    Start(Position),
    /// The game has so many plies and then these moves: what came after those plies is taken back, and these are played.
    Moves {
        /// How many plies stay.
        ply: u16,
        /// What comes then.
        moves: Moves<'a>,
    },
    /// The game has ended, for a reason that does not follow from its moves.
    Ended(Outcome),
    /// What the clocks showed.
    Clocks(Clocks),
    /// How far the conversation with the relay has come.
    Session(Session),
    /// The board has said this, and the relay has not acknowledged it yet.
    Said(Said),
    /// The board has heard what the relay said, up to this number.
    Heard(u32),
    /// What the board has said is in the relay's journal, up to this number.
    Acknowledged(u32),
}

impl<'a> Record<'a> {
    /// No record takes more bytes than this, but for moves: of those there are as many as fit.
    pub const MAX_LEN: usize = 90;
    /// What comes before the moves in their record, at most.
    pub const MOVES_OVERHEAD: usize = 6;

    /// Writes it into a buffer and returns how many bytes it took.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, WriteError> {
        let mut start = [0; START_LEN];
        let mut moves = [0; MAX_PAYLOAD];
        let mut said = [0; Said::MAX_LEN];
        let form = RecordForm::of(self, &mut start, &mut moves, &mut said)?;
        postcard::to_slice(&form, buffer).map(|written| written.len()).map_err(|_| WriteError::Room)
    }

    /// Reads the record at the beginning of these bytes, and returns it with the bytes behind it.
    pub fn read(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), RecordError> {
        let (form, rest) = postcard::take_from_bytes::<RecordForm<'a>>(bytes).map_err(|_| RecordError::Malformed)?;
        Ok((form.try_into()?, rest))
    }
}

/// A value may be a secret, and is never in a log; and a position is shorter as a FEN.
impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preferences(preferences) => preferences.fmt(f),
            Self::Value { id, bytes } => f.debug_struct("Value").field("id", id).field("len", &bytes.len()).finish(),
            Self::Table(table) => table.fmt(f),
            Self::Start(position) => write!(f, "Start({})", position.fen()),
            Self::Moves { ply, moves } => f.debug_struct("Moves").field("ply", ply).field("moves", moves).finish(),
            Self::Ended(outcome) => f.debug_tuple("Ended").field(outcome).finish(),
            Self::Clocks(clocks) => clocks.fmt(f),
            Self::Session(session) => session.fmt(f),
            Self::Said(said) => said.fmt(f),
            Self::Heard(number) => f.debug_tuple("Heard").field(number).finish(),
            Self::Acknowledged(number) => f.debug_tuple("Acknowledged").field(number).finish(),
        }
    }
}

/// Why a record was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// There is no room for it in the frame.
    Room,
    /// A name has this many bytes, which is too long.
    Name(usize),
    /// A value has this many bytes, which is too long.
    Value(usize),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Room => f.write_str("the frame has no room for this record"),
            Self::Name(len) => write!(f, "a name has at most {MAX_NAME} bytes, not {len}"),
            Self::Value(len) => write_value(f, *len),
        }
    }
}

impl Error for WriteError {}

/// Why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The bytes end too early, or there is no such record, or a number in them is too big for its place.
    Malformed,
    /// A part of it that a link message could also have is wrong.
    Part(link::ReadError),
    /// No game can begin from this position.
    Start(SetupError),
    /// A value has this many bytes, which is too long.
    Value(usize),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the bytes are not a record"),
            Self::Part(error) => error.fmt(f),
            Self::Start(error) => error.fmt(f),
            Self::Value(len) => write_value(f, *len),
        }
    }
}

impl Error for RecordError {}

fn write_value(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a value has at most {MAX_VALUE} bytes, not {len}")
}
