use serde::{Deserialize, Serialize};

/// The first message of both sides, the board's first: what each of them has, so that the other can give what is
/// missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello<'a> {
    /// What the sender says is numbered within this stream. A sender that has lost its memory begins another one.
    pub stream: u64,
    /// What the sender has heard.
    pub seen: Seen,
    /// What the sender can do beyond this version. Bits that have no meaning yet are 0, and ignored.
    pub features: u32,
    /// The name and the version of the sender's software, for people to read; and why it went down the last time, if it did.
    pub software: &'a str,
}

/// How long what is said of the software can be, in bytes.
pub const MAX_SOFTWARE: usize = 224;

/// How far somebody has listened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// To which stream; 0 is none.
    pub stream: u64,
    /// Up to which number. It is kept for good: whoever says this will not have to be told again.
    pub last: u32,
}

/// Why a side hangs up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goodbye {
    /// The board has called again, and this connection is the old one.
    Replaced,
    /// The speaker has to stop for a while.
    Closing,
    /// The other side said something that makes no sense.
    Confused,
    /// The pairing is no longer wanted.
    Unpaired,
    /// A reason that this version has no name for.
    Other(u8),
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
