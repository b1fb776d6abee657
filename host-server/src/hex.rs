//! Hexadecimal text. Written by hand: the `hex` crate reports bytes instead of characters, and the length before the content.

use std::fmt;

/// Why a text is not hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HexError {
    /// Index and character.
    #[error("unexpected {:?} at character {}", .1, .0 + 1)]
    Digit(usize, char),
    #[error("odd number of digits, {0}; a byte has two")]
    Odd(usize),
}

/// Decodes upper-case or lower-case digits.
pub(crate) fn parse(text: &str) -> Result<Vec<u8>, HexError> {
    let digit = |(at, c): (usize, char)| c.to_digit(16).map(|digit| digit as u8).ok_or(HexError::Digit(at, c));
    let digits = text.chars().enumerate().map(digit).collect::<Result<Vec<u8>, _>>()?;
    let (pairs, rest) = digits.as_chunks();
    if rest.is_empty() {
        Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
    } else {
        Err(HexError::Odd(digits.len()))
    }
}

/// Displays bytes as lower-case digits.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_it_encodes() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = Hex(&bytes).to_string();
        assert!(text.starts_with("000102") && text.ends_with("fdfeff"));
        assert_eq!(parse(&text), Ok(bytes.clone()));
        assert_eq!(parse(&text.to_uppercase()), Ok(bytes));
        assert_eq!(parse(""), Ok(vec![]));
    }

    #[test]
    fn an_error_names_the_character_and_its_position() {
        assert_eq!(parse("0g"), Err(HexError::Digit(1, 'g')));
        assert_eq!(parse("é0").unwrap_err().to_string(), "unexpected 'é' at character 1");
        assert_eq!(parse("0é x"), Err(HexError::Digit(1, 'é')));
        assert_eq!(parse("001"), Err(HexError::Odd(3)));
    }
}
