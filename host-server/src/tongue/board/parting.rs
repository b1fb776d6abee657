use std::fmt;

use board::session::Broken;
use wire::link::Goodbye;

use crate::relay::{CommandError, EnterError};
use crate::server::metrics::Drop;
use crate::store::StoreError;

/// Why a connection with a board ends.
#[derive(Debug)]
pub(super) enum Parting {
    /// It is of no more use.
    Broken(Broken),
    /// It is gone.
    Gone,
    /// The board hangs up.
    Left(Goodbye),
    /// The board does not take what is sent.
    Slow,
    /// The board says what is not in the protocol.
    Confused,
    /// The board is connected elsewhere.
    Replaced,
    /// The board is not paired any more.
    Unpaired,
    /// The relay stops.
    Stopping,
    /// The store does not do what it should. What the board said is not lost: it will say it again.
    Store(StoreError),
}

impl Parting {
    /// What to say to the board before the connection is closed, if there is something to say.
    pub(super) const fn goodbye(&self) -> Option<Goodbye> {
        match self {
            Self::Broken(_) | Self::Gone | Self::Left(_) | Self::Slow => None,
            Self::Confused => Some(Goodbye::Confused),
            Self::Replaced => Some(Goodbye::Replaced),
            Self::Unpaired => Some(Goodbye::Unpaired),
            Self::Stopping | Self::Store(_) => Some(Goodbye::Closing),
        }
    }

    /// As what it is counted, if it is the relay that has had enough.
    pub(super) const fn drop_reason(&self) -> Option<Drop> {
        match self {
            Self::Broken(Broken::Closed | Broken::Forgetful)
            | Self::Gone
            | Self::Left(_)
            | Self::Replaced
            | Self::Unpaired
            | Self::Stopping
            | Self::Store(_) => None,
            Self::Slow => Some(Drop::Slow),
            Self::Broken(Broken::Silent | Broken::Unheard) => Some(Drop::Dead),
            Self::Broken(_) | Self::Confused => Some(Drop::Protocol),
        }
    }

    /// Whether the record is still this agent's to write.
    pub(super) const fn leaves_record(&self) -> bool {
        !matches!(self, Self::Replaced | Self::Unpaired | Self::Store(_))
    }
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(broken) => broken.fmt(f),
            Self::Gone => f.write_str("the connection is gone"),
            Self::Left(reason) => write!(f, "the board hangs up: {reason:?}"),
            Self::Slow => f.write_str("the board does not take what is sent"),
            Self::Confused => f.write_str("the board says what is not in the protocol"),
            Self::Replaced => f.write_str("the board is connected elsewhere"),
            Self::Unpaired => f.write_str("the board is not paired any more"),
            Self::Stopping => f.write_str("the relay stops"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Parting {}

impl From<Broken> for Parting {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<StoreError> for Parting {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What keeps the agent from its room; a refusal does not.
impl From<CommandError> for Parting {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Store(error) => Self::Store(error),
            CommandError::Refused(_) | CommandError::Ended => Self::Stopping,
        }
    }
}

/// The same on the way in.
impl From<EnterError> for Parting {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::Store(error) => Self::Store(error),
            _ => Self::Stopping,
        }
    }
}
