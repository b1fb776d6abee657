use core::error::Error;
use core::fmt;

use super::message::{MAX_FRAME, Message, ReadError, WriteError};
use super::noise::{Cipherstate, TAG_LEN};

/// The encrypted channel that a handshake establishes. Each frame is one encrypted and authenticated message.
///
/// A frame contains no nonce: both ends count frames. So a lost, repeated, reordered or changed frame fails
/// authentication, and the connection must be closed. The transport has to be reliable and ordered, as a WebSocket is.
pub struct Channel {
    sending: Cipherstate,
    receiving: Cipherstate,
    fingerprint: u64,
}

/// Why a message was not sent. The channel is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendError {
    /// The message cannot be encoded.
    Write(WriteError),
    /// The buffer is too short for the message and its tag; [`MAX_FRAME`] bytes are enough for any.
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

/// Why a frame was rejected. The connection must be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveError {
    /// No frame has this length.
    Length(usize),
    /// Authentication failed: the frame was changed, replayed, reordered, or sent by another party.
    Forged,
    /// The frame is authentic, but its message is invalid.
    Read(ReadError),
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => write!(f, "an encrypted frame has {TAG_LEN} to {MAX_FRAME} bytes, not {len}"),
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

    /// Hash of the handshake: equal at both ends of this channel, and different for every other channel.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Encodes and encrypts a message, and returns the length of the frame in the buffer. The frame must be sent, because
    /// the peer counts frames.
    pub fn send(&mut self, message: &Message<'_>, buffer: &mut [u8]) -> Result<usize, SendError> {
        let room = buffer.len().checked_sub(TAG_LEN).ok_or(SendError::Buffer)?;
        let text = buffer.get_mut(..room).unwrap_or_default();
        let len = message.write(text).map_err(|error| match error {
            WriteError::Buffer => SendError::Buffer,
            other => SendError::Write(other),
        })?;
        // Only an overflow of the 64-bit counter could fail.
        Ok(self.sending.encrypt_in_place(buffer, len))
    }

    /// Decrypts and decodes the next frame.
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
