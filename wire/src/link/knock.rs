use core::error::Error;
use core::fmt;

use super::VERSION;
use super::channel::Channel;
use super::greeting::{ANSWER_LEN, KNOCK_LEN, answer_frame, prologue};
use super::noise::{Handshake, NOISE_LEN};
use super::pairing::{BoardId, Ephemeral, PairingKey};

/// The first frame of a board, as its relay reads it: who it says it is. Nothing is proved yet.
#[derive(Clone, Debug)]
pub struct Knock {
    board: BoardId,
    noise: [u8; NOISE_LEN],
}

/// Why a first frame is not a board that knocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnockError {
    /// The board speaks this version, and this crate does not.
    Version(u8),
    /// A knock of this length is none.
    Length(usize),
}

impl fmt::Display for KnockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "the board speaks version {version} of the link, not {VERSION}"),
            Self::Length(len) => write!(f, "a knock has {KNOCK_LEN} bytes, not {len}"),
        }
    }
}

impl Error for KnockError {}

/// The board does not have the key that it is known by, or its knock was changed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKey;

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the board that knocks does not have the key of its name")
    }
}

impl Error for WrongKey {}

impl Knock {
    /// Reads the first frame of a connection. The version is looked at first: whatever else a frame of another version
    /// has is not for us to judge.
    pub fn read(frame: &[u8]) -> Result<Self, KnockError> {
        let length = KnockError::Length(frame.len());
        let (&version, rest) = frame.split_first().ok_or(length)?;
        if version != VERSION {
            return Err(KnockError::Version(version));
        }
        let (&board, noise) = rest.split_first_chunk().ok_or(length)?;
        let noise = noise.try_into().map_err(|_| length)?;
        Ok(Self { board: BoardId(board), noise })
    }

    /// Who it says it is; the key of this board is what [`Knock::answer`] needs.
    #[must_use]
    pub const fn board(&self) -> BoardId {
        self.board
    }

    /// Lets the board in. Returns the frame to send, and the channel.
    ///
    /// A frame that somebody recorded and sends again comes as far as this, and no further: the channel opens nothing
    /// that is not from the board, here and now. So a relay must not give up the connection it has before something
    /// came through the new one.
    pub fn answer(&self, key: &PairingKey, ephemeral: Ephemeral) -> Result<([u8; ANSWER_LEN], Channel), WrongKey> {
        let mut handshake = Handshake::new(false, &prologue(self.board), key, ephemeral);
        handshake.read(&self.noise).map_err(|_| WrongKey)?;
        let noise = handshake.write().map_err(|_| WrongKey)?;
        Ok((answer_frame(&noise), handshake.finish()))
    }
}
