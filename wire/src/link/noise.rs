//! The handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256`: the state machine of `noise-protocol` with the primitives of
//! `RustCrypto` and dalek. ARCHITECTURE.md compares the alternatives.

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit};
use noise_protocol::{Cipher, CipherState, DH, HandshakeState, Hash, U8Array, patterns};
use sha2::Digest;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::Zeroize;

use super::channel::Channel;
use super::handshake::{PROLOGUE_LEN, join};
use super::pairing::{Ephemeral, PairingKey};

/// Length of each handshake message: a public key, and the tag of an empty payload.
pub(super) const NOISE_LEN: usize = 32 + TAG_LEN;

/// Length of the authentication tag of a frame.
pub(crate) const TAG_LEN: usize = 16;

pub(crate) type Cipherstate = CipherState<ChaChaPoly>;

/// One end of a handshake. It must not be used after an error.
pub(super) struct Handshake(HandshakeState<X25519, ChaChaPoly, Sha256>);

/// Authentication failed: the peer has another key, or its message was changed in transit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forged;

impl Handshake {
    /// The board is the initiator, its relay the responder. The prologue is bound into the keys, so a change of it in
    /// transit makes the handshake fail.
    pub(super) fn new(initiator: bool, prologue: &[u8; PROLOGUE_LEN], key: &PairingKey, ephemeral: Ephemeral) -> Self {
        let secret = Secret::from(ephemeral);
        let mut state =
            HandshakeState::new(patterns::noise_nn_psk0(), initiator, prologue, None, Some(secret), None, None);
        state.push_psk(key.bytes());
        Self(state)
    }

    /// Writes this side's message.
    pub(super) fn write(&mut self) -> Result<[u8; NOISE_LEN], Forged> {
        let mut message = [0; NOISE_LEN];
        // This fails only if the peer's public key is a point of low order, which makes the shared secret zero.
        self.0.write_message(&[], &mut message).map_err(|_| Forged)?;
        Ok(message)
    }

    /// Reads the other side's message.
    pub(super) fn read(&mut self, message: &[u8; NOISE_LEN]) -> Result<(), Forged> {
        self.0.read_message(message, &mut []).map_err(|_| Forged)
    }

    /// The channel, after both messages.
    pub(super) fn finish(self) -> Channel {
        let (from_initiator, to_initiator) = self.0.get_ciphers();
        let fingerprint = u64::from_le_bytes(self.0.get_hash().first_chunk().copied().unwrap_or_default());
        if self.0.get_is_initiator() {
            Channel::new(from_initiator, to_initiator, fingerprint)
        } else {
            Channel::new(to_initiator, from_initiator, fingerprint)
        }
    }
}

/// Key material, zeroed on drop.
pub(crate) struct Secret([u8; 32]);

impl From<Ephemeral> for Secret {
    fn from(ephemeral: Ephemeral) -> Self {
        Self(ephemeral.into_bytes())
    }
}

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

    /// `noise-protocol` calls it with 32 bytes only.
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

pub(crate) enum X25519 {}

/// Both operations use the Montgomery ladder. The faster derivation of a public key needs tables of its own in flash.
impl DH for X25519 {
    type Key = Secret;
    type Pubkey = [u8; 32];
    type Output = Secret;

    fn name() -> &'static str {
        "25519"
    }

    /// Unused: every handshake gets its ephemeral key from the caller.
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

pub(crate) enum ChaChaPoly {}

impl ChaChaPoly {
    /// The cipher with this key, and the counter as the 12-byte nonce that Noise defines.
    fn keyed(key: &Secret, nonce: u64) -> (ChaCha20Poly1305, [u8; 12]) {
        (ChaCha20Poly1305::new(&key.0.into()), join(&[0; 4], &nonce.to_le_bytes()))
    }
}

/// The trait cannot report a buffer that is too short: then nothing is encrypted, and the receiver rejects the frame. No
/// caller passes such a buffer.
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
pub(crate) struct Sha256(sha2::Sha256);

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
