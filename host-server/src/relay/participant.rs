//! How a participant enters a room.

use crate::room::{Ability, Name, Participant, SideChoice};

impl Participant {
    /// A participant with a new random id.
    #[must_use]
    pub fn new(name: Name) -> Self {
        Self { id: crate::random::user_id(), name }
    }
}

/// What a participant who enters a room claims to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A player if a seat is free, otherwise a spectator.
    Play(SeatRequest),
    /// A player. Entering fails if no suitable seat is free.
    Sit(SeatRequest),
    /// The player who has this token.
    Resume {
        /// The token of the seat.
        token: String,
    },
    /// A spectator.
    Watch,
}

/// A request for a free seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRequest {
    /// The preferred side.
    pub side: SideChoice,
    /// The secret token that will authenticate the player.
    pub token: String,
    /// What the player's client can do after its connection has broken.
    pub ability: Ability,
}

impl SeatRequest {
    /// A request with a new random token.
    #[must_use]
    pub fn new(side: SideChoice) -> Self {
        Self { side, token: crate::random::token(), ability: Ability::Documented }
    }

    /// A request of a client that can claim the win against an absent opponent.
    #[must_use]
    pub fn claiming(side: SideChoice) -> Self {
        Self { ability: Ability::Claims, ..Self::new(side) }
    }
}
