//! DNA in words, codon by codon.

use rules::genome::{Codon, Content, Debuff, Dna, DnaError, Letter, Step};
use serde::Serialize;

/// A codon of a text, and what it means there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Explained {
    /// The number of characters before it.
    pub(crate) at: usize,
    /// Its characters, with the white space between them.
    pub(crate) len: usize,
    #[serde(skip)]
    pub(crate) codon: Codon,
    pub(crate) meaning: Meaning,
    pub(crate) words: String,
}

/// What a codon is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Meaning {
    /// The first or last codon of a separator.
    Frame,
    Owner,
    Debuff,
    Effect,
    /// A step to a square that may be moved to.
    Step,
    /// A step to a square that may not be moved to.
    Jump,
}

/// Explains a text up to its first error.
pub(crate) fn explain(text: &str) -> (Vec<Explained>, Option<DnaError>) {
    let error = text.parse::<Dna>().err();
    let valid_until = error.map_or(usize::MAX, |error| error.at);
    let letters: Vec<(usize, Letter)> = text
        .chars()
        .enumerate()
        .take_while(|&(at, _)| at < valid_until)
        .filter_map(|(at, character)| Some((at, Letter::from_char(character)?)))
        .collect();
    let mut place = 0;
    let (codons, _) = letters.as_chunks();
    let codons = codons.iter().map(|&[(at, first), (_, second), (last, third)]| {
        let codon = Codon::new([first, second, third]);
        if place >= 7 && codon == Codon::START {
            place = 0;
        }
        let (meaning, words) = meaning(place, codon);
        place += 1;
        Explained { at, len: last + 1 - at, codon, meaning, words }
    });
    (codons.collect(), error)
}

/// What the codon in this place of its block means. Seven codons are the separator.
fn meaning(place: usize, codon: Codon) -> (Meaning, String) {
    match place {
        0 => (Meaning::Frame, "a block starts".to_owned()),
        1 => owner("start", codon),
        2 => owner("target", codon),
        3 => (Meaning::Effect, effect("onto an own piece", codon)),
        4 => (Meaning::Effect, effect("onto an enemy piece", codon)),
        5 => (Meaning::Effect, effect("onto an empty square", codon)),
        6 => (Meaning::Frame, "the movement of this block follows".to_owned()),
        _ => step(Step::from_codon(codon)),
    }
}

fn owner(square: &str, codon: Codon) -> (Meaning, String) {
    match Debuff::from_codon(codon) {
        None => (Meaning::Owner, format!("a piece left on the {square} square belongs to the opponent")),
        Some(debuff) => {
            let words = format!("a piece left on the {square} square is own; {debuff}: {}", debuff_words(debuff));
            (Meaning::Debuff, words)
        }
    }
}

fn debuff_words(debuff: Debuff) -> &'static str {
    match debuff {
        Debuff::ForwardOnly => "only squares ahead of the piece",
        Debuff::Once => "the movement codons are used once, and do not repeat",
        Debuff::NoWrap => "the left and right edge of the board are not connected",
        Debuff::SameColor => "only squares of the colour that the piece stands on",
        Debuff::OtherColor => "only squares of the other colour",
        Debuff::Neighbours => "only squares next to the piece",
        Debuff::Freeze => "a move stops the game for 5 seconds, which the player loses",
        Debuff::Mutation => "a move changes one letter of the DNA at random",
        Debuff::Deviation => "a move ends up to one square off its target, at random",
    }
}

fn effect(target: &str, codon: Codon) -> String {
    let [start, _, end] = codon.letters().map(|letter| match letter {
        Letter::A => Some(Content::Mover),
        Letter::S => Some(Content::Captured),
        Letter::C => Some(Content::Nothing),
        Letter::H => None,
    });
    let words = |content| match content {
        Content::Mover => "the moving piece",
        Content::Captured => "the piece from the target square",
        Content::Nothing => "nothing",
    };
    match (start, end) {
        (Some(Content::Nothing), Some(Content::Mover)) => format!("{target}: the piece moves there"),
        (Some(start), Some(end)) => {
            format!("{target}: {} stands on the start square then, {} on the target square", words(start), words(end))
        }
        _ => format!("{target}: not allowed"),
    }
}

fn step(Step { distance, is_coloring }: Step) -> (Meaning, String) {
    let squares = match distance {
        0 => "stay".to_owned(),
        1 => "go 1 square".to_owned(),
        distance => format!("go {distance} squares"),
    };
    if is_coloring {
        (Meaning::Step, format!("{squares}, which the piece may move to; turn"))
    } else {
        (Meaning::Jump, format!("{squares}, over other pieces; turn"))
    }
}

/// The text with a line of carets under the fault, for a terminal. White space is shown as spaces.
pub(crate) fn underline(text: &str, error: DnaError) -> String {
    let line: String = text.chars().map(|character| if character.is_whitespace() { ' ' } else { character }).collect();
    let line: String = line.chars().map(|character| if character.is_control() { '?' } else { character }).collect();
    format!("{line}\n{}{}", " ".repeat(error.at), "^".repeat(error.len.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explains_every_codon_of_valid_dna() {
        let text = "AHH HSH HAA HHH CHA AHS HHA SAS CAC AAA";
        let (codons, error) = explain(text);
        assert_eq!(error, None);
        let found: Vec<(Meaning, &str)> = codons.iter().map(|codon| (codon.meaning, codon.words.as_str())).collect();
        assert_eq!(
            found,
            [
                (Meaning::Frame, "a block starts"),
                (Meaning::Owner, "a piece left on the start square belongs to the opponent"),
                (
                    Meaning::Debuff,
                    "a piece left on the target square is own; no side wrap: the left and right edge of the board are not connected"
                ),
                (Meaning::Effect, "onto an own piece: not allowed"),
                (Meaning::Effect, "onto an enemy piece: the piece moves there"),
                (
                    Meaning::Effect,
                    "onto an empty square: the moving piece stands on the start square then, the piece from the target square on the \
                     target square"
                ),
                (Meaning::Frame, "the movement of this block follows"),
                (Meaning::Step, "go 1 square, which the piece may move to; turn"),
                (Meaning::Jump, "go 2 squares, over other pieces; turn"),
                (Meaning::Jump, "stay, over other pieces; turn"),
            ]
        );
        assert_eq!((codons[1].at, codons[1].len), (4, 3));
    }

    #[test]
    fn explains_the_codons_before_an_error_and_underlines_it() {
        let text = "AHH HSH\tHHS";
        let (codons, error) = explain(text);
        assert_eq!(codons.len(), 2);
        assert_eq!(underline(text, error.unwrap()), "AHH HSH HHS\n        ^^^");
        let (codons, error) = explain("AHH");
        assert_eq!((codons.len(), underline("AHH", error.unwrap())), (1, "AHH\n   ^".to_owned()));
    }
}
