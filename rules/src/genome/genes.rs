use core::error::Error;
use core::fmt;

use super::chance::Chance;
use super::codon::Codon;
use super::dna::{Dna, MAX_CODONS};
use super::grammar;

/// The most codons that the genomes of a game have together, those that come from mutations included.
pub const MAX_GENE_CODONS: usize = 768;
/// The most genomes of a game: those it starts with, and one for each square that mutated by itself.
const MAX_SLOTS: usize = 80;
const _: () = assert!(MAX_SLOTS <= 128, "a set of genomes has a bit for each");
/// How often a mutation tries to change a letter.
const MUTATION_TRIES: u8 = 20;

/// There is no room for another genome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenesFull;

impl fmt::Display for GenesFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the genomes of a game have at most {MAX_GENE_CODONS} codons together")
    }
}

impl Error for GenesFull {}

/// The genomes of a game, one after the other in fixed memory. A piece refers to its genome by number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Genes {
    codons: [Codon; MAX_GENE_CODONS],
    /// Where each genome ends, of which the first `count` are valid.
    ends: [u16; MAX_SLOTS],
    count: u8,
}

impl Genes {
    pub(super) const EMPTY: Self = Self { codons: [Codon::START; MAX_GENE_CODONS], ends: [0; MAX_SLOTS], count: 0 };

    /// How many genomes there are, those that come from mutations included.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.count
    }

    /// The codons of a genome; none for a number that no genome has.
    #[must_use]
    pub fn get(&self, slot: u8) -> &[Codon] {
        let ends = self.ends.get(..usize::from(self.count)).unwrap_or_default();
        let end_of = |slot: u8| ends.get(usize::from(slot)).map(|&end| usize::from(end));
        let start = match slot.checked_sub(1) {
            Some(before) => end_of(before),
            None => Some(0),
        };
        start.zip(end_of(slot)).and_then(|(start, end)| self.codons.get(start..end)).unwrap_or_default()
    }

    /// The codons of the longest genome.
    pub(crate) fn longest(&self) -> usize {
        (0..self.count).map(|slot| self.get(slot).len()).max().unwrap_or_default()
    }

    fn get_mut(&mut self, slot: u8) -> &mut [Codon] {
        let len = self.get(slot).len();
        let end = self.ends.get(usize::from(slot)).map_or(0, |&end| usize::from(end));
        self.codons.get_mut(end.saturating_sub(len)..end).unwrap_or_default()
    }

    /// The number of the genome with these codons, which is added if there is none.
    pub(super) fn add(&mut self, dna: &Dna) -> Result<u8, GenesFull> {
        match (0..self.count).find(|&slot| self.get(slot) == dna.codons()) {
            Some(slot) => Ok(slot),
            None => self.append(dna.codons()).ok_or(GenesFull),
        }
    }

    /// The number of a new genome with these codons.
    pub(super) fn append(&mut self, codons: &[Codon]) -> Option<u8> {
        let slot = self.count;
        let start =
            slot.checked_sub(1).and_then(|last| self.ends.get(usize::from(last))).map_or(0, |&end| usize::from(end));
        let end = start.saturating_add(codons.len());
        let room = self.codons.get_mut(start..end)?;
        *self.ends.get_mut(usize::from(slot))? = end as u16;
        copy(codons, room);
        self.count = slot.saturating_add(1);
        Some(slot)
    }

    /// Changes one letter of a genome at random, and returns the number of the new genome. The old genome stays, because other pieces may
    /// have it. Returns the old number if no try gives valid DNA, or if there is no room.
    ///
    /// Only genomes from `fixed` on that no piece has are overwritten. Bit n of `used` is set if a piece has genome n.
    pub(super) fn mutate(&mut self, slot: u8, chance: &mut Chance, fixed: u8, used: u128) -> u8 {
        let mut buffer = [Codon::START; MAX_CODONS];
        let old = self.get(slot);
        let len = old.len();
        let Some(codons) = buffer.get_mut(..len) else { return slot };
        copy(old, codons);
        let letters = (len as u16).saturating_mul(3);
        for _ in 0..MUTATION_TRIES {
            let letter = chance.below(letters);
            let by = chance.below(3).saturating_add(1) as u8;
            let place = (letter % 3) as u8;
            let Some(codon) = codons.get(usize::from(letter / 3)) else { return slot };
            let changed = codon.changed(place, by);
            if grammar::stays_valid(codons, usize::from(letter / 3), changed) {
                if let Some(codon) = codons.get_mut(usize::from(letter / 3)) {
                    *codon = changed;
                }
                return self.keep(codons, fixed, used).unwrap_or(slot);
            }
        }
        slot
    }

    /// Stores a mutated genome in a slot that no piece refers to any more, or in a new one.
    fn keep(&mut self, codons: &[Codon], fixed: u8, used: u128) -> Option<u8> {
        let is_used = |slot: u8| used.wrapping_shr(slot.into()) & 1 == 1;
        let free = (fixed..self.count).find(|&slot| !is_used(slot) && self.get(slot).len() == codons.len());
        match free {
            Some(slot) => {
                copy(codons, self.get_mut(slot));
                Some(slot)
            }
            None => self.append(codons),
        }
    }
}

/// Copies codons without the length check of `copy_from_slice`, which would be a panic.
fn copy(from: &[Codon], to: &mut [Codon]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = from;
    }
}

/// Lists the genomes.
impl fmt::Debug for Genes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.count).map(|slot| self.get(slot))).finish()
    }
}
