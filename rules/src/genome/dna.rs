use core::error::Error;
use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;

use super::codon::{Codon, Letter};
use super::debuff::Debuffs;
use super::grammar::{self, Blocks, Reason};

/// The most codons of DNA. Its text is at most 498 letters, which fit into the 500 bytes that the genome store accepts.
pub const MAX_CODONS: usize = 166;

/// Valid DNA, as text: `"AHH HSH HAA ...".parse()`. White space is ignored. The default is empty DNA, which has no moves.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Dna {
    codons: ArrayVec<Codon, MAX_CODONS>,
}

/// Where and why DNA is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DnaError {
    /// The number of characters before the fault. At the end of the text if something is missing.
    pub at: usize,
    /// The number of characters that are at fault, with the white space between them. 0 at the end of the text.
    pub len: usize,
    #[expect(missing_docs, reason = "the type says it")]
    pub reason: Reason,
}

impl fmt::Display for DnaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.at.saturating_add(1), self.reason)
    }
}

impl Error for DnaError {}

impl Dna {
    /// Codons that are valid DNA.
    ///
    /// # Errors
    ///
    /// The number of the first codon at fault, and the reason.
    pub fn from_codons(codons: &[Codon]) -> Result<Self, (usize, Reason)> {
        let mut copy = ArrayVec::new();
        for &codon in codons {
            if copy.try_push(codon).is_err() {
                grammar::check_beginning(&copy)?;
                return Err((MAX_CODONS, Reason::TooLong));
            }
        }
        grammar::check(codons)?;
        Ok(Self { codons: copy })
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn codons(&self) -> &[Codon] {
        &self.codons
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks::of(&self.codons)
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn debuffs(&self) -> Debuffs {
        grammar::debuffs(&self.codons)
    }
}

impl FromStr for Dna {
    type Err = DnaError;

    /// The error is the first one in the text.
    fn from_str(text: &str) -> Result<Self, DnaError> {
        let mut codons = ArrayVec::<Codon, MAX_CODONS>::new();
        let mut open = ArrayVec::<Letter, 3>::new();
        // Where the text cannot be read on, an error of the grammar before that place comes first.
        let earlier = |codons: &[Codon], error: DnaError| match grammar::check_beginning(codons) {
            Err((index, reason)) => locate(text, index, reason),
            Ok(_) => error,
        };
        for (at, character) in text.chars().enumerate().filter(|(_, character)| !character.is_whitespace()) {
            let Some(letter) = Letter::from_char(character) else {
                return Err(earlier(&codons, DnaError { at, len: 1, reason: Reason::Letter(character) }));
            };
            // There is room: a full codon is taken out at once.
            let _ = open.try_push(letter);
            if let [first, second, third] = *open.as_slice() {
                open.clear();
                if codons.try_push(Codon::new([first, second, third])).is_err() {
                    return Err(earlier(&codons, locate(text, MAX_CODONS, Reason::TooLong)));
                }
            }
        }
        match open.len() {
            0 => {}
            letters => return Err(earlier(&codons, locate(text, codons.len(), Reason::Incomplete(letters as u8)))),
        }
        grammar::check(&codons).map_err(|(index, reason)| locate(text, index, reason))?;
        Ok(Self { codons })
    }
}

/// The error about the codon with this number.
fn locate(text: &str, codon: usize, reason: Reason) -> DnaError {
    let mut letters = text.chars().enumerate().filter(|(_, character)| !character.is_whitespace());
    let first = letters.nth(codon.saturating_mul(3)).map(|(at, _)| at);
    let Some(at) = first else { return DnaError { at: text.chars().count(), len: 0, reason } };
    let last = letters.take(2).last().map_or(at, |(last, _)| last);
    DnaError { at, len: last.saturating_sub(at).saturating_add(1), reason }
}

/// Writes the letters without white space. This is the text that is hashed and stored.
impl fmt::Display for Dna {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.codons.iter().try_for_each(|codon| codon.fmt(f))
    }
}

impl fmt::Debug for Dna {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;
    use crate::genome::Debuff;

    fn error(text: &str) -> (usize, usize, Reason) {
        let DnaError { at, len, reason } = text.parse::<Dna>().expect_err(text);
        (at, len, reason)
    }

    #[test]
    fn ignores_white_space() {
        let dna: Dna = " AHH HSH HAA\nCHA CHA CHA\tHHA S AS ".parse().expect("valid");
        assert_eq!(dna.to_string(), "AHHHSHHAACHACHACHAHHASAS");
        assert!(dna.debuffs().iter().eq([Debuff::NoWrap]));
    }

    #[test]
    fn accepts_no_blocks_and_blocks_without_movement() {
        assert_eq!("".parse::<Dna>().expect("valid").blocks().count(), 0);
        let dna: Dna = "AHHHSHHSHCHACHACHAHHA".parse().expect("valid");
        assert!(dna.blocks().all(|block| block.steps.is_empty()));
    }

    #[test]
    fn names_the_place_and_the_reason_of_an_error() {
        let codon = |text: &str| {
            let [a, b, c] = [0, 1, 2].map(|index| text.chars().nth(index).and_then(Letter::from_char).expect(text));
            Codon::new([a, b, c])
        };
        assert_eq!(error("AHX"), (2, 1, Reason::Letter('X')));
        assert_eq!(error("AHHHSHHAACHACHACHAHHASASA"), (24, 1, Reason::Incomplete(1)));
        assert_eq!(error("SAS"), (0, 3, Reason::Start(codon("SAS"))));
        assert_eq!(error("AHH HHS"), (4, 3, Reason::Owner(codon("HHS"))));
        assert_eq!(error("AHH HAA H A A"), (8, 5, Reason::Repeated(Debuff::NoWrap)));
        assert_eq!(error("AHHHSHHSHCHH"), (9, 3, Reason::Effect(codon("CHH"))));
        assert_eq!(error("AHHHSHHSHCHACHACHAHHH"), (18, 3, Reason::End(codon("HHH"))));
        assert_eq!(error("AHH HSH"), (7, 0, Reason::Separator(2)));
        assert_eq!(error("AHHHSHHSHCHACHACHAHHAHHA"), (21, 3, Reason::Movement(codon("HHA"))));
        assert_eq!(error("AHHHSHHSHCHACHACHAHHASASSASSASSASSAS"), (33, 3, Reason::TooManySteps));
        assert_eq!(error(&"AHHHSHHSHCHACHACHAHHA".repeat(24)), (498, 3, Reason::TooLong));
        assert_eq!(error("AHHHSHHSHCHACHACHAHHASASA"), (24, 1, Reason::Incomplete(1)));
        assert_eq!(error("AHH HSH H"), (8, 1, Reason::Incomplete(1)));
    }

    #[test]
    fn the_first_of_several_errors_is_reported() {
        let sas = Codon::new([Letter::S, Letter::A, Letter::S]);
        for rest in ["X", "AHX", "AH", "AHH", &"AAA".repeat(MAX_CODONS)] {
            assert_eq!(error(&std::format!("SAS {rest}")), (0, 3, Reason::Start(sas)), "{rest}");
        }
        assert_eq!(error("AHH x HHS"), (4, 1, Reason::Letter('x')));
        let codons = [[Codon::START].as_slice(), &[sas; MAX_CODONS]].concat();
        assert_eq!(Dna::from_codons(&codons), Err((1, Reason::Owner(sas))));
    }
}
