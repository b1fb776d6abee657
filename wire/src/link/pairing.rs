use core::fmt;

use sha2::{Digest, Sha256};
use zeroize::Zeroize;

/// The secret that a board and its relay share. Whoever has it can be either of them.
#[derive(Clone)]
pub struct PairingKey([u8; 32]);

impl PairingKey {
    /// These bytes, which must have come from a good source of randomness when the board was paired.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The name under which a relay finds this key. It gives nothing of the key away.
    #[must_use]
    pub fn board_id(&self) -> BoardId {
        let digest: [u8; 32] = Sha256::digest(self.0).into();
        // A digest is longer than a name, so its beginning is always there.
        BoardId(digest.first_chunk().copied().unwrap_or_default())
    }

    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Drop for PairingKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// A key is never in a log.
impl fmt::Debug for PairingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PairingKey of board {}", self.board_id())
    }
}

/// Which board calls: the first eight bytes of the SHA-256 of its pairing key. It is sent in the open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(pub [u8; 8]);

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Thirty-two bytes that have never been used before and that nobody can guess, for one handshake.
///
/// They are the caller's to bring, from the hardware on a board and from the system on a relay. It is handed over by
/// value and cannot be copied, since a key that is used twice gives up what was said under it.
pub struct Ephemeral([u8; 32]);

impl Ephemeral {
    /// These random bytes.
    #[must_use]
    pub const fn new(random: [u8; 32]) -> Self {
        Self(random)
    }

    pub(super) fn into_bytes(self) -> [u8; 32] {
        self.0
    }
}

impl Drop for Ephemeral {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Ephemeral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ephemeral")
    }
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    #[test]
    fn a_key_shows_only_its_name() {
        let key = PairingKey::new([7; 32]);
        let text = format!("{key:?} {:?}", Ephemeral::new([7; 32]));
        assert_eq!(text, format!("PairingKey of board {} Ephemeral", key.board_id()));
        assert!(!text.contains("7, 7") && !text.contains("0707"));
    }
}
