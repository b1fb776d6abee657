//! The grammar of DNA: which sequences of codons are valid, and the blocks that they consist of.

use core::fmt;

use arrayvec::ArrayVec;

use super::codon::{Codon, Letter};
use super::debuff::{Debuff, Debuffs};
use super::effect::{Owner, Placed, contents};

/// Codons of a separator.
const SEPARATOR: usize = 7;
/// The most movement codons of a block.
pub(super) const MAX_STEPS: usize = 4;

const OPPONENT: Codon = Codon::new([Letter::H, Letter::S, Letter::H]);
const FORBIDDEN: Codon = Codon::new([Letter::H, Letter::H, Letter::H]);

/// Why DNA is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A character that is no letter of DNA.
    Letter(char),
    /// The last codon has this many letters instead of three.
    Incomplete(u8),
    /// There are more than [`MAX_CODONS`](super::MAX_CODONS).
    TooLong,
    /// A block starts with another codon than `AHH`.
    Start(Codon),
    /// An owner is neither `HSH` nor a debuff.
    Owner(Codon),
    /// A debuff appears for the second time.
    Repeated(Debuff),
    /// An effect is neither `HHH` nor two of `S A C` around an `H`.
    Effect(Codon),
    /// A separator ends with another codon than `HHA`.
    End(Codon),
    /// The DNA ends inside a separator, which has this many of its seven codons.
    Separator(u8),
    /// A movement codon contains an `H`.
    Movement(Codon),
    /// A block has more than four movement codons.
    TooManySteps,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(character) => write!(f, "'{character}' is not a letter of DNA, which has S, A, C and H"),
            Self::Incomplete(letters) => write!(f, "the last codon has {letters} of its 3 letters"),
            Self::TooLong => write!(f, "DNA has at most {} codons", super::MAX_CODONS),
            Self::Start(codon) => write!(f, "a block starts with AHH, not with {codon}"),
            Self::Owner(codon) => write!(f, "{codon} is neither HSH nor a debuff (H and two of S, A, C)"),
            Self::Repeated(debuff) => {
                write!(f, "the debuff {} ({debuff}) is already in this DNA, and may be there once", debuff.codon())
            }
            Self::Effect(codon) => write!(f, "{codon} is neither HHH nor two of S, A, C around an H"),
            Self::End(codon) => write!(f, "a separator ends with HHA, not with {codon}"),
            Self::Separator(codons) => write!(f, "the DNA ends after {codons} of the 7 codons of a separator"),
            Self::Movement(codon) => write!(f, "the movement codon {codon} contains an H"),
            Self::TooManySteps => f.write_str("a block has at most 4 movement codons"),
        }
    }
}

/// Checks a sequence of codons. An error comes with the number of the codon.
pub(super) fn check(codons: &[Codon]) -> Result<(), (usize, Reason)> {
    let place = check_beginning(codons)?;
    if (1..SEPARATOR).contains(&usize::from(place)) {
        return Err((codons.len(), Reason::Separator(place)));
    }
    Ok(())
}

/// Checks codons that others follow. Returns the place of the next one in its block.
pub(super) fn check_beginning(codons: &[Codon]) -> Result<u8, (usize, Reason)> {
    let mut debuffs = Debuffs::default();
    // The place of the next codon in its block.
    let mut place = 0_u8;
    for (index, &codon) in codons.iter().enumerate() {
        if usize::from(place) >= SEPARATOR && codon == Codon::START {
            place = 0;
        }
        let fault = match place {
            0 if codon != Codon::START => Some(Reason::Start(codon)),
            1 | 2 => match Debuff::from_codon(codon) {
                Some(debuff) if debuffs.has(debuff) => Some(Reason::Repeated(debuff)),
                Some(debuff) => {
                    debuffs = debuffs.with(debuff);
                    None
                }
                None => (codon != OPPONENT).then_some(Reason::Owner(codon)),
            },
            3..=5 => (codon != FORBIDDEN && contents(codon).is_none()).then_some(Reason::Effect(codon)),
            6 => (codon != Codon::END).then_some(Reason::End(codon)),
            7.. if codon.letters().contains(&Letter::H) => Some(Reason::Movement(codon)),
            11.. => Some(Reason::TooManySteps),
            _ => None,
        };
        if let Some(reason) = fault {
            return Err((index, reason));
        }
        place = place.saturating_add(1);
    }
    Ok(place)
}

/// A movement codon: how far to go, and whether the square may be moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Squares, 0 to 4.
    pub distance: u8,
    /// Whether the square at its end may be moved to. If it may not, the step jumps over pieces.
    pub is_coloring: bool,
}

impl Step {
    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn from_codon(codon: Codon) -> Self {
        let [kind, high, low] = codon.letters();
        let number = (high as u8).wrapping_mul(3).wrapping_add(low as u8);
        match kind {
            Letter::S => Self { distance: number % 3, is_coloring: true },
            Letter::C => Self { distance: number % 5, is_coloring: false },
            Letter::A | Letter::H => Self { distance: 0, is_coloring: false },
        }
    }
}

/// A separator and its movement codons.
#[derive(Clone, Debug)]
pub struct Block {
    /// What a move leaves on the start and the target square, if the target holds an own piece; nothing if that is not allowed.
    pub own: Option<(Placed, Placed)>,
    /// The same, if the target holds a piece of the opponent.
    pub enemy: Option<(Placed, Placed)>,
    /// The same, if the target is empty.
    pub empty: Option<(Placed, Placed)>,
    /// The movement codons. A block without any has no moves.
    pub steps: ArrayVec<Step, MAX_STEPS>,
}

impl Block {
    /// Whether its walks can end in a move: there is a colouring step, and an effect that is allowed. Other blocks need not be walked.
    pub(super) fn has_targets(&self) -> bool {
        (self.own.is_some() || self.enemy.is_some() || self.empty.is_some())
            && self.steps.iter().any(|step| step.is_coloring)
    }
}

/// The blocks of checked DNA.
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    rest: &'a [Codon],
}

impl<'a> Blocks<'a> {
    pub(super) const fn of(codons: &'a [Codon]) -> Self {
        Self { rest: codons }
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let (separator, rest) = self.rest.split_first_chunk::<SEPARATOR>()?;
        let count = rest.iter().position(|&codon| codon == Codon::START).unwrap_or(rest.len());
        let (steps, rest) = rest.split_at_checked(count)?;
        self.rest = rest;
        let [_, start_owner, target_owner, own, enemy, empty, _] = *separator;
        let owner = |codon| if codon == OPPONENT { Owner::Opponent } else { Owner::Mover };
        let effect = |codon| {
            let (start, target) = contents(codon)?;
            let start = Placed { content: start, owner: owner(start_owner) };
            Some((start, Placed { content: target, owner: owner(target_owner) }))
        };
        let mut block =
            Block { own: effect(own), enemy: effect(enemy), empty: effect(empty), steps: ArrayVec::new_const() };
        for &codon in steps {
            // Checked DNA has no more steps than there is room for.
            let _ = block.steps.try_push(Step::from_codon(codon));
        }
        Some(block)
    }
}

/// Whether checked DNA is still valid if the codon with this number is replaced by one that differs in one letter. Only that codon has to be looked
/// at: `AHH` stands nowhere but at the start of a block, and neither becomes another valid codon by such a change, nor do others become `AHH` where
/// they may stand. A device mutates DNA within a scan, and checking all of it up to twenty times would take most of one.
pub(super) fn stays_valid(codons: &[Codon], index: usize, changed: Codon) -> bool {
    let before = codons.get(..=index).unwrap_or_default();
    match before.iter().rev().position(|&codon| codon == Codon::START) {
        Some(1 | 2) => match Debuff::from_codon(changed) {
            Some(debuff) => {
                let is_same = |(at, &codon): (usize, &Codon)| at != index && Debuff::from_codon(codon) == Some(debuff);
                !codons.iter().enumerate().any(is_same)
            }
            None => changed == OPPONENT,
        },
        Some(3..=5) => changed == FORBIDDEN || contents(changed).is_some(),
        Some(7..) => !changed.letters().contains(&Letter::H),
        _ => false,
    }
}

/// The bits of the first codon that starts with H, the letter with the highest bits.
const FIRST_WITH_H: u8 = Codon::new([Letter::H, Letter::A, Letter::A]).bits();

/// The debuffs of DNA that was [checked](check).
pub(super) fn debuffs(codons: &[Codon]) -> Debuffs {
    // A debuff codon starts with H, has no H after it, and can be nowhere else: movement codons have no H at all.
    // Comparing the bits first saves a device most of the time: this is done for every piece that is looked at.
    let may_be_debuff = |codon: &&Codon| codon.bits() >= FIRST_WITH_H;
    let debuffs = codons.iter().filter(may_be_debuff).filter_map(|&codon| Debuff::from_codon(codon));
    debuffs.fold(Debuffs::default(), Debuffs::with)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::genome::{Dna, PIECES};

    #[test]
    fn a_codon_with_one_other_letter_is_valid_if_the_whole_dna_is() {
        let others =
            ["AHHHCCHSAHHHCHAAHSHHACASAHHHSHHASSHSCHCHHHHHASSSAAACCCSAC", "AHHHSHHSHCHACHACHAHHAAHHHAAHACHHHHHHHHHHHA"];
        for text in PIECES.iter().map(|piece| piece.dna).chain(others) {
            let dna: Dna = text.parse().expect(text);
            for index in 0..dna.codons().len() {
                for (place, by) in (0..3).flat_map(|place| (1..4).map(move |by| (place, by))) {
                    let mut codons: Vec<Codon> = dna.codons().to_vec();
                    let changed = codons[index].changed(place, by);
                    codons[index] = changed;
                    let is_valid = check(&codons).is_ok();
                    assert_eq!(stays_valid(dna.codons(), index, changed), is_valid, "{text}: codon {index}, {changed}");
                }
            }
        }
    }
}
