use chess::Bitboard;

use super::sealed::Sealed;
use super::squares::{commitment, squares};
use super::{
    COMMITMENT_LEN, Handshake, HandshakeHash, Message, Nonce, OPENING_LEN, PairingError, VERSION, handshake, hash_of,
};
use crate::link::{Ephemeral, Refusal};

/// The board's side of the handshake, after its first frame.
pub struct BoardOpening {
    handshake: Handshake,
}

impl BoardOpening {
    /// Starts a handshake, and returns the frame to send first on the connection.
    #[must_use]
    pub fn new(ephemeral: Ephemeral) -> (Self, [u8; OPENING_LEN]) {
        let mut handshake = handshake(true, ephemeral);
        let mut frame = [0; OPENING_LEN];
        let [version, key @ ..] = &mut frame;
        *version = VERSION;
        // The first message is a public key, which always fits and cannot fail. A relay would refuse zeros.
        let _ = handshake.write_message(&[], key);
        (Self { handshake }, frame)
    }

    /// Reads the relay's answer. The relay is not authenticated by it.
    pub fn answered(mut self, frame: &[u8]) -> Result<BoardChannel, PairingError> {
        let noise = match *frame {
            [version, 0, ..] if version != VERSION => return Err(PairingError::Version(version)),
            [_, 0, ref noise @ ..] => noise,
            [_, code, lowest, highest] => return Err(PairingError::Refused(Refusal::of_code(code, lowest, highest))),
            _ => return Err(PairingError::Length(frame.len())),
        };
        if frame.len() != super::ANSWER_LEN {
            return Err(PairingError::Length(frame.len()));
        }
        let mut commitment = [0; COMMITMENT_LEN];
        self.handshake.read_message(noise, &mut commitment).map_err(|_| PairingError::Forged)?;
        let (sending, receiving) = self.handshake.get_ciphers();
        let hash = hash_of(&self.handshake);
        Ok(BoardChannel { sealed: Sealed { sending, receiving }, hash, commitment })
    }
}

/// The board's end of the encrypted channel.
pub struct BoardChannel {
    sealed: Sealed,
    hash: HandshakeHash,
    commitment: [u8; COMMITMENT_LEN],
}

impl BoardChannel {
    /// Writes a frame into a buffer, and returns its length. It must be sent.
    pub fn send(&mut self, message: &Message<'_>, buffer: &mut [u8]) -> Result<usize, PairingError> {
        self.sealed.send(message, buffer)
    }

    /// Decrypts the next frame.
    pub fn receive<'a>(&mut self, frame: &'a mut [u8]) -> Result<Message<'a>, PairingError> {
        self.sealed.receive(frame)
    }

    /// The squares to compare, if the relay's nonce is the one that it committed itself to before it knew the board's.
    pub fn squares(&self, relay: &Nonce, board: &Nonce) -> Result<Bitboard, PairingError> {
        // Both are public by now, so the comparison need not take constant time.
        if commitment(relay) != self.commitment {
            return Err(PairingError::Commitment);
        }
        Ok(squares(&self.hash, relay, board))
    }
}
