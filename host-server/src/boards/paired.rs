use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::link::{BoardId, PairingKey};

use super::invitation::Invitation;
use crate::hex::{self, Hex};
use crate::room::{Code, Name};

/// A board that is paired with the relay, as it is kept in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// What it is called, also at the table.
    pub name: Name,
    pub(crate) key: Key,
    /// What one says to play with whoever sits at it.
    pub code: Code,
    /// When it was paired, in seconds since 1970.
    pub added: u64,
    /// Where it was last asked to play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
}

impl Paired {
    /// By which it is known on the link.
    #[must_use]
    pub fn id(&self) -> BoardId {
        self.key.pairing().board_id()
    }

    /// What it shares with the relay.
    #[must_use]
    pub fn key(&self) -> PairingKey {
        self.key.pairing()
    }
}

/// A pairing key as it is kept: in clear. It is no password of which a hash would do, but the secret that both sides need
/// to make the keys of a connection; whoever can read the store can be any board, and the relay to any of them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// A key that was not there before.
    pub(super) fn new() -> Self {
        Self(crate::dice::bytes())
    }

    fn pairing(&self) -> PairingKey {
        PairingKey::new(self.0)
    }

    /// For a board that lives in the same process.
    pub(crate) const fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// To be shown to its owner, once.
    pub(crate) fn hex(&self) -> String {
        Hex(&self.0).to_string()
    }
}

/// A key is never in a log.
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
        let key = bytes.try_into().map_err(|_| serde::de::Error::custom("a pairing key has 32 bytes"))?;
        Ok(Self(key))
    }
}
