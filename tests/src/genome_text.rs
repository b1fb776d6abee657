//! Hash and cipher of genomes and presets, written again after docs/genome.md.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use sha2::{Digest, Sha256};

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SHIFT: usize = 21;

/// The name of a genome or preset.
#[must_use]
pub fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    format!("{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2])
}

fn number(letter: char) -> usize {
    ALPHABET.find(letter).expect("a letter of the alphabet")
}

fn letter(number: usize) -> char {
    ALPHABET.chars().nth(number % 64).expect("64 letters")
}

/// The text as it is sent.
#[must_use]
pub fn encipher(text: &str) -> String {
    let mut sum = 0;
    text.chars()
        .map(|plain| {
            sum += number(plain);
            letter(sum + SHIFT)
        })
        .collect()
}

/// The text that was sent.
#[must_use]
pub fn decipher(text: &str) -> String {
    let mut before = SHIFT;
    text.chars()
        .map(|hidden| {
            let plain = letter(number(hidden) + 64 - before);
            before = number(hidden);
            plain
        })
        .collect()
}

/// Two different genomes with the same hash.
///
/// # Panics
///
/// Never: there are such pairs.
#[must_use]
pub fn colliding_dna() -> [String; 2] {
    colliding_pairs().next().expect("there are some")
}

/// Pairs of different genomes with the same hash, which no other pair has, more than fifty of them. With 24 bits some thousand genomes are
/// enough to find one.
pub fn colliding_pairs() -> impl Iterator<Item = [String; 2]> {
    let mut known = HashMap::new();
    (0..60_000_usize).filter_map(move |number| {
        let digits = (0..12).map(|digit| ['S', 'A', 'C'][number / 3_usize.pow(digit) % 3]);
        let dna = format!("AHHHSHHSHCHACHACHAHHA{}", digits.collect::<String>());
        match known.entry(hash(&dna)) {
            Entry::Vacant(place) => {
                place.insert(Some(dna));
                None
            }
            // The third genome with a hash finds none.
            Entry::Occupied(mut first) => first.get_mut().take().map(|other| [other, dna]),
        }
    })
}
