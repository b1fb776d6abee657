use core::error::Error;
use core::fmt;

use super::VERSION;
use super::channel::Channel;
use super::greeting::{ANSWER_LEN, Answer, KNOCK_LEN, Refusal, knock_frame, prologue, read_answer};
use super::noise::Handshake;
use super::pairing::{Ephemeral, PairingKey};

/// A board that has knocked and waits to be let in.
pub struct Call {
    handshake: Handshake,
}

/// Why a call came to nothing. The connection is of no more use; another call may go better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// An answer of this length is none.
    Length(usize),
    /// The relay answers in this version, although it was asked in another.
    Version(u8),
    /// The relay does not let the board in.
    Refused(Refusal),
    /// Whoever answered does not have the board's key, or the answer was changed on the way.
    Forged,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => write!(f, "an answer has {ANSWER_LEN} bytes, not {len}"),
            Self::Version(version) => {
                write!(f, "the answer is of version {version}, and the question was of {VERSION}")
            }
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Forged => f.write_str("the answer does not come from a relay that has this board's key"),
        }
    }
}

impl Error for AnswerError {}

impl Call {
    /// Knocks. Returns the frame to send, which must be the first one of the connection.
    #[must_use]
    pub fn new(key: &PairingKey, ephemeral: Ephemeral) -> (Self, [u8; KNOCK_LEN]) {
        let board = key.board_id();
        let mut handshake = Handshake::new(true, &prologue(board), key, ephemeral);
        // The first message agrees on nothing yet, so there is nothing in it that could fail; and a message of zeros
        // would not be let in.
        let noise = handshake.write().unwrap_or([0; _]);
        (Self { handshake }, knock_frame(board, &noise))
    }

    /// Reads the answer. With a channel, the relay has proved that it has the key.
    pub fn answered(mut self, frame: &[u8]) -> Result<Channel, AnswerError> {
        let length = AnswerError::Length(frame.len());
        match read_answer(frame).ok_or(length)? {
            Answer::Refused(refusal) => Err(AnswerError::Refused(refusal)),
            Answer::Accepted { version, .. } if version != VERSION => Err(AnswerError::Version(version)),
            Answer::Accepted { noise, .. } => {
                let noise = noise.try_into().map_err(|_| length)?;
                self.handshake.read(noise).map_err(|_| AnswerError::Forged)?;
                Ok(self.handshake.finish())
            }
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}
