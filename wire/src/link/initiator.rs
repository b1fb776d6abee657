use core::error::Error;
use core::fmt;

use super::VERSION;
use super::channel::Channel;
use super::handshake::{ANSWER_LEN, FIRST_FRAME_LEN, Refusal, RelayAnswer, first_frame, prologue, read_answer};
use super::noise::Handshake;
use super::pairing::{Ephemeral, PairingKey};

/// The board's side of the handshake, after its first frame.
pub struct Initiator {
    handshake: Handshake,
}

/// Why a handshake failed. The connection must be closed; the board may retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitiatorError {
    /// The answer has the wrong length.
    Length(usize),
    /// The answer has another version than the first frame.
    Version(u8),
    /// The relay refuses the board.
    Refused(Refusal),
    /// Authentication failed: the relay has another key, or the answer was changed in transit.
    Forged,
}

impl fmt::Display for InitiatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => write!(f, "an answer has {ANSWER_LEN} bytes, not {len}"),
            Self::Version(version) => {
                write!(f, "the relay answered with version {version} of the link, not {VERSION}")
            }
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Forged => f.write_str("the answer does not come from a relay that has this board's key"),
        }
    }
}

impl Error for InitiatorError {}

impl Initiator {
    /// Starts a handshake, and returns the frame to send first on the connection.
    #[must_use]
    pub fn new(key: &PairingKey, ephemeral: Ephemeral) -> (Self, [u8; FIRST_FRAME_LEN]) {
        let board = key.board_id();
        let mut handshake = Handshake::new(true, &prologue(board), key, ephemeral);
        // The first message needs no key agreement, so writing it cannot fail. A relay would refuse zeros.
        let noise = handshake.write().unwrap_or([0; _]);
        (Self { handshake }, first_frame(board, &noise))
    }

    /// Reads the relay's answer. `Ok` proves that the relay has the key.
    pub fn answered(mut self, frame: &[u8]) -> Result<Channel, InitiatorError> {
        let length = InitiatorError::Length(frame.len());
        match read_answer(frame).ok_or(length)? {
            RelayAnswer::Refused(refusal) => Err(InitiatorError::Refused(refusal)),
            RelayAnswer::Accepted { version, .. } if version != VERSION => Err(InitiatorError::Version(version)),
            RelayAnswer::Accepted { noise, .. } => {
                let noise = noise.try_into().map_err(|_| length)?;
                self.handshake.read(noise).map_err(|_| InitiatorError::Forged)?;
                Ok(self.handshake.finish())
            }
        }
    }
}

impl fmt::Debug for Initiator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Initiator")
    }
}
