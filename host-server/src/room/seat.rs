use chess::Color;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::command::Origin;
use super::name::{Name, RelayId, UserId};
use super::time::Time;
use crate::hex;

pub(super) const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// By which everybody may know them.
    pub id: UserId,
    /// What they are called.
    pub name: Name,
    /// What opens the seat: the hash of a secret that only the player has.
    pub token: TokenHash,
}

/// The hash of the secret that opens a seat. The secret itself is never kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Of this secret.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Whether this is the secret, found out in the same time whatever it is.
    #[must_use]
    pub fn opens_with(&self, token: &str) -> bool {
        self.0.ct_eq(&Self::of(token).0).into()
    }
}

/// A hash is no secret, but nobody needs to read it either.
impl std::fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

impl Serialize for TokenHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&hex::Hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let bytes = hex::parse(&text).map_err(serde::de::Error::custom)?;
        let hash = bytes.try_into().map_err(|_| serde::de::Error::custom("a hash has 32 bytes"))?;
        Ok(Self(hash))
    }
}

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// By whom.
    pub player: Player,
    /// Whether they are there.
    pub presence: Presence,
    /// The last thing that this player's board has said, if it is a board: it may say it again, and must not be heard
    /// twice.
    pub heard: Option<Origin>,
}

/// Whether a player is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Through these relays; there is at least one.
    Here(Vec<RelayId>),
    /// Since then not.
    Away(Time),
}

impl Seated {
    /// Whether the player is there.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        matches!(self.presence, Presence::Here(_))
    }

    /// Whether the player is there through this relay.
    #[must_use]
    pub fn is_here_through(&self, relay: RelayId) -> bool {
        matches!(&self.presence, Presence::Here(relays) if relays.contains(&relay))
    }

    pub(super) fn came(&mut self, relay: RelayId) {
        match &mut self.presence {
            Presence::Here(relays) if relays.contains(&relay) => {}
            Presence::Here(relays) => relays.push(relay),
            Presence::Away(_) => self.presence = Presence::Here(vec![relay]),
        }
    }

    pub(super) fn went(&mut self, relay: RelayId, at: Time) {
        if let Presence::Here(relays) = &mut self.presence {
            relays.retain(|&other| other != relay);
            if relays.is_empty() {
                self.presence = Presence::Away(at);
            }
        }
    }
}
