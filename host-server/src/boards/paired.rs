use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::link::{BoardId, PairingKey};

use super::invitation::Invitation;
use crate::hex::{self, Hex};
use crate::room::{Code, Name};

/// A paired board, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// The name of the board, also shown to opponents.
    pub name: Name,
    pub(crate) key: Key,
    /// The key that replaces `key` as soon as the board has used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next_key: Option<Key>,
    /// The permanent code of the board's room.
    pub code: Code,
    /// When it was paired, in seconds since 1970.
    pub added: u64,
    /// The last invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
    /// Who may challenge the board.
    #[serde(default, skip_serializing_if = "ChallengePolicy::is_default")]
    pub challenges: ChallengePolicy,
    /// The id of the key that is still valid, if this is the board as it uses its next key.
    #[serde(skip)]
    pub(crate) replaces: Option<BoardId>,
}

/// Who may challenge a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ChallengePolicy {
    /// All players: the board is in the lobby.
    #[default]
    Everyone,
    /// Players who know the link of the board.
    Link,
    /// No players. The owner of the relay can still seat the board in a game.
    Off,
}

impl ChallengePolicy {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Paired {
    /// The id of the board on the link.
    #[must_use]
    pub fn id(&self) -> BoardId {
        self.key.pairing().board_id()
    }

    /// The ids of all valid keys.
    pub(crate) fn ids(&self) -> impl Iterator<Item = BoardId> {
        [Some(&self.key), self.next_key.as_ref()].into_iter().flatten().map(|key| key.pairing().board_id())
    }

    /// The board as it uses the key with this id. `None` if the key is not valid.
    pub(crate) fn under(self, id: BoardId) -> Option<Self> {
        let current = self.id();
        if current == id {
            return Some(self);
        }
        let key = self.next_key.clone().filter(|key| key.pairing().board_id() == id)?;
        Some(Self { key, next_key: None, replaces: Some(current), ..self })
    }

    /// The bytes of the key, for a board that gets it over the network.
    pub(crate) const fn key_bytes(&self) -> [u8; 32] {
        self.key.bytes()
    }

    /// The pairing key, shared with the relay.
    #[must_use]
    pub fn key(&self) -> PairingKey {
        self.key.pairing()
    }
}

/// A pairing key, stored in clear text: both ends need the key itself to derive the keys of a connection. A reader of the store
/// can impersonate any board and the relay.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// A new random key.
    pub(super) fn new() -> Self {
        Self(crate::random::bytes())
    }

    fn pairing(&self) -> PairingKey {
        PairingKey::new(self.0)
    }

    /// The raw key, for a board in the same process.
    pub(crate) const fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The key as shown to its owner, once.
    pub(crate) fn hex(&self) -> String {
        Hex(&self.0).to_string()
    }
}

/// Hides the key, so that it is never logged.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let bytes = hex::parse(&text).map_err(serde::de::Error::custom)?;
        let key = bytes.try_into().map_err(|_| serde::de::Error::custom("a pairing key must have 32 bytes"))?;
        Ok(Self(key))
    }
}
