use core::error::Error;
use core::fmt;

use super::message::{MAX_FRAME, Message, ReadError, WriteError};
use super::noise::{Cipherstate, TAG_LEN};

/// What a handshake leads to: every frame is sealed, and opens only on the other side, in its turn.
///
/// Neither number nor nonce is in a frame. Both sides count, so a frame that is lost, repeated or out of turn does not
/// open any more than one that was changed, and after that the connection is of no more use. Whatever carries the frames
/// has to be reliable and in order; a WebSocket is.
pub struct Channel {
    sending: Cipherstate,
    receiving: Cipherstate,
    fingerprint: u64,
}

/// Why a message was not sent. The channel is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendError {
    /// The message is not one that can be written.
    Write(WriteError),
    /// The buffer is too short for the message and its seal; [`MAX_FRAME`] bytes are enough for any.
    Buffer,
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(f),
            Self::Buffer => write!(f, "the buffer is too short for this frame; {MAX_FRAME} bytes are always enough"),
        }
    }
}

impl Error for SendError {}

/// Why a frame was not taken. The connection is of no more use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveError {
    /// No frame has this length.
    Length(usize),
    /// It was changed, or it is out of turn, or it comes from somebody else.
    Forged,
    /// It comes from the other side, but says nothing that can be understood.
    Read(ReadError),
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => write!(f, "a sealed frame has {TAG_LEN} to {MAX_FRAME} bytes, not {len}"),
            Self::Forged => f.write_str("the frame was changed on the way, or is not the next one"),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl Error for ReceiveError {}

impl Channel {
    pub(super) const fn new(sending: Cipherstate, receiving: Cipherstate, fingerprint: u64) -> Self {
        Self { sending, receiving, fingerprint }
    }

    /// A number that both sides have for this channel, and that nobody can have for another.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Writes and seals a message. Returns the length of the frame in the buffer, which must be sent: the other side
    /// counts on it.
    pub fn send(&mut self, message: &Message<'_>, buffer: &mut [u8]) -> Result<usize, SendError> {
        let room = buffer.len().checked_sub(TAG_LEN).ok_or(SendError::Buffer)?;
        let text = buffer.get_mut(..room).unwrap_or_default();
        let len = message.write(text).map_err(|error| match error {
            WriteError::Buffer => SendError::Buffer,
            other => SendError::Write(other),
        })?;
        // The counter would have to reach the end of 64 bits to fail.
        Ok(self.sending.encrypt_in_place(buffer, len))
    }

    /// Opens and reads the next frame.
    pub fn receive<'a>(&mut self, frame: &'a mut [u8]) -> Result<Message<'a>, ReceiveError> {
        let len = frame.len();
        if !(TAG_LEN..=MAX_FRAME).contains(&len) {
            return Err(ReceiveError::Length(len));
        }
        let opened = self.receiving.decrypt_in_place(frame, len).map_err(|()| ReceiveError::Forged)?;
        Message::read(frame.get(..opened).unwrap_or_default()).map_err(ReceiveError::Read)
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Channel {:016x}", self.fingerprint)
    }
}
