use core::fmt;

use sha2::{Digest, Sha256};
use zeroize::Zeroize;

/// The secret that a board and its relay share. It authenticates both: a copy is enough to impersonate either.
#[derive(Clone)]
pub struct PairingKey([u8; 32]);

impl PairingKey {
    /// The bytes must come from a cryptographic random number generator.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The public id of the board, derived from the key by a one-way hash.
    #[must_use]
    pub fn board_id(&self) -> BoardId {
        let digest: [u8; 32] = Sha256::digest(self.0).into();
        // A digest is longer than an id, so the fallback is unreachable.
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

/// Prints the board's id, so that the key never appears in a log.
impl fmt::Debug for PairingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PairingKey of board {}", self.board_id())
    }
}

/// Public id of a board: the first eight bytes of the SHA-256 of its pairing key. It is sent unencrypted.
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

/// Secret key of one handshake: 32 random bytes from the hardware generator of a board or from the relay's operating
/// system.
///
/// It is passed by value and cannot be copied, because reusing it would reveal earlier sessions.
pub struct Ephemeral([u8; 32]);

impl Ephemeral {
    /// The bytes must be random and unused.
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
    fn the_debug_output_of_a_key_is_the_board_id() {
        let key = PairingKey::new([7; 32]);
        let text = format!("{key:?} {:?}", Ephemeral::new([7; 32]));
        assert_eq!(text, format!("PairingKey of board {} Ephemeral", key.board_id()));
        assert!(!text.contains("7, 7") && !text.contains("0707"));
    }
}
