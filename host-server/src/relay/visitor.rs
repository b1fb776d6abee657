use crate::room::{Name, UserId, Wish};

/// Somebody who comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// By which everybody may know them.
    pub id: UserId,
    /// What they are called.
    pub name: Name,
}

impl Visitor {
    /// Somebody new with this name.
    #[must_use]
    pub fn new(name: Name) -> Self {
        Self { id: crate::dice::user_id(), name }
    }
}

/// What somebody who comes in wants to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A player, if there is a seat; otherwise a spectator.
    Play(Invitation),
    /// A player, or nothing.
    Sit(Invitation),
    /// The player again whose secret this is.
    Resume {
        /// The secret.
        token: String,
    },
    /// A spectator.
    Watch,
}

/// How somebody would like to sit down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Where.
    pub wish: Wish,
    /// The secret that will open the seat again.
    pub token: String,
}

impl Invitation {
    /// With a new secret.
    #[must_use]
    pub fn new(wish: Wish) -> Self {
        Self { wish, token: crate::dice::token() }
    }
}
