//! The shapes that postcard writes and reads: numbers, lists of bytes, and variants by their position. This is the
//! format. What the numbers mean is checked where these are turned into records.
//!
//! New variants are only ever added at the end, and what is here never changes: a position is a number in the bytes.

use chess::Position;
use serde::{Deserialize, Serialize};

use super::moves::Moves;
use super::preferences::Preferences;
use super::record::{MAX_VALUE, Record, RecordError, WriteError};
use super::session::Session;
use super::start::{self, START_LEN};
use crate::link::{ClockRule, Clocks, MAX_NAME, ReadError, Said, Seat, Table, code};

#[derive(Serialize, Deserialize)]
pub(super) enum RecordForm<'a> {
    Preferences(Preferences),
    Value {
        id: u8,
        bytes: &'a [u8],
    },
    Table {
        game: u64,
        seat: u8,
        hints: bool,
        clock: Option<ClockRule>,
        white: &'a str,
        black: &'a str,
    },
    /// Nothing stands for the start position of chess.
    Start(Option<&'a [u8]>),
    Moves {
        ply: u16,
        bytes: &'a [u8],
    },
    Ended(u8),
    Clocks(ClocksForm),
    Session(Session),
    /// As the link writes it.
    Said(&'a [u8]),
    Heard(u32),
    Acknowledged(u32),
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClocksForm {
    white_ms: u32,
    black_ms: u32,
    running: u8,
}

impl<'a> RecordForm<'a> {
    /// The form of a record. What is not in the record as it is written goes into the buffers.
    pub(super) fn of(
        record: &Record<'a>,
        start: &'a mut [u8; START_LEN],
        moves_buffer: &'a mut [u8],
        said_buffer: &'a mut [u8; Said::MAX_LEN],
    ) -> Result<Self, WriteError> {
        Ok(match *record {
            Record::Preferences(preferences) => Self::Preferences(preferences),
            Record::Value { id, bytes } if bytes.len() <= MAX_VALUE => Self::Value { id, bytes },
            Record::Value { bytes, .. } => return Err(WriteError::Value(bytes.len())),
            Record::Table(Table { game, seat, hints, clock, white, black, .. }) => {
                short(white).and_then(|()| short(black)).map_err(WriteError::Name)?;
                Self::Table { game, seat: seat.code(), hints, clock, white, black }
            }
            Record::Start(position) if position == Position::start() => Self::Start(None),
            Record::Start(position) => {
                *start = start::write(&position);
                Self::Start(Some(start))
            }
            Record::Moves { ply, moves } => {
                Self::Moves { ply, bytes: moves.write(moves_buffer).ok_or(WriteError::Room)? }
            }
            Record::Ended(outcome) => Self::Ended(code::of_outcome(outcome)),
            Record::Clocks(clocks) => Self::Clocks(clocks.into()),
            Record::Session(session) => Self::Session(session),
            Record::Said(said) => {
                // There is room for any event.
                let len = said.write(said_buffer).map_err(|_| WriteError::Room)?;
                Self::Said(said_buffer.get(..len).unwrap_or_default())
            }
            Record::Heard(number) => Self::Heard(number),
            Record::Acknowledged(number) => Self::Acknowledged(number),
        })
    }
}

impl<'a> TryFrom<RecordForm<'a>> for Record<'a> {
    type Error = RecordError;

    fn try_from(form: RecordForm<'a>) -> Result<Self, RecordError> {
        Ok(match form {
            RecordForm::Preferences(preferences) => Self::Preferences(preferences),
            RecordForm::Value { id, bytes } if bytes.len() <= MAX_VALUE => Self::Value { id, bytes },
            RecordForm::Value { bytes, .. } => return Err(RecordError::Value(bytes.len())),
            RecordForm::Table { game, seat, hints, clock, white, black } => {
                short(white).and_then(|()| short(black)).map_err(ReadError::Name).map_err(RecordError::Part)?;
                let seat = Seat::from_code(seat).map_err(RecordError::Part)?;
                Self::Table(Table { game, seat, hints, clock, outcome: None, white, black })
            }
            RecordForm::Start(None) => Self::Start(Position::start()),
            RecordForm::Start(Some(bytes)) => Self::Start(start::read(bytes)?),
            RecordForm::Moves { ply, bytes } => {
                let moves = Moves::read(bytes).map_err(|code| RecordError::Part(ReadError::Move(code)))?;
                Self::Moves { ply, moves }
            }
            RecordForm::Ended(code) => Self::Ended(code::to_outcome(code).map_err(RecordError::Part)?),
            RecordForm::Clocks(clocks) => Self::Clocks(clocks.try_into()?),
            RecordForm::Session(session) => Self::Session(session),
            RecordForm::Said(bytes) => Self::Said(Said::read(bytes).map_err(RecordError::Part)?),
            RecordForm::Heard(number) => Self::Heard(number),
            RecordForm::Acknowledged(number) => Self::Acknowledged(number),
        })
    }
}

impl From<Clocks> for ClocksForm {
    fn from(clocks: Clocks) -> Self {
        let Clocks { white_ms, black_ms, running } = clocks;
        Self { white_ms, black_ms, running: code::of_player(running) }
    }
}

impl TryFrom<ClocksForm> for Clocks {
    type Error = RecordError;

    fn try_from(form: ClocksForm) -> Result<Self, RecordError> {
        let ClocksForm { white_ms, black_ms, running } = form;
        Ok(Self { white_ms, black_ms, running: code::to_player(running).map_err(RecordError::Part)? })
    }
}

/// If a name is too long, that is its length.
const fn short(name: &str) -> Result<(), usize> {
    if name.len() <= MAX_NAME { Ok(()) } else { Err(name.len()) }
}
