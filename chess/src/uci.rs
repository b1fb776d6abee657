use core::fmt;
use core::str::FromStr;

use crate::moves::Move;
use crate::piece::{Promotion, Role};
use crate::text::{Unexpected, chars};

/// UCI notation: `e2e4`, `e1g1` for castling, `e7e8q` for a promotion.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(promotion) => fmt::Write::write_char(f, promotion.role().letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// Reads what [`Display`](fmt::Display) writes; the letter of a promotion may be of either case.
impl FromStr for Move {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let mut chars = chars(text);
        let mv = Self::new(chars.square()?, chars.square()?);
        if chars.end().is_ok() {
            return Ok(mv);
        }
        let promotion = chars.take(|c| Role::from_letter(c.to_ascii_uppercase()).and_then(Promotion::to))?;
        chars.end()?;
        Ok(mv.promoting(Some(promotion)))
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn moves_round_trip() {
        for text in ["e2e4", "a1h8", "e7e8q", "b2a1n"] {
            assert_eq!(text.parse::<Move>().map(|mv| mv.to_string()), Ok(text.into()));
        }
        assert_eq!("c7c8Q".parse(), "c7c8q".parse::<Move>());
    }

    #[test]
    fn an_error_names_the_character() {
        for (text, at, found) in [
            ("", 0, None),
            ("e2e", 3, None),
            ("e2e9", 3, Some('9')),
            ("e7e8k", 4, Some('k')),
            ("e7e8qq", 5, Some('q')),
            ("e2 e4", 2, Some(' ')),
        ] {
            assert_eq!(text.parse::<Move>(), Err(Unexpected { at, found }), "{text}");
        }
    }
}
