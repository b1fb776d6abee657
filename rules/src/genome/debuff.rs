use core::fmt;

use super::codon::{Codon, Letter};

/// A restriction or side effect that DNA switches on. It acts on all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debuff {
    /// `HAS`: only targets on a rank ahead of the piece.
    ForwardOnly,
    /// `HAC`: a walk ends after its last movement codon instead of starting over.
    Once,
    /// `HAA`: a walk ends at the left and right edge instead of going on at the other edge.
    NoWrap,
    /// `HCS`: only targets of the colour of the start square.
    SameColor,
    /// `HCA`: only targets of the other colour.
    OtherColor,
    /// `HSS`: only the eight neighbours of the start square, and the start square.
    Neighbours,
    /// `HSC`: a move freezes the game for [`FREEZE_MS`](super::FREEZE_MS).
    Freeze,
    /// `HCC`: a move changes one letter of the piece's DNA.
    Mutation,
    /// `HSA`: the target is shifted by up to one square at random.
    Deviation,
}

impl Debuff {
    #[expect(missing_docs, reason = "the name says it")]
    pub const ALL: [Self; 9] = [
        Self::ForwardOnly,
        Self::Once,
        Self::NoWrap,
        Self::SameColor,
        Self::OtherColor,
        Self::Neighbours,
        Self::Freeze,
        Self::Mutation,
        Self::Deviation,
    ];

    /// The debuff that a codon switches on. All codons of `H` and two letters of `S A C` do.
    #[must_use]
    pub const fn from_codon(codon: Codon) -> Option<Self> {
        let [Letter::H, second, third] = codon.letters() else { return None };
        Some(match (second, third) {
            (Letter::A, Letter::S) => Self::ForwardOnly,
            (Letter::A, Letter::C) => Self::Once,
            (Letter::A, Letter::A) => Self::NoWrap,
            (Letter::C, Letter::S) => Self::SameColor,
            (Letter::C, Letter::A) => Self::OtherColor,
            (Letter::S, Letter::S) => Self::Neighbours,
            (Letter::S, Letter::C) => Self::Freeze,
            (Letter::C, Letter::C) => Self::Mutation,
            (Letter::S, Letter::A) => Self::Deviation,
            (Letter::H, _) | (_, Letter::H) => return None,
        })
    }

    /// The codon that switches it on.
    #[must_use]
    pub const fn codon(self) -> Codon {
        let (second, third) = match self {
            Self::ForwardOnly => (Letter::A, Letter::S),
            Self::Once => (Letter::A, Letter::C),
            Self::NoWrap => (Letter::A, Letter::A),
            Self::SameColor => (Letter::C, Letter::S),
            Self::OtherColor => (Letter::C, Letter::A),
            Self::Neighbours => (Letter::S, Letter::S),
            Self::Freeze => (Letter::S, Letter::C),
            Self::Mutation => (Letter::C, Letter::C),
            Self::Deviation => (Letter::S, Letter::A),
        };
        Codon::new([Letter::H, second, third])
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for Debuff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ForwardOnly => "forward only",
            Self::Once => "once",
            Self::NoWrap => "no side wrap",
            Self::SameColor => "same colour",
            Self::OtherColor => "other colour",
            Self::Neighbours => "neighbours only",
            Self::Freeze => "freeze",
            Self::Mutation => "mutation",
            Self::Deviation => "deviation",
        })
    }
}

/// The debuffs of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Debuffs(u16);

impl Debuffs {
    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn has(self, debuff: Debuff) -> bool {
        self.0 & debuff.bit() != 0
    }

    #[must_use]
    pub(super) const fn with(self, debuff: Debuff) -> Self {
        Self(self.0 | debuff.bit())
    }

    /// The debuffs in the order of [`Debuff::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Debuff> {
        Debuff::ALL.into_iter().filter(move |&debuff| self.has(debuff))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_debuff_has_its_codon() {
        for debuff in Debuff::ALL {
            assert_eq!(Debuff::from_codon(debuff.codon()), Some(debuff));
        }
        assert_eq!(Debuff::from_codon(Codon::END), None);
        assert_eq!(Debuff::from_codon(Codon::START), None);
    }
}
