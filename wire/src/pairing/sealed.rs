use super::{Message, PairingError};
use crate::link::MAX_FRAME;
use crate::link::noise::{Cipherstate, TAG_LEN};

/// Encrypts and decrypts the messages of one connection, each in one frame.
pub(super) struct Sealed {
    pub(super) sending: Cipherstate,
    pub(super) receiving: Cipherstate,
}

impl Sealed {
    /// Writes an encrypted message into a buffer, and returns its length. It must be sent, because the peer counts frames.
    pub(super) fn send(&mut self, message: &Message<'_>, buffer: &mut [u8]) -> Result<usize, PairingError> {
        let room = buffer.len().checked_sub(TAG_LEN).ok_or(PairingError::Buffer)?;
        let len = message.write(buffer.get_mut(..room).unwrap_or_default())?;
        Ok(self.sending.encrypt_in_place(buffer, len))
    }

    /// Decrypts the next frame in its place.
    pub(super) fn receive<'a>(&mut self, frame: &'a mut [u8]) -> Result<Message<'a>, PairingError> {
        let len = frame.len();
        if !(TAG_LEN..=MAX_FRAME).contains(&len) {
            return Err(PairingError::Forged);
        }
        let opened = self.receiving.decrypt_in_place(frame, len).map_err(|()| PairingError::Forged)?;
        Message::read(frame.get(..opened).unwrap_or_default())
    }
}
