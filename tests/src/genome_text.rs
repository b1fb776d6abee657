//! Hash and cipher of genomes and presets, written again after docs/genome.md.

use std::collections::HashMap;

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

/// Two different genomes with the same hash. With 24 bits some thousand genomes are enough to find a pair.
#[must_use]
pub fn colliding_dna() -> [String; 2] {
    let mut known = HashMap::new();
    for number in 0..60_000_usize {
        let digits = (0..12).map(|digit| ['S', 'A', 'C'][number / 3_usize.pow(digit) % 3]);
        let dna = format!("AHHHSHHSHCHACHACHAHHA{}", digits.collect::<String>());
        if let Some(other) = known.insert(hash(&dna), dna.clone()) {
            return [other, dna];
        }
    }
    unreachable!("60,000 genomes have about 100 pairs with the same hash");
}
