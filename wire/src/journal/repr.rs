//! The serde form of records, which postcard encodes. Converting it into a [`Record`] validates the numbers.
//!
//! postcard encodes a variant by its index: variants are only appended, and never changed or reordered.

use rules::Start;
use serde::{Deserialize, Serialize};

use super::moves::Moves;
use super::record::{MAX_VALUE, Record, RecordReadError, RecordWriteError};
use super::session_memory::SessionMemory;
use super::settings_record::SettingsRecord;
use super::start_position::{self, START_LEN};
use crate::link::{ClockRule, Clocks, GameInfo, NumberedEvent, ReadError, Seat, code, read_name};

#[derive(Serialize, Deserialize)]
pub(super) enum RecordRepr<'a> {
    Settings(SettingsRecord),
    Value {
        id: u8,
        bytes: &'a [u8],
    },
    GameInfo {
        game: u64,
        seat: u8,
        hints: bool,
        clock: Option<ClockRule>,
        white: &'a str,
        black: &'a str,
    },
    /// `None` is the start position of chess.
    Start(Option<&'a [u8]>),
    Moves {
        ply: u16,
        bytes: &'a [u8],
    },
    Ended(u8),
    Clocks(ClocksRepr),
    Session(SessionMemory),
    /// Encoded as in the link message.
    NumberedEvent(&'a [u8]),
    Received(u32),
    Acknowledged(u32),
    Setup(&'a [u8]),
    Turn(&'a [u8]),
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClocksRepr {
    white_ms: u32,
    black_ms: u32,
    running: u8,
}

impl<'a> RecordRepr<'a> {
    /// Converts a record. Fields that have to be encoded first are encoded into the buffers.
    pub(super) fn of(
        record: &'a Record<'_>,
        start: &'a mut [u8; START_LEN],
        moves_buffer: &'a mut [u8],
        event_buffer: &'a mut [u8; NumberedEvent::MAX_LEN],
    ) -> Result<Self, RecordWriteError> {
        Ok(match *record {
            Record::Settings(settings) => Self::Settings(settings),
            Record::Value { id, bytes } if bytes.len() <= MAX_VALUE => Self::Value { id, bytes },
            Record::Value { bytes, .. } => return Err(RecordWriteError::Value(bytes.len())),
            Record::GameInfo(GameInfo { game, seat, hints, clock, ref white, ref black, .. }) => {
                Self::GameInfo { game, seat: seat.code(), hints, clock, white, black }
            }
            Record::Start(Start::CHESS) => Self::Start(None),
            Record::Setup(bytes) => Self::Setup(bytes),
            Record::Turn(bytes) => Self::Turn(bytes),
            Record::Start(game_start) => {
                if game_start.setup().is_some() || game_start.told().is_some() {
                    return Err(RecordWriteError::Parts);
                }
                if let Some(position) = game_start.chess() {
                    *start = start_position::write(position);
                    Self::Start(Some(start))
                } else {
                    let [id, ..] = start;
                    *id = game_start.rules_id();
                    Self::Start(start.get(..1))
                }
            }
            Record::Moves { ply, moves } => {
                Self::Moves { ply, bytes: moves.write(moves_buffer).ok_or(RecordWriteError::Room)? }
            }
            Record::Ended(verdict) => Self::Ended(code::of_verdict(verdict)),
            Record::Clocks(clocks) => Self::Clocks(clocks.into()),
            Record::Session(session) => Self::Session(session),
            Record::NumberedEvent(event) => {
                // The buffer is large enough for any event.
                let len = event.write(event_buffer).map_err(|_| RecordWriteError::Room)?;
                Self::NumberedEvent(event_buffer.get(..len).unwrap_or_default())
            }
            Record::Received(number) => Self::Received(number),
            Record::Acknowledged(number) => Self::Acknowledged(number),
        })
    }
}

impl<'a> TryFrom<RecordRepr<'a>> for Record<'a> {
    type Error = RecordReadError;

    fn try_from(repr: RecordRepr<'a>) -> Result<Self, RecordReadError> {
        Ok(match repr {
            RecordRepr::Settings(settings) => Self::Settings(settings),
            RecordRepr::Value { id, bytes } if bytes.len() <= MAX_VALUE => Self::Value { id, bytes },
            RecordRepr::Value { bytes, .. } => return Err(RecordReadError::Value(bytes.len())),
            RecordRepr::GameInfo { game, seat, hints, clock, white, black } => {
                let seat = Seat::from_code(seat).map_err(RecordReadError::Field)?;
                let white = read_name(white).map_err(RecordReadError::Field)?;
                let black = read_name(black).map_err(RecordReadError::Field)?;
                Self::GameInfo(GameInfo { game, seat, hints, clock, verdict: None, white, black })
            }
            RecordRepr::Start(None) => Self::Start(Start::CHESS),
            RecordRepr::Start(Some(&[id])) => {
                let start = Start::from_rules_id(id).filter(|start| start.chess().is_none());
                Self::Start(start.ok_or(RecordReadError::Field(ReadError::Rules(id)))?)
            }
            RecordRepr::Start(Some(bytes)) => Self::Start(Start::Chess(start_position::read(bytes)?)),
            RecordRepr::Moves { ply, bytes } => {
                Self::Moves { ply, moves: Moves::read(bytes).ok_or(RecordReadError::Malformed)? }
            }
            RecordRepr::Ended(code) => Self::Ended(code::to_verdict(code).map_err(RecordReadError::Field)?),
            RecordRepr::Clocks(clocks) => Self::Clocks(clocks.try_into()?),
            RecordRepr::Session(session) => Self::Session(session),
            RecordRepr::NumberedEvent(bytes) => {
                Self::NumberedEvent(NumberedEvent::read(bytes).map_err(RecordReadError::Field)?)
            }
            RecordRepr::Received(number) => Self::Received(number),
            RecordRepr::Acknowledged(number) => Self::Acknowledged(number),
            RecordRepr::Setup(bytes) => Self::Setup(bytes),
            RecordRepr::Turn(bytes) => Self::Turn(bytes),
        })
    }
}

impl From<Clocks> for ClocksRepr {
    fn from(clocks: Clocks) -> Self {
        let Clocks { white_ms, black_ms, running } = clocks;
        Self { white_ms, black_ms, running: code::of_player(running) }
    }
}

impl TryFrom<ClocksRepr> for Clocks {
    type Error = RecordReadError;

    fn try_from(repr: ClocksRepr) -> Result<Self, RecordReadError> {
        let ClocksRepr { white_ms, black_ms, running } = repr;
        Ok(Self { white_ms, black_ms, running: code::to_player(running).map_err(RecordReadError::Field)? })
    }
}
