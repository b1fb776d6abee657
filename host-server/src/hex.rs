use std::error::Error;
use std::fmt;

/// Why a text is not bytes in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HexError {
    /// This character, of which so many stand before it, is not a digit.
    Digit(usize, char),
    /// There are so many digits, and one too few or one too many.
    Odd(usize),
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digit(at, found) => write!(f, "unexpected {found:?} at character {}", at + 1),
            Self::Odd(count) => write!(f, "the number of digits, {count}, is odd, and a byte has two"),
        }
    }
}

impl Error for HexError {}

/// Reads digits of either case, two for each byte.
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

/// Bytes to be written as lower-case digits.
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
    fn bytes_are_read_as_they_are_written() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = Hex(&bytes).to_string();
        assert!(text.starts_with("000102") && text.ends_with("fdfeff"));
        assert_eq!(parse(&text), Ok(bytes.clone()));
        assert_eq!(parse(&text.to_uppercase()), Ok(bytes));
        assert_eq!(parse(""), Ok(vec![]));
    }

    #[test]
    fn a_wrong_character_is_named_with_its_place() {
        assert_eq!(parse("0g"), Err(HexError::Digit(1, 'g')));
        assert_eq!(parse("é0").unwrap_err().to_string(), "unexpected 'é' at character 1");
        assert_eq!(parse("0é x"), Err(HexError::Digit(1, 'é')));
        assert_eq!(parse("001"), Err(HexError::Odd(3)));
    }
}
