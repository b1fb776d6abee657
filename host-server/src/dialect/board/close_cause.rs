use std::fmt;

use board::session::LinkError;
use wire::link::Goodbye;

use crate::dialect::connection::End;
use crate::metrics::DropReason;
use crate::relay::{ActError, EnterError};
use crate::store::StoreError;

/// Why a connection with a board ends.
#[derive(Debug)]
pub(super) enum CloseCause {
    /// The link protocol failed.
    LinkError(LinkError),
    /// The connection was lost.
    ConnectionLost,
    /// The board closed the session.
    Left(Goodbye),
    /// Sending timed out.
    Slow,
    /// The board violated the protocol.
    ProtocolViolation,
    /// The board is connected to another relay.
    Replaced,
    /// The board was removed from the registry.
    Unpaired,
    /// The relay stops.
    Stopping,
    /// The store failed. The board will repeat what was not stored.
    Store(StoreError),
}

impl CloseCause {
    /// The last message to the board, if it can still receive one.
    pub(super) const fn goodbye(&self) -> Option<Goodbye> {
        match self {
            Self::LinkError(_) | Self::ConnectionLost | Self::Left(_) | Self::Slow => None,
            Self::ProtocolViolation => Some(Goodbye::Confused),
            Self::Replaced => Some(Goodbye::Replaced),
            Self::Unpaired => Some(Goodbye::Unpaired),
            Self::Stopping | Self::Store(_) => Some(Goodbye::Closing),
        }
    }

    /// The label in the metrics, if the relay drops the connection.
    pub(super) const fn drop_reason(&self) -> Option<DropReason> {
        match self {
            Self::LinkError(LinkError::Closed | LinkError::StateLost)
            | Self::ConnectionLost
            | Self::Left(_)
            | Self::Replaced
            | Self::Unpaired
            | Self::Stopping
            | Self::Store(_) => None,
            Self::Slow => Some(DropReason::Slow),
            Self::LinkError(LinkError::KeepaliveTimeout | LinkError::AckTimeout) => Some(DropReason::Dead),
            Self::LinkError(_) | Self::ProtocolViolation => Some(DropReason::Protocol),
        }
    }

    /// Whether this relay may still write the record.
    pub(super) const fn leaves_record(&self) -> bool {
        !matches!(self, Self::Replaced | Self::Unpaired | Self::Store(_))
    }
}

impl fmt::Display for CloseCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LinkError(broken) => broken.fmt(f),
            Self::ConnectionLost => f.write_str("connection lost"),
            Self::Left(reason) => write!(f, "closed by the board: {reason:?}"),
            Self::Slow => f.write_str("sending timed out"),
            Self::ProtocolViolation => f.write_str("protocol violation"),
            Self::Replaced => f.write_str("the board is connected to another relay"),
            Self::Unpaired => f.write_str("the board was removed"),
            Self::Stopping => f.write_str("the relay is shutting down"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CloseCause {}

impl From<End> for CloseCause {
    fn from(end: End) -> Self {
        match end {
            End::Slow => Self::Slow,
            End::Restart => Self::Stopping,
            End::Done
            | End::Closed
            | End::Disconnected
            | End::TimedOut
            | End::Rate
            | End::Protocol(_)
            | End::Lagged
            | End::TooLarge => Self::ConnectionLost,
        }
    }
}

impl From<LinkError> for CloseCause {
    fn from(broken: LinkError) -> Self {
        Self::LinkError(broken)
    }
}

impl From<StoreError> for CloseCause {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Errors that end the session. An act that was refused, or on which a script did not rule, does not get here.
impl From<ActError> for CloseCause {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Store(error) => Self::Store(error),
            ActError::Refused(_) | ActError::Script(_) | ActError::Ended => Self::Stopping,
        }
    }
}

/// Errors on entering a room that end the session.
impl From<EnterError> for CloseCause {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::Store(error) => Self::Store(error),
            _ => Self::Stopping,
        }
    }
}
