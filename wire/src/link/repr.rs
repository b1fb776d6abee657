//! The serde form of messages, which postcard encodes. Converting it into a [`Message`] validates the numbers.
//!
//! postcard encodes a variant by its index: variants are only appended, and never changed or reordered.

use chess::Bitboard;
use rules::Ply;
use serde::{Deserialize, Serialize};

use super::code;
use super::console::{ConsoleLine, ConsoleOutput, MAX_CONSOLE_LINE, MAX_CONSOLE_OUTPUT};
use super::event::{Event, NumberedEvent};
use super::game_info::{Challenge, ClockRule, Clocks, GameInfo, Live, Name, Occupancy, Seat};
use super::hello::{Goodbye, Hello, MAX_SOFTWARE};
use super::message::{Message, ReadError, WriteError};
use super::snapshot::{MAX_PIECE, Snapshot, SnapshotOrigin, StartText};

#[derive(Serialize, Deserialize)]
pub(super) enum MessageRepr<'a> {
    #[serde(borrow)]
    Hello(Hello<'a>),
    Event(NumberedEventRepr),
    Ack(u32),
    #[serde(borrow)]
    Snapshot(SnapshotRepr<'a>),
    Piece(&'a [u8]),
    Complete,
    Ping,
    Pong,
    Occupancy(u64, u64, u64),
    Live(Option<ClocksRepr>, bool),
    Goodbye(u8),
    /// As `Live`, and the opponent offers a rematch.
    LiveRematch(Option<ClocksRepr>, bool),
    #[serde(borrow)]
    Challenge(Option<ChallengeRepr<'a>>),
    ConsoleLine(u32, &'a str),
    ConsoleOutput(u32, bool, &'a str),
}

#[derive(Serialize, Deserialize)]
pub(super) struct ChallengeRepr<'a> {
    number: u32,
    color: u8,
    clock: Option<ClockRule>,
    name: &'a str,
}

#[derive(Serialize, Deserialize)]
pub(super) struct NumberedEventRepr {
    number: u32,
    received_up_to: u32,
    event: EventRepr,
}

#[derive(Serialize, Deserialize)]
enum EventRepr {
    Moved { number: u16, ply: u16, thought_ms: u32 },
    Resigned { color: u8 },
    DrawOffered { color: u8 },
    DrawAnswered { accepted: bool },
    DrawClaimed { claim: u8, with: Option<u16> },
    TakebackAsked { plies: u8 },
    TakebackAnswered { accepted: bool },
    TakenBack { plies: u8 },
    Ended { verdict: u8 },
    Hints { on: bool },
    Corrected { number: u16 },
    ChallengeAnswered { number: u32, accepted: bool },
}

#[derive(Serialize, Deserialize)]
pub(super) struct SnapshotRepr<'a> {
    number: u32,
    received_up_to: u32,
    renewed: u32,
    game: u64,
    seat: u8,
    hints: bool,
    clock: Option<ClockRule>,
    verdict: Option<u8>,
    white: &'a str,
    black: &'a str,
    start: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClocksRepr {
    white_ms: u32,
    black_ms: u32,
    running: u8,
}

impl<'a> MessageRepr<'a> {
    /// The form of a message. The start of a snapshot is text that is not in the message itself.
    pub(super) fn of(message: &'a Message<'_>, start: Option<&'a StartText>) -> Result<Self, WriteError> {
        Ok(match *message {
            Message::Hello(hello) => {
                at_most(MAX_SOFTWARE, hello.software).map_err(WriteError::Software)?;
                Self::Hello(hello)
            }
            Message::Event(event) => Self::Event(event.into()),
            Message::Ack(number) => Self::Ack(number),
            Message::Snapshot(ref snapshot) => Self::Snapshot(SnapshotRepr::of(snapshot, start)),
            Message::Piece(bytes) if (1..=MAX_PIECE).contains(&bytes.len()) => Self::Piece(bytes),
            Message::Piece(bytes) => return Err(WriteError::Piece(bytes.len())),
            Message::Complete => Self::Complete,
            Message::Ping => Self::Ping,
            Message::Pong => Self::Pong,
            Message::Occupancy(Occupancy { occupied, in_hand, misplaced }) => {
                Self::Occupancy(occupied.0, in_hand.0, misplaced.0)
            }
            Message::Live(Live { clocks, opponent, rematch }) => {
                let clocks = clocks.map(ClocksRepr::from);
                if rematch { Self::LiveRematch(clocks, opponent) } else { Self::Live(clocks, opponent) }
            }
            Message::Goodbye(reason) => Self::Goodbye(reason.code()),
            Message::Challenge(ref challenge) => Self::Challenge(challenge.as_ref().map(|challenge| ChallengeRepr {
                number: challenge.number,
                color: code::of_color(challenge.color),
                clock: challenge.clock,
                name: &challenge.name,
            })),
            Message::ConsoleLine(ConsoleLine { number, line }) => {
                at_most(MAX_CONSOLE_LINE, line).map_err(WriteError::ConsoleLine)?;
                Self::ConsoleLine(number, line)
            }
            Message::ConsoleOutput(ConsoleOutput { number, is_last, text }) => {
                at_most(MAX_CONSOLE_OUTPUT, text).map_err(WriteError::ConsoleOutput)?;
                Self::ConsoleOutput(number, is_last, text)
            }
        })
    }
}

impl<'a> TryFrom<MessageRepr<'a>> for Message<'a> {
    type Error = ReadError;

    fn try_from(repr: MessageRepr<'a>) -> Result<Self, ReadError> {
        Ok(match repr {
            MessageRepr::Hello(hello) => {
                at_most(MAX_SOFTWARE, hello.software).map_err(ReadError::Software)?;
                Self::Hello(hello)
            }
            MessageRepr::Event(event) => Self::Event(event.try_into()?),
            MessageRepr::Ack(number) => Self::Ack(number),
            MessageRepr::Snapshot(snapshot) => Self::Snapshot(snapshot.try_into()?),
            MessageRepr::Piece(bytes) if (1..=MAX_PIECE).contains(&bytes.len()) => Self::Piece(bytes),
            MessageRepr::Piece(bytes) => return Err(ReadError::Piece(bytes.len())),
            MessageRepr::Complete => Self::Complete,
            MessageRepr::Ping => Self::Ping,
            MessageRepr::Pong => Self::Pong,
            MessageRepr::Occupancy(occupied, in_hand, misplaced) => {
                let [occupied, in_hand, misplaced] = [occupied, in_hand, misplaced].map(Bitboard);
                Self::Occupancy(Occupancy { occupied, in_hand, misplaced })
            }
            MessageRepr::Live(clocks, opponent) => {
                let clocks = clocks.map(Clocks::try_from).transpose()?;
                Self::Live(Live { clocks, opponent, rematch: false })
            }
            MessageRepr::LiveRematch(clocks, opponent) => {
                let clocks = clocks.map(Clocks::try_from).transpose()?;
                Self::Live(Live { clocks, opponent, rematch: true })
            }
            MessageRepr::Goodbye(code) => Self::Goodbye(Goodbye::from_code(code)),
            MessageRepr::Challenge(None) => Self::Challenge(None),
            MessageRepr::Challenge(Some(ChallengeRepr { number, color, clock, name: text })) => {
                let (color, name) = (code::to_color(color)?, name(text)?);
                Self::Challenge(Some(Challenge { number, color, clock, name }))
            }
            MessageRepr::ConsoleLine(number, line) => {
                at_most(MAX_CONSOLE_LINE, line).map_err(ReadError::ConsoleLine)?;
                Self::ConsoleLine(ConsoleLine { number, line })
            }
            MessageRepr::ConsoleOutput(number, is_last, text) => {
                at_most(MAX_CONSOLE_OUTPUT, text).map_err(ReadError::ConsoleOutput)?;
                Self::ConsoleOutput(ConsoleOutput { number, is_last, text })
            }
        })
    }
}

impl From<NumberedEvent> for NumberedEventRepr {
    fn from(said: NumberedEvent) -> Self {
        let event = match said.event {
            Event::Moved { number, ply, thought_ms } => EventRepr::Moved { number, ply: ply.bits(), thought_ms },
            Event::Resigned { color } => EventRepr::Resigned { color: code::of_color(color) },
            Event::DrawOffered { color } => EventRepr::DrawOffered { color: code::of_color(color) },
            Event::DrawAnswered { accepted } => EventRepr::DrawAnswered { accepted },
            Event::DrawClaimed { claim, with } => {
                EventRepr::DrawClaimed { claim: code::of_claim(claim), with: with.map(Ply::bits) }
            }
            Event::TakebackAsked { plies } => EventRepr::TakebackAsked { plies },
            Event::TakebackAnswered { accepted } => EventRepr::TakebackAnswered { accepted },
            Event::TakenBack { plies } => EventRepr::TakenBack { plies },
            Event::Ended { verdict } => EventRepr::Ended { verdict: code::of_verdict(verdict) },
            Event::Hints { on } => EventRepr::Hints { on },
            Event::Corrected { number } => EventRepr::Corrected { number },
            Event::ChallengeAnswered { number, accepted } => EventRepr::ChallengeAnswered { number, accepted },
        };
        Self { number: said.number, received_up_to: said.received_up_to, event }
    }
}

impl TryFrom<NumberedEventRepr> for NumberedEvent {
    type Error = ReadError;

    fn try_from(repr: NumberedEventRepr) -> Result<Self, ReadError> {
        let event = match repr.event {
            EventRepr::Moved { number, ply, thought_ms } => {
                Event::Moved { number, ply: Ply::from_bits(ply), thought_ms }
            }
            EventRepr::Resigned { color } => Event::Resigned { color: code::to_color(color)? },
            EventRepr::DrawOffered { color } => Event::DrawOffered { color: code::to_color(color)? },
            EventRepr::DrawAnswered { accepted } => Event::DrawAnswered { accepted },
            EventRepr::DrawClaimed { claim, with } => {
                Event::DrawClaimed { claim: code::to_claim(claim)?, with: with.map(Ply::from_bits) }
            }
            EventRepr::TakebackAsked { plies } => Event::TakebackAsked { plies },
            EventRepr::TakebackAnswered { accepted } => Event::TakebackAnswered { accepted },
            EventRepr::TakenBack { plies } => Event::TakenBack { plies },
            EventRepr::Ended { verdict } => Event::Ended { verdict: code::to_verdict(verdict)? },
            EventRepr::Hints { on } => Event::Hints { on },
            EventRepr::Corrected { number } => Event::Corrected { number },
            EventRepr::ChallengeAnswered { number, accepted } => Event::ChallengeAnswered { number, accepted },
        };
        Ok(Self { number: repr.number, received_up_to: repr.received_up_to, event })
    }
}

impl<'a> SnapshotRepr<'a> {
    fn of(snapshot: &'a Snapshot, start: Option<&'a StartText>) -> Self {
        let Snapshot { number, received_up_to, renewed, ref info, origin: _ } = *snapshot;
        Self {
            number,
            received_up_to,
            renewed,
            game: info.game,
            seat: info.seat.code(),
            hints: info.hints,
            clock: info.clock,
            verdict: info.verdict.map(code::of_verdict),
            white: &info.white,
            black: &info.black,
            start: start.map(StartText::as_str),
        }
    }
}

impl TryFrom<SnapshotRepr<'_>> for Snapshot {
    type Error = ReadError;

    fn try_from(repr: SnapshotRepr<'_>) -> Result<Self, ReadError> {
        let info = GameInfo {
            game: repr.game,
            seat: Seat::from_code(repr.seat)?,
            hints: repr.hints,
            clock: repr.clock,
            verdict: repr.verdict.map(code::to_verdict).transpose()?,
            white: name(repr.white)?,
            black: name(repr.black)?,
        };
        let origin = SnapshotOrigin::read(repr.start)?;
        Ok(Self { number: repr.number, received_up_to: repr.received_up_to, renewed: repr.renewed, info, origin })
    }
}

/// Rejects a name that is too long.
pub(crate) fn name(text: &str) -> Result<Name, ReadError> {
    Name::from(text).map_err(|_| ReadError::Name(text.len()))
}

impl From<Clocks> for ClocksRepr {
    fn from(clocks: Clocks) -> Self {
        let Clocks { white_ms, black_ms, running } = clocks;
        Self { white_ms, black_ms, running: code::of_player(running) }
    }
}

impl TryFrom<ClocksRepr> for Clocks {
    type Error = ReadError;

    fn try_from(repr: ClocksRepr) -> Result<Self, ReadError> {
        let ClocksRepr { white_ms, black_ms, running } = repr;
        Ok(Self { white_ms, black_ms, running: code::to_player(running)? })
    }
}

/// If the text is too long, its length.
const fn at_most(bytes: usize, text: &str) -> Result<(), usize> {
    if text.len() <= bytes { Ok(()) } else { Err(text.len()) }
}
