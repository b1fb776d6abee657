//! Random numbers, where there is no hardware for them.

use defmt::warn;
use semihosting::experimental::random;
use semihosting::experimental::time::SystemTime;
use sha2::{Digest, Sha256};

use super::orders;
use super::registers::FPGAIO_COUNTER;
use crate::parts::Dice;

/// A chain of hashes that begins with what the host has to give.
///
/// It is as good as the host's own randomness where there is any. On a host without, all there is are the time and what
/// was ordered, and then nothing that this board seals is a secret. It is an emulator: no key that matters belongs here.
pub(crate) struct EmulatedDice {
    state: [u8; 32],
}

impl EmulatedDice {
    pub(super) fn new() -> Self {
        let mut hash = Sha256::new();
        let mut random = [0; 32];
        if random::fill_bytes(&mut random).is_err() {
            warn!("the host has no randomness to give: nothing on this board is a secret");
        }
        hash.update(random);
        hash.update(FPGAIO_COUNTER.read().to_le_bytes());
        if let Ok(time) = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            hash.update(time.as_nanos().to_le_bytes());
        }
        if let Some(seed) = orders::value("seed") {
            hash.update(seed.as_bytes());
        }
        Self { state: hash.finalize().into() }
    }

    /// Something that follows from the state and gives nothing of it away, different for each purpose.
    fn derive(&self, purpose: u8) -> [u8; 32] {
        Sha256::new().chain_update([purpose]).chain_update(self.state).finalize().into()
    }
}

impl Dice for EmulatedDice {
    fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(32) {
            part.copy_from_slice(&self.derive(0)[..part.len()]);
            self.state = self.derive(1);
        }
    }
}
