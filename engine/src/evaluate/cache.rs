//! Recent evaluations: a search comes to the same position by other orders of moves, and evaluates it again after a reduction.

use crate::masked::Masked;

/// Entries of 16 bits of the key and a score. Zero is an entry without content.
pub(crate) struct EvalCache(Masked<u32, 2048>);

impl EvalCache {
    pub(crate) const fn new() -> Self {
        Self(Masked::new([0; 2048]))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|entry| *entry = 0);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<i32> {
        let entry = self.0[index(key)];
        (entry >> 16 == tag(key)).then_some(i32::from(entry as u16 as i16))
    }

    #[inline]
    pub(super) fn set(&mut self, key: u64, score: i32) {
        self.0[index(key)] = tag(key) << 16 | u32::from(score as i16 as u16);
    }
}

const fn index(key: u64) -> usize {
    (key >> 16) as u32 as usize
}

/// Never zero.
const fn tag(key: u64) -> u32 {
    key as u16 as u32 | 1
}
