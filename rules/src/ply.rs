use core::fmt;
use core::str::FromStr;

use chess::{Move, Square, Unexpected};

/// One half-move under any rules: the square that a piece leaves, the square that it enters, and a choice.
///
/// The choice is 0 if there is nothing to choose; what 1 to 15 stand for is up to the rules. In chess it is the promotion, with
/// the numbers of the documented game state.
///
/// Two bytes, as on the link: bits 0 to 5 the square it leaves, bits 6 to 11 the square it enters, bits 12 to 15 the choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(u16);

impl Ply {
    /// A ply without a choice.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The same ply with another choice, of which the lowest four bits count.
    #[must_use]
    pub const fn choosing(self, choice: u8) -> Self {
        Self(self.0 & 0xfff | (choice as u16 & 15) << 12)
    }

    /// The ply with these bits. All 65,536 values are plies.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[expect(missing_docs, reason = "the layout of the bits is documented at the type")]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The square that the piece leaves.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as u8)
    }

    /// The square that the piece enters.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6 & 63) as u8)
    }

    /// What was chosen; 0 if there was nothing to choose.
    #[must_use]
    pub const fn choice(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// Whether both plies move the same piece to the same square; the choices may differ.
    #[must_use]
    pub const fn is_same_way(self, other: Self) -> bool {
        self.0 & 0xfff == other.0 & 0xfff
    }
}

/// The text of a ply in logs and in JSON: UCI's, as in `e7e8q`. Under any rules `q`, `n`, `b` and `r` stand for the choices 1 to 4;
/// the others are written as numbers, as in `a7a8=5`.
impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_move() {
            Some(mv) => mv.fmt(f),
            None => write!(f, "{}{}={}", self.from(), self.to(), self.choice()),
        }
    }
}

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Ply {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let Some((way, choice)) = text.split_once('=') else { return text.parse().map(Self::of_move) };
        let way: Move = way.parse()?;
        let unexpected =
            |offset: usize| Unexpected { at: 5_usize.saturating_add(offset), found: choice.chars().nth(offset) };
        if way.promotion().is_some() {
            return Err(Unexpected { at: 5, found: Some('=') });
        }
        if let Some(offset) = choice.chars().position(|c| !c.is_ascii_digit()) {
            return Err(unexpected(offset));
        }
        match choice.parse() {
            Ok(choice @ 5..=15) => Ok(Self::of_move(way).choosing(choice)),
            _ => Err(unexpected(0)),
        }
    }
}

impl fmt::Debug for Ply {
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
    fn keeps_its_three_parts() {
        for bits in 0..=u16::MAX {
            let ply = Ply::from_bits(bits);
            assert_eq!(Ply::new(ply.from(), ply.to()).choosing(ply.choice()), ply);
            assert_eq!(ply.bits(), bits);
        }
    }

    #[test]
    fn has_a_text_for_every_value_and_a_place_on_a_scoresheet() {
        for bits in 0..=u16::MAX {
            let ply = Ply::from_bits(bits);
            assert_eq!(ply.to_string().parse(), Ok(ply));
            assert_eq!(Ply::of_move(ply.on_sheet()), ply);
        }
        let texts = ["e2e4", "e7e8q", "a7a8n", "a7a8=5", "h2h1=15"];
        for text in texts {
            assert_eq!(text.parse::<Ply>().map(|ply| ply.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn an_error_names_the_character() {
        for (text, at, found) in [
            ("", 0, None),
            ("e2e9", 3, Some('9')),
            ("e7e8q=5", 5, Some('=')),
            ("a7a8=", 5, None),
            ("a7a8=4", 5, Some('4')),
            ("a7a8=16", 5, Some('1')),
            ("a7a8=5x", 6, Some('x')),
        ] {
            assert_eq!(text.parse::<Ply>(), Err(Unexpected { at, found }), "{text}");
        }
    }
}
