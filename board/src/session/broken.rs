use core::error::Error;
use core::fmt;

use chess::FenError;
use wire::layout::DecodeError;
use wire::link::{AnswerError, MAX_FRAME, ReceiveError, SendError};

/// Why a connection is of no more use. It has to be closed; what was to be said is said over the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// There is no connection.
    Closed,
    /// The relay did not let the board in.
    Answer(AnswerError),
    /// A frame is not what the other side should have sent.
    Receive(ReceiveError),
    /// A message came at a time when no such message can come.
    OutOfPlace,
    /// An event is missing before this one.
    Gap {
        /// The number that should have come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
    /// The other side has heard what was never said.
    NeverSaid(u32),
    /// The other side knows things that this side has forgotten. This side begins a new stream.
    Forgetful,
    /// The game that came is none.
    State(DecodeError),
    /// The position from which the game that came began is none.
    Fen(FenError),
    /// Nothing has come for too long.
    Silent,
    /// What was said has not been acknowledged for too long.
    Unheard,
    /// The buffer for a frame is too short.
    Buffer,
    /// What was to be sent cannot be written.
    Send(SendError),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("there is no connection"),
            Self::Answer(error) => error.fmt(f),
            Self::Receive(error) => error.fmt(f),
            Self::OutOfPlace => f.write_str("the other side says something out of place"),
            Self::Gap { expected, found } => write!(f, "event {found} came, but event {expected} is missing"),
            Self::NeverSaid(number) => write!(f, "the other side has heard event {number}, which was never said"),
            Self::Forgetful => f.write_str("the other side knows more of this side than this side does"),
            Self::State(error) => write!(f, "the game that came is none: {error}"),
            Self::Fen(error) => write!(f, "the start of the game that came is none: {error}"),
            Self::Silent => f.write_str("the other side is silent"),
            Self::Unheard => f.write_str("the other side does not acknowledge what it is told"),
            Self::Buffer => write!(f, "a frame takes a buffer of {MAX_FRAME} bytes"),
            Self::Send(error) => error.fmt(f),
        }
    }
}

impl Error for Broken {}
