use core::error::Error;
use core::fmt;

use chess::SetupError;
use rules::{Start, Verdict};

use super::frame::MAX_PAYLOAD;
use super::moves::Moves;
use super::repr::RecordRepr;
use super::session_memory::SessionMemory;
use super::settings_record::SettingsRecord;
use super::start_position::START_LEN;
use crate::link::{self, Clocks, GameInfo, NumberedEvent};

/// Length of the longest value in bytes.
pub const MAX_VALUE: usize = 64;

/// One change of the persistent state of a board. A later record overrides earlier ones of the same kind.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a start with its genomes on")]
pub enum Record<'a> {
    /// The settings of the board.
    Settings(SettingsRecord),
    /// A value of the firmware. Empty bytes delete it.
    Value {
        /// Key, assigned by the firmware.
        id: u8,
        /// At most [`MAX_VALUE`] bytes.
        bytes: &'a [u8],
    },
    /// The table of the game. Its outcome is not stored, and is `None` when read. Deletes the clocks.
    GameInfo(GameInfo),
    /// A new game without moves, from this position.
    Start(Start),
    /// The next bytes of the [setup](crate::setup) of a new game of GMO chess without moves. The last part completes it.
    Setup(&'a [u8]),
    /// The next bytes of the [turn](crate::turn) of a told game. The last part completes it. Plies that the turn has not seen are taken back,
    /// and those that are missing before it follow; a game under other rules is replaced by one without plies.
    Turn(&'a [u8]),
    /// Truncates the game to `ply` plies and appends the moves.
    Moves {
        /// Number of plies to keep.
        ply: u16,
        /// The moves to append.
        moves: Moves<'a>,
    },
    /// The outcome of the game, if it does not follow from the moves.
    Ended(Verdict),
    /// The clocks at the last change of the game.
    Clocks(Clocks),
    /// The state of the session with the relay. Deletes all earlier events.
    Session(SessionMemory),
    /// An event of the board that the relay has not acknowledged.
    NumberedEvent(NumberedEvent),
    /// The board has received the relay's events up to this number.
    Received(u32),
    /// The relay has persisted the board's events up to this number.
    Acknowledged(u32),
}

impl<'a> Record<'a> {
    /// Length of the longest record in bytes, except records of moves and of parts, which fill the frame.
    pub const MAX_LEN: usize = 90;
    /// Greatest number of bytes before the moves in their record.
    pub const MOVES_OVERHEAD: usize = 6;
    /// Greatest number of bytes before the part of a setup or a turn in its record.
    pub const PART_OVERHEAD: usize = 3;

    /// Encodes the record and returns its length in bytes.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, RecordWriteError> {
        let mut start = [0; START_LEN];
        let mut moves = [0; MAX_PAYLOAD];
        let mut event = [0; NumberedEvent::MAX_LEN];
        let repr = RecordRepr::of(self, &mut start, &mut moves, &mut event)?;
        postcard::to_slice(&repr, buffer).map(|written| written.len()).map_err(|_| RecordWriteError::Room)
    }

    /// Decodes the first record of `bytes`, and returns it with the rest.
    pub fn read(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), RecordReadError> {
        let (repr, rest) =
            postcard::take_from_bytes::<RecordRepr<'a>>(bytes).map_err(|_| RecordReadError::Malformed)?;
        Ok((repr.try_into()?, rest))
    }
}

/// Hides values, which may be secrets, and writes positions as FEN.
impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(settings) => settings.fmt(f),
            Self::Value { id, bytes } => f.debug_struct("Value").field("id", id).field("len", &bytes.len()).finish(),
            Self::GameInfo(info) => info.fmt(f),
            Self::Start(start) => match start.chess() {
                Some(position) => write!(f, "Start({})", position.fen()),
                None => f.debug_tuple("Start").field(start).finish(),
            },
            Self::Setup(bytes) => f.debug_tuple("Setup").field(&bytes.len()).finish(),
            Self::Turn(bytes) => f.debug_tuple("Turn").field(&bytes.len()).finish(),
            Self::Moves { ply, moves } => f.debug_struct("Moves").field("ply", ply).field("moves", moves).finish(),
            Self::Ended(verdict) => f.debug_tuple("Ended").field(verdict).finish(),
            Self::Clocks(clocks) => clocks.fmt(f),
            Self::Session(session) => session.fmt(f),
            Self::NumberedEvent(event) => event.fmt(f),
            Self::Received(number) => f.debug_tuple("Received").field(number).finish(),
            Self::Acknowledged(number) => f.debug_tuple("Acknowledged").field(number).finish(),
        }
    }
}

/// Why a record was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordWriteError {
    /// It does not fit into the frame.
    Room,
    /// A value is too long; its length in bytes.
    Value(usize),
    /// A start with a setup or a turn is written in parts: see [`Record::Setup`] and [`Record::Turn`].
    Parts,
}

impl fmt::Display for RecordWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Room => f.write_str("the record does not fit into the frame"),
            Self::Value(len) => write_value(f, *len),
            Self::Parts => f.write_str("a start with a setup or a turn is written in parts"),
        }
    }
}

impl Error for RecordWriteError {}

/// Why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordReadError {
    /// The record is truncated, of an unknown kind, or a number is out of range.
    Malformed,
    /// A field that is shared with the messages of the link is invalid.
    Field(link::ReadError),
    /// The start position is invalid.
    Start(SetupError),
    /// A value is too long; its length in bytes.
    Value(usize),
}

impl fmt::Display for RecordReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the bytes are not a record"),
            Self::Field(error) => error.fmt(f),
            Self::Start(error) => error.fmt(f),
            Self::Value(len) => write_value(f, *len),
        }
    }
}

impl Error for RecordReadError {}

fn write_value(f: &mut fmt::Formatter<'_>, len: usize) -> fmt::Result {
    write!(f, "a value has at most {MAX_VALUE} bytes, not {len}")
}
