use core::fmt;

use serde::{Deserialize, Serialize};

/// The first message of both ends, sent by the board first: how far each end has received the other's stream, so that
/// both can resend what is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello<'a> {
    /// The stream in which the sender numbers its events. A sender that has lost its memory starts another one.
    pub stream: u64,
    /// The last event that the sender has received.
    pub seen: Seen,
    /// Optional capabilities of the sender, one bit each. Undefined bits are 0 and ignored.
    pub features: u32,
    /// Name and version of the sender's software for its operator, and the cause of its last reset, if any.
    pub software: &'a str,
}

/// The bit of [`Hello::features`] with which both ends say that they know [`Event::Corrected`](super::Event::Corrected).
pub const CORRECTIONS: u32 = 1 << 16;

/// Longest [`Hello::software`] in bytes.
pub const MAX_SOFTWARE: usize = 224;

/// A position in the peer's stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The peer's stream; 0 for none.
    pub stream: u64,
    /// The last number received and persisted in it. Events up to here are never resent.
    pub last: u32,
}

/// Why an end closes the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goodbye {
    /// The board has opened a newer connection.
    Replaced,
    /// The sender shuts down.
    Closing,
    /// The peer sent an invalid message.
    Confused,
    /// The pairing was removed.
    Unpaired,
    /// A reason that this version does not know.
    Other(u8),
}

/// The reason, for logs.
impl fmt::Display for Goodbye {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Replaced => "the board has a newer connection",
            Self::Closing => "the other side shuts down",
            Self::Confused => "the other side has received an invalid message",
            Self::Unpaired => "the pairing was removed",
            Self::Other(code) => return write!(f, "reason {code}"),
        })
    }
}

impl Goodbye {
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Replaced => 0,
            Self::Closing => 1,
            Self::Confused => 2,
            Self::Unpaired => 3,
            Self::Other(code) => code,
        }
    }

    pub(super) const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Replaced,
            1 => Self::Closing,
            2 => Self::Confused,
            3 => Self::Unpaired,
            _ => Self::Other(code),
        }
    }
}
