use core::error::Error;
use core::fmt;

use super::{ANSWER_LEN, OPENING_LEN, VERSION};
use crate::link::{MAX_FRAME, Refusal};

/// Why a pairing request failed. The connection must be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// The first frame of the peer has the wrong length.
    Length(usize),
    /// The peer uses another version.
    Version(u8),
    /// The relay does not take the request.
    Refused(Refusal),
    /// A frame cannot be decrypted: it was changed in transit, or is not the next one.
    Forged,
    /// A decrypted frame is no message.
    Unreadable,
    /// A message at a time when the protocol does not allow it.
    Unexpected,
    /// The relay's nonce is not the one that it committed itself to.
    Commitment,
    /// The name or the software version is too long.
    TooLong,
    /// The buffer is too short for a frame.
    Buffer,
}

impl fmt::Display for PairingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(len) => {
                write!(
                    f,
                    "the first frame has {OPENING_LEN} bytes from a board and {ANSWER_LEN} from a relay, not {len}"
                )
            }
            Self::Version(version) => write!(f, "the peer uses version {version} of pairing, not {VERSION}"),
            Self::Refused(Refusal::Busy) => f.write_str("the relay takes no pairing requests now"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Forged => f.write_str("a frame was changed on the way, or is not the next one"),
            Self::Unreadable => f.write_str("a frame has no valid message"),
            Self::Unexpected => f.write_str("protocol error: unexpected message"),
            Self::Commitment => f.write_str("the relay's nonce does not match its commitment"),
            Self::TooLong => f.write_str("the name or the software version is too long"),
            Self::Buffer => write!(f, "a frame needs a buffer of {MAX_FRAME} bytes"),
        }
    }
}

impl Error for PairingError {}
