use core::error::Error;
use core::fmt;

use super::VERSION;
use super::channel::Channel;
use super::handshake::{ANSWER_LEN, FIRST_FRAME_LEN, answer_frame, prologue};
use super::noise::{Handshake, NOISE_LEN};
use super::pairing::{BoardId, Ephemeral, PairingKey};

/// The relay's side of the handshake: the board's first frame. The board is not authenticated yet.
#[derive(Clone, Debug)]
pub struct Responder {
    board: BoardId,
    noise: [u8; NOISE_LEN],
}

/// Why a first frame is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponderError {
    /// The board uses this version of the link, which is not supported.
    Version(u8),
    /// The frame has the wrong length.
    Length(usize),
}

impl fmt::Display for ResponderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "the board uses version {version} of the link, not {VERSION}"),
            Self::Length(len) => write!(f, "a first frame has {FIRST_FRAME_LEN} bytes, not {len}"),
        }
    }
}

impl Error for ResponderError {}

/// Authentication failed: the board has another key, or its first frame was changed in transit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKey;

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the board does not have the pairing key of its id")
    }
}

impl Error for WrongKey {}

impl Responder {
    /// Reads the first frame of a connection. The version is checked first, because the rest of the frame may differ in
    /// another version.
    pub fn read(frame: &[u8]) -> Result<Self, ResponderError> {
        let length = ResponderError::Length(frame.len());
        let (&version, rest) = frame.split_first().ok_or(length)?;
        if version != VERSION {
            return Err(ResponderError::Version(version));
        }
        let (&board, noise) = rest.split_first_chunk().ok_or(length)?;
        let noise = noise.try_into().map_err(|_| length)?;
        Ok(Self { board: BoardId(board), noise })
    }

    /// The claimed id of the board; [`Responder::answer`] needs the key of this board.
    #[must_use]
    pub const fn board(&self) -> BoardId {
        self.board
    }

    /// Accepts the board. Returns the frame to send, and the channel.
    ///
    /// A replayed first frame gets this far, but the attacker cannot send a valid frame over the channel. So a relay must
    /// keep the board's old connection until the first frame of the new one has been decrypted.
    pub fn answer(&self, key: &PairingKey, ephemeral: Ephemeral) -> Result<([u8; ANSWER_LEN], Channel), WrongKey> {
        let mut handshake = Handshake::new(false, &prologue(self.board), key, ephemeral);
        handshake.read(&self.noise).map_err(|_| WrongKey)?;
        let noise = handshake.write().map_err(|_| WrongKey)?;
        Ok((answer_frame(&noise), handshake.finish()))
    }
}
