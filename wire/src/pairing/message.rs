use core::fmt;

use serde::{Deserialize, Serialize};

use super::{Nonce, PairingError};
use crate::link::{MAX_NAME, MAX_SOFTWARE};

/// A message of the encrypted channel. postcard encodes a variant by its index: variants are only appended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message<'a> {
    /// Board to relay, first: asks to be paired.
    Request {
        /// The board's contribution to the squares.
        nonce: Nonce,
        /// The name that the board has; empty if none.
        name: &'a str,
        /// Name and version of the board's software.
        software: &'a str,
    },
    /// Relay to board: the nonce to which the relay has committed itself.
    Reveal {
        #[expect(missing_docs, reason = "see the variant")]
        nonce: Nonce,
    },
    /// Relay to board: the owner has accepted the request.
    Accepted {
        /// The new pairing key.
        key: [u8; 32],
        /// The name under which the board is paired.
        name: &'a str,
    },
    /// Relay to board: the owner has declined the request, or it has expired.
    Declined,
    /// Board to relay: the key has arrived.
    Received,
    /// Relay to board: keepalive request.
    Ping,
    /// Board to relay: keepalive answer.
    Pong,
}

impl<'a> Message<'a> {
    /// Encodes it, and returns its length in bytes.
    pub fn write(&self, buffer: &mut [u8]) -> Result<usize, PairingError> {
        self.check().ok_or(PairingError::TooLong)?;
        postcard::to_slice(self, buffer).map(|used| used.len()).map_err(|_| PairingError::Buffer)
    }

    /// Decodes a message that fills all bytes.
    pub fn read(bytes: &'a [u8]) -> Result<Self, PairingError> {
        match postcard::take_from_bytes::<Self>(bytes) {
            Ok((message, [])) if message.check().is_some() => Ok(message),
            _ => Err(PairingError::Unreadable),
        }
    }

    /// Whether the texts have a permitted length.
    fn check(&self) -> Option<()> {
        let (name, software) = match self {
            Self::Request { name, software, .. } => (*name, *software),
            Self::Accepted { name, .. } => (*name, ""),
            _ => ("", ""),
        };
        (name.len() <= MAX_NAME && software.len() <= MAX_SOFTWARE).then_some(())
    }
}

/// Hides the key and the nonces, so that they never appear in a log.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request { name, software, .. } => write!(f, "Request by {name:?}, {software:?}"),
            Self::Reveal { .. } => f.write_str("Reveal"),
            Self::Accepted { name, .. } => write!(f, "Accepted as {name:?}"),
            Self::Declined => f.write_str("Declined"),
            Self::Received => f.write_str("Received"),
            Self::Ping => f.write_str("Ping"),
            Self::Pong => f.write_str("Pong"),
        }
    }
}
