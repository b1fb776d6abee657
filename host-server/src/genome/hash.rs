use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::hex::Hex;

/// The name of a genome or preset: the first six hexadecimal digits of the SHA-256 of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hash([u8; 3]);

impl Hash {
    pub(crate) fn of(text: &str) -> Self {
        let digest = Sha256::digest(text);
        Self([digest[0], digest[1], digest[2]])
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

/// A text that is not six lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is six digits of 0-9 and a-f")]
pub(crate) struct NotAHash;

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let bytes = text.bytes().all(is_digit).then(|| crate::hex::parse(text).ok()).flatten();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(NotAHash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_first_six_digits_of_sha_256() {
        assert_eq!(Hash::of("").to_string(), "e3b0c4");
        assert_eq!(Hash::of("abc").to_string(), "ba7816");
        assert_eq!("ba7816".parse(), Ok(Hash::of("abc")));
        for text in ["BA7816", "ba781", "ba78160", "ba781g", "é78160"] {
            assert_eq!(text.parse::<Hash>(), Err(NotAHash), "{text}");
        }
    }
}
