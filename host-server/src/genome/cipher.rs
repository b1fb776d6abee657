//! The cipher of genomes and presets on the network. It hides their text from a casual look at the traffic, and is no security: the
//! algorithm and its only constant are public.
//!
//! A letter has the number that base64 gives it (alphabet of RFC 4648, section 5, which has the `-` of presets). The cipher replaces every number
//! by the sum of all numbers up to it, adds [`SHIFT`], both modulo 64, and writes the result with the same alphabet.

use std::fmt;

/// The constant that is added to every number.
pub(crate) const SHIFT: u8 = 21;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A character that the alphabet does not have, and the number of characters before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CipherError {
    at: usize,
    character: char,
}

impl fmt::Display for CipherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {:?} is none of A-Z, a-z, 0-9, - and _", self.at + 1, self.character)
    }
}

impl std::error::Error for CipherError {}

/// Enciphers a text of the alphabet.
pub(crate) fn encipher(text: &str) -> Result<String, CipherError> {
    let mut sum = 0;
    map(text, |number| {
        sum = (sum + number) % 64;
        (sum + SHIFT) % 64
    })
}

/// Deciphers what [`encipher`] has written.
pub(crate) fn decipher(text: &str) -> Result<String, CipherError> {
    let mut before = 0;
    map(text, |number| {
        let sum = (number + 64 - SHIFT) % 64;
        let plain = (sum + 64 - before) % 64;
        before = sum;
        plain
    })
}

fn map(text: &str, mut change: impl FnMut(u8) -> u8) -> Result<String, CipherError> {
    let number = |(at, character): (usize, char)| {
        let found = ALPHABET.iter().position(|&letter| char::from(letter) == character);
        found.map(|number| number as u8).ok_or(CipherError { at, character })
    };
    text.chars()
        .enumerate()
        .map(|place| number(place).map(|number| char::from(ALPHABET[usize::from(change(number))])))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_shifts_the_numbers_of_base64() {
        // A is 0, B is 1, C is 2: the sums are 0, 1, 3, 3.
        assert_eq!(encipher("ABCA").unwrap(), "VWYY");
        // 63 + 1 is 0 again.
        assert_eq!(encipher("_B").unwrap(), "UV");
        assert_eq!(encipher("").unwrap(), "");
    }

    #[test]
    fn deciphers_what_was_enciphered() {
        let all = str::from_utf8(ALPHABET).unwrap();
        for text in ["AHHHSHHAACHACHACHAHHASAS", "1a2b3c-4d5e6f", all] {
            assert_eq!(decipher(&encipher(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn names_a_character_outside_the_alphabet() {
        assert_eq!(decipher("AB+").unwrap_err().to_string(), "character 3: '+' is none of A-Z, a-z, 0-9, - and _");
        assert_eq!(encipher("A B").unwrap_err(), CipherError { at: 1, character: ' ' });
    }
}
