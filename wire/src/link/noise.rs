//! The handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256`, put together from its parts.
//!
//! The order of things is done by `noise-protocol`. Of the crates that need neither `std` nor an allocator it is the
//! small one: it depends on nothing but arrays, takes the ephemeral key as an argument, so that randomness stays the
//! caller's, and leaves the primitives to us. `clatter`, the other one, wants a random generator that makes itself out
//! of nothing, and fixes an old generation of the primitives; on a Cortex-M it is also the bigger one, 26.0 KB against
//! 24.6. `noise-rust-crypto`, which belongs to `noise-protocol`, does not build without an operating system's randomness.

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit};
use noise_protocol::{Cipher, CipherState, DH, HandshakeState, Hash, U8Array, patterns};
use sha2::Digest;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::Zeroize;

use super::channel::Channel;
use super::greeting::{PROLOGUE_LEN, join};
use super::pairing::{Ephemeral, PairingKey};

/// What both messages of the handshake are: a public key and a tag, around nothing.
pub(super) const NOISE_LEN: usize = 32 + TAG_LEN;

/// What sealing adds to a message.
pub(super) const TAG_LEN: usize = 16;

pub(super) type Cipherstate = CipherState<ChaChaPoly>;

/// One side of a handshake. It is used up by its second message, whether that was good or not.
pub(super) struct Handshake(HandshakeState<X25519, ChaChaPoly, Sha256>);

/// The other side does not have the same key, or somebody changed what it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forged;

impl Handshake {
    /// The board begins, and its relay responds. What both know already is bound into the keys, so that nobody in
    /// between can change it.
    pub(super) fn new(begins: bool, known: &[u8; PROLOGUE_LEN], key: &PairingKey, ephemeral: Ephemeral) -> Self {
        let secret = Secret(ephemeral.into_bytes());
        let mut state = HandshakeState::new(patterns::noise_nn_psk0(), begins, known, None, Some(secret), None, None);
        state.push_psk(key.bytes());
        Self(state)
    }

    /// Writes this side's message.
    pub(super) fn write(&mut self) -> Result<[u8; NOISE_LEN], Forged> {
        let mut message = [0; NOISE_LEN];
        // It can only fail if the other side sent a point that makes every secret zero.
        self.0.write_message(&[], &mut message).map_err(|_| Forged)?;
        Ok(message)
    }

    /// Reads the other side's message.
    pub(super) fn read(&mut self, message: &[u8; NOISE_LEN]) -> Result<(), Forged> {
        self.0.read_message(message, &mut []).map_err(|_| Forged)
    }

    /// The keys, once both messages are through.
    pub(super) fn finish(self) -> Channel {
        let (from_beginner, to_beginner) = self.0.get_ciphers();
        let fingerprint = u64::from_le_bytes(self.0.get_hash().first_chunk().copied().unwrap_or_default());
        if self.0.get_is_initiator() {
            Channel::new(from_beginner, to_beginner, fingerprint)
        } else {
            Channel::new(to_beginner, from_beginner, fingerprint)
        }
    }
}

/// Key material. It is wiped when it is no longer used.
pub(super) struct Secret([u8; 32]);

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl U8Array for Secret {
    fn new() -> Self {
        Self([0; 32])
    }

    fn new_with(byte: u8) -> Self {
        Self([byte; 32])
    }

    /// Only ever called with 32 bytes.
    fn from_slice(bytes: &[u8]) -> Self {
        let mut secret = Self([0; 32]);
        for (slot, byte) in secret.0.iter_mut().zip(bytes) {
            *slot = *byte;
        }
        secret
    }

    fn len() -> usize {
        32
    }

    fn as_slice(&self) -> &[u8] {
        &self.0
    }

    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

pub(super) enum X25519 {}

/// Both operations go up the same ladder. The quicker way to a public key would bring its own arithmetic and tables.
impl DH for X25519 {
    type Key = Secret;
    type Pubkey = [u8; 32];
    type Output = Secret;

    fn name() -> &'static str {
        "25519"
    }

    /// Never called, because every handshake is given its ephemeral key.
    fn genkey() -> Secret {
        Secret::new()
    }

    fn pubkey(secret: &Secret) -> [u8; 32] {
        x25519(secret.0, X25519_BASEPOINT_BYTES)
    }

    fn dh(secret: &Secret, public: &[u8; 32]) -> Result<Secret, ()> {
        let shared = Secret(x25519(secret.0, *public));
        if shared.0 == [0; 32] { Err(()) } else { Ok(shared) }
    }
}

pub(super) enum ChaChaPoly {}

impl ChaChaPoly {
    /// The cipher of this key, and the twelve bytes that Noise makes of a counter.
    fn keyed(key: &Secret, nonce: u64) -> (ChaCha20Poly1305, [u8; 12]) {
        (ChaCha20Poly1305::new(&key.0.into()), join(&[0; 4], &nonce.to_le_bytes()))
    }
}

/// Where the trait leaves no way to report a buffer that is too short, nothing is sealed, and what comes out is refused
/// by whoever opens it. No caller has such a buffer.
impl Cipher for ChaChaPoly {
    type Key = Secret;

    fn name() -> &'static str {
        "ChaChaPoly"
    }

    fn encrypt(key: &Secret, nonce: u64, ad: &[u8], plaintext: &[u8], out: &mut [u8]) {
        if let Some(target) = out.get_mut(..plaintext.len()) {
            target.copy_from_slice(plaintext);
        }
        Self::encrypt_in_place(key, nonce, ad, out, plaintext.len());
    }

    fn encrypt_in_place(key: &Secret, nonce: u64, ad: &[u8], in_out: &mut [u8], len: usize) -> usize {
        let (cipher, nonce) = Self::keyed(key, nonce);
        if let Some((text, rest)) = in_out.split_at_mut_checked(len)
            && let Some((tag, _)) = rest.split_first_chunk_mut::<TAG_LEN>()
            && let Ok(computed) = cipher.encrypt_inout_detached(&nonce.into(), ad, text.into())
        {
            *tag = computed.into();
        }
        len.saturating_add(TAG_LEN)
    }

    fn decrypt(key: &Secret, nonce: u64, ad: &[u8], ciphertext: &[u8], out: &mut [u8]) -> Result<(), ()> {
        let (text, tag) = ciphertext.split_last_chunk::<TAG_LEN>().ok_or(())?;
        if text.len() != out.len() {
            return Err(());
        }
        out.copy_from_slice(text);
        let (cipher, nonce) = Self::keyed(key, nonce);
        cipher.decrypt_inout_detached(&nonce.into(), ad, out.into(), &(*tag).into()).map_err(|_| ())
    }

    fn decrypt_in_place(key: &Secret, nonce: u64, ad: &[u8], in_out: &mut [u8], len: usize) -> Result<usize, ()> {
        let sealed = in_out.get_mut(..len).ok_or(())?;
        let (text, tag) = sealed.split_last_chunk_mut::<TAG_LEN>().ok_or(())?;
        let (cipher, nonce) = Self::keyed(key, nonce);
        let len = text.len();
        cipher.decrypt_inout_detached(&nonce.into(), ad, text.into(), &(*tag).into()).map_err(|_| ())?;
        Ok(len)
    }
}

#[derive(Default)]
pub(super) struct Sha256(sha2::Sha256);

impl Hash for Sha256 {
    type Block = [u8; 64];
    type Output = Secret;

    fn name() -> &'static str {
        "SHA256"
    }

    fn input(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn result(&mut self) -> Secret {
        Secret(self.0.finalize_reset().into())
    }
}
