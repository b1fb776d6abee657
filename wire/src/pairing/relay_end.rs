use chess::Bitboard;

use super::sealed::Sealed;
use super::squares::{commitment, squares};
use super::{ANSWER_LEN, HandshakeHash, Message, Nonce, OPENING_LEN, PairingError, VERSION, handshake, hash_of};
use crate::link::Ephemeral;

/// The first frame of a board that asks to be paired.
#[derive(Clone, Debug)]
pub struct RelayOpening {
    key: [u8; 32],
}

impl RelayOpening {
    /// Reads the first frame of a connection.
    pub fn read(frame: &[u8]) -> Result<Self, PairingError> {
        match frame {
            [version, ..] if *version != VERSION => Err(PairingError::Version(*version)),
            [_, key @ ..] if frame.len() == OPENING_LEN => {
                Ok(Self { key: key.try_into().map_err(|_| PairingError::Length(frame.len()))? })
            }
            _ => Err(PairingError::Length(frame.len())),
        }
    }

    /// Answers the board, with a commitment to this nonce. Both must come from a cryptographic generator.
    pub fn answer(&self, ephemeral: Ephemeral, nonce: Nonce) -> Result<([u8; ANSWER_LEN], RelayChannel), PairingError> {
        let mut handshake = handshake(false, ephemeral);
        handshake.read_message(&self.key, &mut []).map_err(|_| PairingError::Forged)?;
        let mut frame = [0; ANSWER_LEN];
        let [version, accepted, noise @ ..] = &mut frame;
        (*version, *accepted) = (VERSION, 0);
        // This fails only if the board's public key is a point of low order, which makes the shared secret zero.
        handshake.write_message(&commitment(&nonce), noise).map_err(|_| PairingError::Forged)?;
        let (receiving, sending) = handshake.get_ciphers();
        Ok((frame, RelayChannel { sealed: Sealed { sending, receiving }, hash: hash_of(&handshake), nonce }))
    }
}

/// The relay's end of the encrypted channel.
pub struct RelayChannel {
    sealed: Sealed,
    hash: HandshakeHash,
    nonce: Nonce,
}

impl RelayChannel {
    /// Writes a frame into a buffer, and returns its length. It must be sent.
    pub fn send(&mut self, message: &Message<'_>, buffer: &mut [u8]) -> Result<usize, PairingError> {
        self.sealed.send(message, buffer)
    }

    /// Decrypts the next frame.
    pub fn receive<'a>(&mut self, frame: &'a mut [u8]) -> Result<Message<'a>, PairingError> {
        self.sealed.receive(frame)
    }

    /// The nonce to which the answer has committed. It is revealed after the board's nonce has arrived, and not before.
    #[must_use]
    pub const fn nonce(&self) -> Nonce {
        self.nonce
    }

    /// The squares to compare.
    #[must_use]
    pub fn squares(&self, board: &Nonce) -> Bitboard {
        squares(&self.hash, &self.nonce, board)
    }
}
