/// Pseudo-random generator of a game (`SplitMix64`). Both sides start it with the seed of the game, so that they draw the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator with this seed draws the same numbers from now on.
    pub(super) const fn seed(self) -> u64 {
        self.0
    }

    /// The next number from 0 to `bound - 1`.
    pub(super) const fn below(&mut self, bound: u16) -> u16 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The highest 32 bits as a fraction of the bound.
        ((mixed >> 32).wrapping_mul(bound as u64) >> 32) as u16
    }

    /// The next of -1, 0 and 1.
    pub(super) const fn shift(&mut self) -> i8 {
        self.below(3).cast_signed().wrapping_sub(1) as i8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_every_number_below_the_bound_about_equally_often() {
        let mut chance = Chance::new(7);
        let mut counts = [0_u32; 5];
        for _ in 0..5_000 {
            counts[usize::from(chance.below(5))] += 1;
        }
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }

    #[test]
    fn draws_are_fixed_by_the_seed_for_all_versions() {
        // Games in stores and journals are replayed with these numbers.
        let mut chance = Chance::new(1);
        assert_eq!([0; 8].map(|_: u16| chance.below(1_000)), [566, 745, 971, 444, 444, 762, 877, 523]);
    }
}
