//! The shapes that postcard writes and reads: numbers, lists of bytes, and variants by their position. This is the
//! format. What the numbers mean is checked where these are turned into what the rest of the program speaks of.
//!
//! New variants are only ever added at the end, and what is here never changes: a position is a number on the wire.

use chess::Bitboard;
use serde::{Deserialize, Serialize};

use super::code;
use super::event::{Event, Said};
use super::hello::{Goodbye, Hello, MAX_SOFTWARE};
use super::message::{Message, ReadError, WriteError};
use super::snapshot::{MAX_FEN, MAX_PIECE, Origin, Snapshot};
use super::table::{ClockRule, Clocks, Live, MAX_NAME, Seat, Table, Wood};

#[derive(Serialize, Deserialize)]
pub(super) enum MessageForm<'a> {
    #[serde(borrow)]
    Hello(Hello<'a>),
    Event(SaidForm),
    Ack(u32),
    #[serde(borrow)]
    Snapshot(SnapshotForm<'a>),
    Piece(&'a [u8]),
    Complete,
    Ping,
    Pong,
    Wood(u64, u64, u64),
    Live(Option<ClocksForm>, bool),
    Goodbye(u8),
}

#[derive(Serialize, Deserialize)]
pub(super) struct SaidForm {
    number: u32,
    heard: u32,
    event: EventForm,
}

#[derive(Serialize, Deserialize)]
enum EventForm {
    Moved { ply: u16, mv: u16, thought_ms: u32 },
    Resigned { color: u8 },
    DrawOffered { color: u8 },
    DrawAnswered { accepted: bool },
    DrawClaimed { claim: u8, with: Option<u16> },
    TakebackAsked { plies: u8 },
    TakebackAnswered { accepted: bool },
    TakenBack { plies: u8 },
    Ended { outcome: u8 },
    Hints { on: bool },
}

#[derive(Serialize, Deserialize)]
pub(super) struct SnapshotForm<'a> {
    number: u32,
    heard: u32,
    renewed: u32,
    game: u64,
    seat: u8,
    hints: bool,
    clock: Option<ClockRule>,
    outcome: Option<u8>,
    white: &'a str,
    black: &'a str,
    fen: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClocksForm {
    white_ms: u32,
    black_ms: u32,
    running: u8,
}

impl<'a> TryFrom<Message<'a>> for MessageForm<'a> {
    type Error = WriteError;

    fn try_from(message: Message<'a>) -> Result<Self, WriteError> {
        Ok(match message {
            Message::Hello(hello) => {
                brief(hello.software).map_err(WriteError::Software)?;
                Self::Hello(hello)
            }
            Message::Event(said) => Self::Event(said.into()),
            Message::Ack(number) => Self::Ack(number),
            Message::Snapshot(snapshot) => Self::Snapshot(snapshot.try_into()?),
            Message::Piece(bytes) if (1..=MAX_PIECE).contains(&bytes.len()) => Self::Piece(bytes),
            Message::Piece(bytes) => return Err(WriteError::Piece(bytes.len())),
            Message::Complete => Self::Complete,
            Message::Ping => Self::Ping,
            Message::Pong => Self::Pong,
            Message::Wood(wood) => Self::Wood(wood.occupied.0, wood.in_hand.0, wood.astray.0),
            Message::Live(live) => Self::Live(live.clocks.map(ClocksForm::from), live.opponent),
            Message::Goodbye(reason) => Self::Goodbye(reason.code()),
        })
    }
}

impl<'a> TryFrom<MessageForm<'a>> for Message<'a> {
    type Error = ReadError;

    fn try_from(form: MessageForm<'a>) -> Result<Self, ReadError> {
        Ok(match form {
            MessageForm::Hello(hello) => {
                brief(hello.software).map_err(ReadError::Software)?;
                Self::Hello(hello)
            }
            MessageForm::Event(said) => Self::Event(said.try_into()?),
            MessageForm::Ack(number) => Self::Ack(number),
            MessageForm::Snapshot(snapshot) => Self::Snapshot(snapshot.try_into()?),
            MessageForm::Piece(bytes) if (1..=MAX_PIECE).contains(&bytes.len()) => Self::Piece(bytes),
            MessageForm::Piece(bytes) => return Err(ReadError::Piece(bytes.len())),
            MessageForm::Complete => Self::Complete,
            MessageForm::Ping => Self::Ping,
            MessageForm::Pong => Self::Pong,
            MessageForm::Wood(occupied, in_hand, astray) => {
                let [occupied, in_hand, astray] = [occupied, in_hand, astray].map(Bitboard);
                Self::Wood(Wood { occupied, in_hand, astray })
            }
            MessageForm::Live(clocks, opponent) => {
                let clocks = clocks.map(Clocks::try_from).transpose()?;
                Self::Live(Live { clocks, opponent })
            }
            MessageForm::Goodbye(code) => Self::Goodbye(Goodbye::from_code(code)),
        })
    }
}

impl From<Said> for SaidForm {
    fn from(said: Said) -> Self {
        let event = match said.event {
            Event::Moved { ply, mv, thought_ms } => EventForm::Moved { ply, mv: code::of_move(mv), thought_ms },
            Event::Resigned { color } => EventForm::Resigned { color: code::of_color(color) },
            Event::DrawOffered { color } => EventForm::DrawOffered { color: code::of_color(color) },
            Event::DrawAnswered { accepted } => EventForm::DrawAnswered { accepted },
            Event::DrawClaimed { claim, with } => {
                EventForm::DrawClaimed { claim: code::of_claim(claim), with: with.map(code::of_move) }
            }
            Event::TakebackAsked { plies } => EventForm::TakebackAsked { plies },
            Event::TakebackAnswered { accepted } => EventForm::TakebackAnswered { accepted },
            Event::TakenBack { plies } => EventForm::TakenBack { plies },
            Event::Ended { outcome } => EventForm::Ended { outcome: code::of_outcome(outcome) },
            Event::Hints { on } => EventForm::Hints { on },
        };
        Self { number: said.number, heard: said.heard, event }
    }
}

impl TryFrom<SaidForm> for Said {
    type Error = ReadError;

    fn try_from(form: SaidForm) -> Result<Self, ReadError> {
        let event = match form.event {
            EventForm::Moved { ply, mv, thought_ms } => Event::Moved { ply, mv: code::to_move(mv)?, thought_ms },
            EventForm::Resigned { color } => Event::Resigned { color: code::to_color(color)? },
            EventForm::DrawOffered { color } => Event::DrawOffered { color: code::to_color(color)? },
            EventForm::DrawAnswered { accepted } => Event::DrawAnswered { accepted },
            EventForm::DrawClaimed { claim, with } => {
                Event::DrawClaimed { claim: code::to_claim(claim)?, with: with.map(code::to_move).transpose()? }
            }
            EventForm::TakebackAsked { plies } => Event::TakebackAsked { plies },
            EventForm::TakebackAnswered { accepted } => Event::TakebackAnswered { accepted },
            EventForm::TakenBack { plies } => Event::TakenBack { plies },
            EventForm::Ended { outcome } => Event::Ended { outcome: code::to_outcome(outcome)? },
            EventForm::Hints { on } => Event::Hints { on },
        };
        Ok(Self { number: form.number, heard: form.heard, event })
    }
}

impl<'a> TryFrom<Snapshot<'a>> for SnapshotForm<'a> {
    type Error = WriteError;

    fn try_from(snapshot: Snapshot<'a>) -> Result<Self, WriteError> {
        let Snapshot { number, heard, renewed, table, origin } = snapshot;
        short(table.white).and_then(|()| short(table.black)).map_err(WriteError::Name)?;
        let fen = match origin {
            Origin::State => None,
            Origin::Fen(fen) if fen.len() <= MAX_FEN => Some(fen),
            Origin::Fen(fen) => return Err(WriteError::Fen(fen.len())),
        };
        Ok(Self {
            number,
            heard,
            renewed,
            game: table.game,
            seat: table.seat.code(),
            hints: table.hints,
            clock: table.clock,
            outcome: table.outcome.map(code::of_outcome),
            white: table.white,
            black: table.black,
            fen,
        })
    }
}

impl<'a> TryFrom<SnapshotForm<'a>> for Snapshot<'a> {
    type Error = ReadError;

    fn try_from(form: SnapshotForm<'a>) -> Result<Self, ReadError> {
        short(form.white).and_then(|()| short(form.black)).map_err(ReadError::Name)?;
        let origin = match form.fen {
            None => Origin::State,
            Some(fen) if fen.len() <= MAX_FEN => Origin::Fen(fen),
            Some(fen) => return Err(ReadError::Fen(fen.len())),
        };
        let table = Table {
            game: form.game,
            seat: Seat::from_code(form.seat)?,
            hints: form.hints,
            clock: form.clock,
            outcome: form.outcome.map(code::to_outcome).transpose()?,
            white: form.white,
            black: form.black,
        };
        Ok(Self { number: form.number, heard: form.heard, renewed: form.renewed, table, origin })
    }
}

impl From<Clocks> for ClocksForm {
    fn from(clocks: Clocks) -> Self {
        let Clocks { white_ms, black_ms, running } = clocks;
        Self { white_ms, black_ms, running: code::of_player(running) }
    }
}

impl TryFrom<ClocksForm> for Clocks {
    type Error = ReadError;

    fn try_from(form: ClocksForm) -> Result<Self, ReadError> {
        let ClocksForm { white_ms, black_ms, running } = form;
        Ok(Self { white_ms, black_ms, running: code::to_player(running)? })
    }
}

/// Names are bounded, so that whoever keeps one knows how much that takes. If it is too long, that is the length.
const fn short(name: &str) -> Result<(), usize> {
    if name.len() <= MAX_NAME { Ok(()) } else { Err(name.len()) }
}

/// The same for what is said of the software.
const fn brief(software: &str) -> Result<(), usize> {
    if software.len() <= MAX_SOFTWARE { Ok(()) } else { Err(software.len()) }
}
