use chess::{Bitboard, Square};
use sha2::{Digest, Sha256};

use super::{COMMITMENT_LEN, HandshakeHash, Nonce};

/// How many squares are compared.
pub const SQUARES: usize = 8;

/// The relay's commitment to its nonce. It is in the second message of the handshake, and so part of its hash.
pub(super) fn commitment(nonce: &Nonce) -> [u8; COMMITMENT_LEN] {
    Sha256::new().chain_update(b"tabiya commitment").chain_update(nonce).finalize().into()
}

/// The squares to compare: eight different ones, each set equally likely.
///
/// The bytes of a hash are taken modulo 64, and squares that are already in the set are skipped. If 32 bytes are not enough, the hash
/// is hashed again.
pub(super) fn squares(hash: &HandshakeHash, relay: &Nonce, board: &Nonce) -> Bitboard {
    let mut digest: [u8; 32] = Sha256::new()
        .chain_update(b"tabiya squares")
        .chain_update(hash)
        .chain_update(relay)
        .chain_update(board)
        .finalize()
        .into();
    let mut squares = Bitboard::EMPTY;
    loop {
        for byte in digest {
            squares |= Bitboard::of(Square::from_index(byte & 63));
            if squares.count() as usize == SQUARES {
                return squares;
            }
        }
        digest = Sha256::digest(digest).into();
    }
}
