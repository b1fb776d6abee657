//! Transposition table: results of earlier searches, in a slice that the caller supplies.

use chess::Move;

use crate::score::MATE_BOUND;

/// Memory of one result, 8 bytes. A table is a slice of slots, filled with [`Slot::EMPTY`].
///
/// From the lowest bit: 22 bits of the key, 15 of the move, 16 of the score, 6 of the depth, 2 of the bound, 3 of the age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u64);

impl Slot {
    /// A slot without a result. All its bytes are zero, so that a static table takes no flash.
    pub const EMPTY: Self = Self(0);

    const fn key(self) -> u64 {
        self.0 & KEY_MASK
    }

    const fn depth(self) -> i32 {
        (self.0 >> 53 & 63) as i32
    }

    const fn age(self) -> u64 {
        self.0 >> 61
    }

    /// The bits of the bound; 0 in an empty slot.
    const fn bound(self) -> u8 {
        (self.0 >> 59) as u8 & 3
    }

    const fn is_empty(self) -> bool {
        self.bound() == 0
    }
}

const KEY_MASK: u64 = (1 << 22) - 1;
/// Slots with the same index that are searched for a key.
const BUCKET: usize = 4;

/// What a score says about the true value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// At most the score.
    Upper = 1,
    /// At least the score.
    Lower = 2,
    Exact = 3,
}

/// A result in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) mv: Move,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

pub(crate) struct Table<'a> {
    slots: &'a mut [Slot],
    /// Counts searches modulo 8. Results of earlier searches are replaced first.
    age: u64,
}

impl<'a> Table<'a> {
    pub(crate) const fn new(slots: &'a mut [Slot]) -> Self {
        Self { slots, age: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::EMPTY);
    }

    /// Begins the search with this number.
    pub(crate) const fn set_search(&mut self, number: u8) {
        self.age = number as u64 & 7;
    }

    /// Thousandths of the table that results of this search occupy, from a sample.
    pub(crate) fn permille(&self) -> u32 {
        let sample = self.slots.iter().take(1000);
        sample.filter(|slot| !slot.is_empty() && slot.age() == self.age).count() as u32
    }

    fn bucket(&mut self, key: u64) -> &mut [Slot] {
        let buckets = (self.slots.len() / BUCKET) as u64;
        let start = (((key >> 32) * buckets) >> 32) as usize * BUCKET;
        self.slots.get_mut(start..).unwrap_or_default()
    }

    /// Mates are stored with their distance from the position and not from the root, so `ply` is taken off.
    pub(crate) fn probe(&mut self, key: u64, ply: usize) -> Option<Found> {
        let slot =
            *self.bucket(key).iter().take(BUCKET).find(|slot| slot.key() == key & KEY_MASK && !slot.is_empty())?;
        let score = i32::from((slot.0 >> 37) as u16 as i16);
        Some(Found {
            mv: Move::from_bits((slot.0 >> 22 & 0x7fff) as u16),
            score: if score >= MATE_BOUND {
                score - ply as i32
            } else if score <= -MATE_BOUND {
                score + ply as i32
            } else {
                score
            },
            depth: slot.depth(),
            bound: match slot.bound() {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        })
    }

    pub(crate) fn store(&mut self, key: u64, ply: usize, found: Found) {
        let age = self.age;
        let score = if found.score >= MATE_BOUND {
            found.score + ply as i32
        } else if found.score <= -MATE_BOUND {
            found.score - ply as i32
        } else {
            found.score
        };
        let bucket = self.bucket(key);
        let mut replaced = 0;
        let mut lowest = i32::MAX;
        for (index, slot) in bucket.iter().take(BUCKET).enumerate() {
            let is_same = slot.key() == key & KEY_MASK && !slot.is_empty();
            let worth = if is_same {
                i32::MIN
            } else if slot.is_empty() {
                -1000
            } else {
                slot.depth() - if slot.age() == age { 0 } else { 64 }
            };
            if worth < lowest {
                (replaced, lowest) = (index, worth);
            }
        }
        let Some(slot) = bucket.get_mut(replaced) else { return };
        let mut mv = u64::from(found.mv.bits());
        if lowest == i32::MIN {
            // A much deeper result of the same position is worth more than a new one.
            if found.bound != Bound::Exact && slot.age() == age && found.depth + 3 < slot.depth() {
                return;
            }
            if mv == 0 {
                mv = slot.0 >> 22 & 0x7fff;
            }
        }
        *slot = Slot(
            key & KEY_MASK
                | mv << 22
                | u64::from(score as i16 as u16) << 37
                | (found.depth.clamp(0, 63) as u64) << 53
                | (found.bound as u64) << 59
                | age << 61,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    #[test]
    fn a_result_is_found_again() {
        let mut slots = [Slot::EMPTY; 64];
        let mut table = Table::new(&mut slots);
        let mv = "e7e8q".parse().expect("a move");
        for (score, bound) in [(-31, Bound::Upper), (0, Bound::Exact), (31_999 - 1000, Bound::Lower)] {
            let key = 0x1234_5678_9abc_def0 ^ (score as u64) << 40;
            let found = Found { mv, score, depth: 17, bound };
            table.store(key, 0, found);
            assert_eq!(table.probe(key, 0), Some(found));
            assert_eq!(table.probe(key ^ 1, 0), None);
        }
    }

    #[test]
    fn a_mate_is_counted_from_the_position() {
        let mut slots = [Slot::EMPTY; 64];
        let mut table = Table::new(&mut slots);
        let mv = "e2e4".parse().expect("a move");
        table.store(7, 5, Found { mv, score: MATE - 8, depth: 3, bound: Bound::Exact });
        assert_eq!(table.probe(7, 2).map(|found| found.score), Some(MATE - 5));
    }

    #[test]
    fn an_empty_slice_stores_nothing() {
        let mut table = Table::new(&mut []);
        let mv = "e2e4".parse().expect("a move");
        table.store(7, 0, Found { mv, score: 1, depth: 3, bound: Bound::Exact });
        assert_eq!((table.probe(7, 0), table.permille()), (None, 0));
    }
}
