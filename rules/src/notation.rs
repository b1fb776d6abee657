use core::error::Error;
use core::fmt;

use chess::{San, SanError, Unexpected};

use crate::ply::Ply;

/// A ply as people write it: SAN in chess, the two squares under other rules.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each variant is named for its type")]
pub enum Notation {
    San(San),
    Ply(Ply),
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::San(san) => san.fmt(f),
            Self::Ply(ply) => ply.fmt(f),
        }
    }
}

/// Why a text is not a ply of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// It can be read, but the rules do not allow it.
    Illegal,
    /// It is no SAN, or ambiguous.
    San(SanError),
    /// It is not the text of a ply.
    Unexpected(Unexpected),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal => f.write_str("no legal move matches"),
            Self::San(error) => error.fmt(f),
            Self::Unexpected(error) => error.fmt(f),
        }
    }
}

impl Error for NotationError {}
