use core::error::Error;
use core::fmt;

use wire::layout::DecodeError;
use wire::link::{InitiatorError, MAX_FRAME, ReceiveError, SendError};
use wire::pairing::PairingError;
use wire::setup::SetupDecodeError;
use wire::turn::TurnDecodeError;

/// Why a connection must be closed. Unacknowledged events are sent again over the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is no connection.
    Closed,
    /// The relay rejected the handshake.
    Answer(InitiatorError),
    /// A frame cannot be decrypted or decoded.
    Receive(ReceiveError),
    /// A message arrived at a time when the protocol does not allow it.
    UnexpectedMessage,
    /// An event is missing before this one.
    #[expect(missing_docs, reason = "the sequence numbers that the variant speaks of")]
    Gap { expected: u32, found: u32 },
    /// The peer acknowledges an event that was never sent.
    NeverSent(u32),
    /// The peer has received more events than this side remembers sending. This side starts a new stream.
    StateLost,
    /// A snapshot is invalid.
    State(DecodeError),
    /// The setup in a snapshot is invalid.
    Setup(SetupDecodeError),
    /// The turn in a snapshot is invalid.
    Turn(TurnDecodeError),
    /// A ply in a snapshot is not legal.
    Ply(rules::PlayError),
    /// Keepalive timeout: no frame arrived for too long.
    KeepaliveTimeout,
    /// Acknowledgement timeout.
    AckTimeout,
    /// The buffer for a frame is too short.
    Buffer,
    /// A message cannot be encoded.
    Send(SendError),
    /// A pairing request failed.
    Pairing(PairingError),
    /// The pairing request is over: it was answered, or the board no longer asks.
    PairingOver,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("not connected"),
            Self::Answer(error) => error.fmt(f),
            Self::Receive(error) => error.fmt(f),
            Self::UnexpectedMessage => f.write_str("protocol error: unexpected message"),
            Self::Gap { expected, found } => write!(f, "event {found} arrived, but event {expected} is missing"),
            Self::NeverSent(number) => write!(f, "the peer acknowledges event {number}, which was never sent"),
            Self::StateLost => f.write_str("the peer has more events than were sent; starting a new stream"),
            Self::State(error) => write!(f, "the snapshot is invalid: {error}"),
            Self::Setup(error) => write!(f, "the snapshot is invalid: {error}"),
            Self::Turn(error) => write!(f, "the snapshot is invalid: {error}"),
            Self::Ply(error) => write!(f, "the snapshot is invalid: {error}"),
            Self::KeepaliveTimeout => f.write_str("keepalive timeout: no frame from the peer"),
            Self::AckTimeout => f.write_str("acknowledgement timeout"),
            Self::Buffer => write!(f, "a frame needs a buffer of {MAX_FRAME} bytes"),
            Self::Send(error) => error.fmt(f),
            Self::Pairing(error) => write!(f, "pairing failed: {error}"),
            Self::PairingOver => f.write_str("the pairing request is over"),
        }
    }
}

impl Error for LinkError {}
