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
    pub(crate) meaning: CodonKind,
    pub(crate) words: String,
}

/// What a codon is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CodonKind {
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

/// Codons of a separator.
const SEPARATOR: usize = 7;

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
    let to_codon = |&[(_, first), (_, second), (_, third)]: &[(usize, Letter); 3]| Codon::new([first, second, third]);
    let codons = codons.iter().enumerate().map(|(index, letters)| {
        let codon = to_codon(letters);
        if place >= SEPARATOR && codon == Codon::START {
            place = 0;
        }
        let next = codons.get(index + 1).map(to_codon);
        let is_motionless = next.map_or(error.is_none(), |next| next == Codon::START);
        let (meaning, words) = match meaning(place, codon) {
            (meaning, _) if place + 1 == SEPARATOR && is_motionless => {
                (meaning, "the block ends without movement codons: it has no moves".to_owned())
            }
            explained => explained,
        };
        place += 1;
        let [(at, _), _, (last, _)] = *letters;
        Explained { at, len: last + 1 - at, codon, meaning, words }
    });
    (codons.collect(), error)
}

/// What the codon in this place of its block means. Seven codons are the separator.
fn meaning(place: usize, codon: Codon) -> (CodonKind, String) {
    match place {
        0 => (CodonKind::Frame, "a block starts".to_owned()),
        1 => owner("start", codon),
        2 => owner("target", codon),
        3 => (CodonKind::Effect, effect("onto an own piece", codon)),
        4 => (CodonKind::Effect, effect("onto an enemy piece", codon)),
        5 => (CodonKind::Effect, effect("onto an empty square", codon)),
        6 => (CodonKind::Frame, "the movement of this block follows".to_owned()),
        _ => step(Step::from_codon(codon)),
    }
}

fn owner(square: &str, codon: Codon) -> (CodonKind, String) {
    match Debuff::from_codon(codon) {
        None => (CodonKind::Owner, format!("a piece left on the {square} square belongs to the opponent")),
        Some(debuff) => {
            let words = format!("a piece left on the {square} square is own; {debuff}: {}", debuff_words(debuff));
            (CodonKind::Debuff, words)
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

fn step(Step { distance, is_coloring }: Step) -> (CodonKind, String) {
    let squares = match distance {
        0 => "stay".to_owned(),
        1 => "go 1 square".to_owned(),
        distance => format!("go {distance} squares"),
    };
    if is_coloring {
        (CodonKind::Step, format!("{squares}, which the piece may move to; turn"))
    } else {
        (CodonKind::Jump, format!("{squares}, over other pieces; turn"))
    }
}

/// How many characters of the text before and after the beginning of a fault are shown, so that text and carets fit into a line of a terminal.
const SHOWN_BEFORE: usize = 48;
const SHOWN_AFTER: usize = 24;

/// The text around the fault with a line of carets under it, for a terminal. White space is shown as spaces, and text that is left out as `...`.
pub(crate) fn underline(text: &str, error: DnaError) -> String {
    let shown = |character: char| match character {
        _ if character.is_whitespace() => ' ',
        _ if character.is_control() => '?',
        _ => character,
    };
    let cut = |is_cut: bool| if is_cut { "..." } else { "" };
    let length = text.chars().count();
    let (from, to) = if length <= SHOWN_BEFORE + SHOWN_AFTER {
        (0, length)
    } else {
        (error.at.saturating_sub(SHOWN_BEFORE), length.min(error.at.saturating_add(SHOWN_AFTER)))
    };
    let line: String = text.chars().skip(from).take(to.saturating_sub(from)).map(shown).collect();
    let before = cut(from > 0);
    let carets = error.len.min(to.saturating_sub(error.at)).max(1);
    let blank = " ".repeat(before.len() + error.at.saturating_sub(from));
    format!("{before}{line}{}\n{blank}{}", cut(to < length), "^".repeat(carets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explains_every_codon_of_valid_dna() {
        let text = "AHH HSH HAA HHH CHA AHS HHA SAS CAC AAA";
        let (codons, error) = explain(text);
        assert_eq!(error, None);
        let found: Vec<(CodonKind, &str)> = codons.iter().map(|codon| (codon.meaning, codon.words.as_str())).collect();
        assert_eq!(
            found,
            [
                (CodonKind::Frame, "a block starts"),
                (CodonKind::Owner, "a piece left on the start square belongs to the opponent"),
                (
                    CodonKind::Debuff,
                    "a piece left on the target square is own; no side wrap: the left and right edge of the board are not connected"
                ),
                (CodonKind::Effect, "onto an own piece: not allowed"),
                (CodonKind::Effect, "onto an enemy piece: the piece moves there"),
                (
                    CodonKind::Effect,
                    "onto an empty square: the moving piece stands on the start square then, the piece from the target square on the \
                     target square"
                ),
                (CodonKind::Frame, "the movement of this block follows"),
                (CodonKind::Step, "go 1 square, which the piece may move to; turn"),
                (CodonKind::Jump, "go 2 squares, over other pieces; turn"),
                (CodonKind::Jump, "stay, over other pieces; turn"),
            ]
        );
        assert_eq!((codons[1].at, codons[1].len), (4, 3));
    }

    #[test]
    fn says_that_a_block_without_movement_codons_has_no_moves() {
        let words = |text: &str| explain(text).0.get(6).map(|codon| codon.words.clone());
        let (none, some) =
            ("the block ends without movement codons: it has no moves", "the movement of this block follows");
        let block = "AHHHSHHSHCHACHACHAHHA";
        for (rest, expected) in [("", none), (block, none), ("SAS", some), ("AHX", some), ("S", some), ("AHH", none)] {
            assert_eq!(words(&format!("{block}{rest}")).as_deref(), Some(expected), "{rest}");
        }
    }

    #[test]
    fn gives_no_meaning_to_codons_after_the_first_error() {
        let (codons, error) = explain("SASAHX");
        assert_eq!((codons.len(), error.map(|error| error.at)), (0, Some(0)));
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

    #[test]
    fn shows_the_surroundings_of_an_error_in_long_dna() {
        let block = "AHH HSH HSH CHA CHA CHA HHA ";
        for fault in [0, 1, 5, 9] {
            let text = format!("{}AHH HHS {}", block.repeat(fault), block.repeat(9 - fault));
            let error = explain(&text).1.unwrap();
            let shown = underline(&text, error);
            let (line, carets) = shown.split_once('\n').unwrap();
            assert!(line.len() <= 79, "{line}");
            assert_eq!(line.get(carets.find('^').unwrap()..carets.len()), Some("HHS"), "{shown}");
            assert_eq!((line.starts_with("..."), line.ends_with("...")), (fault > 1, fault < 9), "{shown}");
        }
        let long_fault = format!("AHH H{}HS", " ".repeat(200));
        assert!(underline(&long_fault, explain(&long_fault).1.unwrap()).lines().all(|line| line.len() < 79));
    }
}
