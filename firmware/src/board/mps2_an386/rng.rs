//! Random numbers on a machine without a hardware generator: a SHA-256 chain, seeded by the host.

use defmt::warn;
use semihosting::experimental::random;
use semihosting::experimental::time::SystemTime;
use sha2::{Digest, Sha256};

use super::options;
use super::registers::FPGAIO_COUNTER;
use crate::hal::Rng;

/// A chain of hashes, seeded with the host's randomness by semihosting.
///
/// A host without it leaves only the time and the option `seed`, which can be guessed. Do not give an emulated board a key
/// that has to stay secret.
pub(crate) struct EmulatedRng {
    state: [u8; 32],
}

impl EmulatedRng {
    pub(super) fn new() -> Self {
        let mut hash = Sha256::new();
        let mut random = [0; 32];
        if random::fill_bytes(&mut random).is_err() {
            warn!("the host offers no randomness: keys and sessions of this board are not secret");
        }
        hash.update(random);
        hash.update(FPGAIO_COUNTER.read().to_le_bytes());
        if let Ok(time) = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            hash.update(time.as_nanos().to_le_bytes());
        }
        if let Some(seed) = options::value("seed") {
            hash.update(seed.as_bytes());
        }
        Self { state: hash.finalize().into() }
    }

    /// A one-way derivation from the state, different for each purpose.
    fn derive(&self, purpose: u8) -> [u8; 32] {
        Sha256::new().chain_update([purpose]).chain_update(self.state).finalize().into()
    }
}

impl Rng for EmulatedRng {
    fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(32) {
            part.copy_from_slice(&self.derive(0)[..part.len()]);
            self.state = self.derive(1);
        }
    }
}
