use chess::Color;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::command::EventId;
use super::name::{Name, RelayId, UserId};
use super::time::Time;
use crate::hex;

pub(super) const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// What the client of a player can do after its connection has broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ability {
    /// Only what the document of its protocol says: there, a player who is disconnected has left.
    #[default]
    Documented,
    /// It comes back to its seat, but cannot claim the win against an absent opponent: a wooden board, or a client that polls.
    Returns,
    /// It comes back, and can claim the win.
    Claims,
}

/// A player, as stored in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PlayerRepr", into = "PlayerRepr")]
pub struct Player {
    /// The public id. It does not authenticate the player.
    pub id: UserId,
    /// The display name.
    pub name: Name,
    /// Hash of the secret token that authenticates the player.
    pub token: TokenHash,
    /// What the player's client can do after its connection has broken.
    pub ability: Ability,
}

/// A player in the log. A relay of an older release ignores `can_return`, and treats the client as a documented one.
#[derive(Serialize, Deserialize)]
struct PlayerRepr {
    id: UserId,
    name: Name,
    token: TokenHash,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    can_claim: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    can_return: bool,
}

impl From<Player> for PlayerRepr {
    fn from(Player { id, name, token, ability }: Player) -> Self {
        Self { id, name, token, can_claim: ability == Ability::Claims, can_return: ability == Ability::Returns }
    }
}

impl From<PlayerRepr> for Player {
    fn from(PlayerRepr { id, name, token, can_claim, can_return }: PlayerRepr) -> Self {
        let ability = match (can_claim, can_return) {
            (true, _) => Ability::Claims,
            (false, true) => Ability::Returns,
            (false, false) => Ability::Documented,
        };
        Self { id, name, token, ability }
    }
}

/// SHA-256 of the token that authenticates a player. The token itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash that no known token has: only the relays act for a computer.
    pub(super) const OF_COMPUTER: Self = Self([0; 32]);

    /// The same for a player at a board whose game a room follows.
    pub(super) const AT_BOARD: Self = Self([1; 32]);

    /// Hashes a token.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Whether the token has this hash, compared in constant time.
    #[must_use]
    pub fn opens_with(&self, token: &str) -> bool {
        self.0.ct_eq(&Self::of(token).0).into()
    }
}

/// Hides the hash, which would only make debug output longer.
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
        let hash = bytes.try_into().map_err(|_| serde::de::Error::custom("a token hash must have 32 bytes"))?;
        Ok(Self(hash))
    }
}

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// Who has the seat.
    pub player: Player,
    /// Whether the player is connected.
    pub presence: Presence,
    /// The last event of the player's board that is in the log. Repeated deliveries of it are ignored.
    pub last_event: Option<EventId>,
}

/// Whether a player is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Connected through these relays; there is at least one. A player without a connection is always here, through none.
    Here(Vec<RelayId>),
    /// Disconnected since then.
    Away(Time),
}

impl Player {
    /// Whether the player is the computer.
    #[must_use]
    pub fn is_computer(&self) -> bool {
        self.token == TokenHash::OF_COMPUTER
    }

    /// Whether the player has no connection: the computer, and people at a board whose game the room follows.
    #[must_use]
    pub fn is_unconnected(&self) -> bool {
        self.is_computer() || self.token == TokenHash::AT_BOARD
    }
}

impl Seated {
    /// Whether the player is connected.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        matches!(self.presence, Presence::Here(_))
    }

    /// Whether a person, or a person's board, is connected.
    #[must_use]
    pub fn is_person_here(&self) -> bool {
        self.is_here() && !self.player.is_unconnected()
    }

    /// Whether the player is connected through this relay.
    #[must_use]
    pub fn is_here_through(&self, relay: RelayId) -> bool {
        matches!(&self.presence, Presence::Here(relays) if relays.contains(&relay))
    }

    pub(super) fn connected(&mut self, relay: RelayId) {
        match &mut self.presence {
            Presence::Here(relays) if relays.contains(&relay) => {}
            Presence::Here(relays) => relays.push(relay),
            Presence::Away(_) => self.presence = Presence::Here(vec![relay]),
        }
    }

    pub(super) fn disconnected(&mut self, relay: RelayId, at: Time) {
        if let Presence::Here(relays) = &mut self.presence {
            relays.retain(|&other| other != relay);
            if relays.is_empty() {
                self.presence = Presence::Away(at);
            }
        }
    }
}
