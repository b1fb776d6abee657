use core::fmt::{self, Write};

/// A letter of DNA. The numbers of `A`, `S` and `C` are their values as base 3 digits of a movement codon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they have no other name")]
pub enum Letter {
    A = 0,
    S = 1,
    C = 2,
    H = 3,
}

impl Letter {
    /// The letter that a character stands for. Case matters.
    #[must_use]
    pub const fn from_char(character: char) -> Option<Self> {
        Some(match character {
            'A' => Self::A,
            'S' => Self::S,
            'C' => Self::C,
            'H' => Self::H,
            _ => return None,
        })
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn to_char(self) -> char {
        match self {
            Self::A => 'A',
            Self::S => 'S',
            Self::C => 'C',
            Self::H => 'H',
        }
    }

    /// The letter with this number, of which the lowest two bits count.
    pub(super) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::A,
            1 => Self::S,
            2 => Self::C,
            _ => Self::H,
        }
    }
}

/// Three letters in the lowest six bits of a byte, the first letter in the highest two of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Codon(u8);

impl Codon {
    /// The first codon of a separator, `AHH`.
    pub const START: Self = Self::new([Letter::A, Letter::H, Letter::H]);
    /// The last codon of a separator, `HHA`.
    pub const END: Self = Self::new([Letter::H, Letter::H, Letter::A]);

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn new([first, second, third]: [Letter; 3]) -> Self {
        Self((first as u8) << 4 | (second as u8) << 2 | third as u8)
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn letters(self) -> [Letter; 3] {
        [Letter::from_bits(self.0 >> 4), Letter::from_bits(self.0 >> 2), Letter::from_bits(self.0)]
    }

    /// The lowest six bits have the letters, two bits each.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The codon with these [bits](Codon::bits); nothing if a higher bit is set.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits < 64 { Some(Self(bits)) } else { None }
    }

    /// The same codon with a letter added to the one in this place (0 to 2), modulo 4. Adding 1 to 3 gives each of the other letters.
    pub(super) const fn changed(self, place: u8, by: u8) -> Self {
        let shift = 4_u8.saturating_sub(place.saturating_mul(2));
        let letter = (self.0 >> shift).wrapping_add(by) & 3;
        Self(self.0 & !(3 << shift) | letter << shift)
    }
}

impl fmt::Display for Codon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().iter().try_for_each(|letter| f.write_char(letter.to_char()))
    }
}

impl fmt::Debug for Codon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn writes_the_letters_that_it_was_made_of() {
        for bits in 0..64 {
            let codon = Codon(bits);
            assert_eq!(Codon::new(codon.letters()), codon);
        }
        assert_eq!(Codon::START.to_string(), "AHH");
        assert_eq!(Codon::END.to_string(), "HHA");
    }

    #[test]
    fn a_change_replaces_one_letter_by_another() {
        for place in 0..3 {
            for by in 1..4 {
                let changed = Codon::START.changed(place, by).letters();
                for (index, (new, old)) in changed.into_iter().zip(Codon::START.letters()).enumerate() {
                    assert_eq!(new != old, index == usize::from(place));
                }
            }
        }
    }
}
