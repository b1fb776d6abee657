use chess::Square;

use crate::lights::Meaning;

/// The state of the connection to the relay, as the lights show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// The relay is connected; or the board has no key and does not ask for one.
    #[default]
    Quiet,
    /// The board has no network address, or no cable.
    NoAddress,
    /// The relay cannot be reached; or the board has no key and finds no relay to ask for one.
    NoRelay,
    /// The relay refuses the board's key.
    WrongKey,
}

impl LinkState {
    /// The square whose light shows it.
    pub const SQUARE: Square = Square::H8;

    /// The light of this state.
    #[must_use]
    pub const fn meaning(self) -> Option<Meaning> {
        match self {
            Self::Quiet => None,
            Self::NoAddress => Some(Meaning::NoAddress),
            Self::NoRelay => Some(Meaning::Offline),
            Self::WrongKey => Some(Meaning::WrongKey),
        }
    }
}

/// The state of the network below the link, as the caller reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkState {
    /// There is no cable.
    Unplugged,
    /// There is a cable, and no address.
    NoAddress,
    /// The network can be used.
    Up,
}
