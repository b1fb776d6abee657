//! DNA in words, codon by codon.

use rules::genome::{Codon, Content, Debuff, Dna, DnaError, Letter, Reason, Step};
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
    #[serde(flatten)]
    pub(crate) said: Said,
    pub(crate) words: String,
}

/// A text of the page by its code, which is a key of its language files after `dna.`, and the values in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Said {
    pub(crate) says: &'static str,
    /// Codes of other texts, by the placeholder that they fill.
    #[serde(flatten)]
    pub(crate) codes: Codes,
    /// A codon or character that the text names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Codes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) onto: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) debuff: Option<&'static str>,
}

impl Said {
    pub(crate) fn of(says: &'static str) -> Self {
        Self::with(says, Codes::default())
    }

    pub(crate) const fn with(says: &'static str, codes: Codes) -> Self {
        Self { says, codes, found: None, count: None }
    }

    fn found(says: &'static str, found: &impl ToString) -> Self {
        Self { found: Some(found.to_string()), ..Self::of(says) }
    }

    fn counted(says: &'static str, count: impl Into<usize>) -> Self {
        Self { count: Some(count.into()), ..Self::of(says) }
    }
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
        let (meaning, said, words) = match meaning(place, codon) {
            (meaning, ..) if place + 1 == SEPARATOR && is_motionless => {
                let words = "the block ends without movement codons: it has no moves";
                (meaning, Said::of("motionless"), words.to_owned())
            }
            explained => explained,
        };
        place += 1;
        let [(at, _), _, (last, _)] = *letters;
        Explained { at, len: last + 1 - at, codon, meaning, said, words }
    });
    (codons.collect(), error)
}

/// What the codon in this place of its block means. Seven codons are the separator.
fn meaning(place: usize, codon: Codon) -> (CodonKind, Said, String) {
    match place {
        0 => (CodonKind::Frame, Said::of("block"), "a block starts".to_owned()),
        1 => owner(["opponent_start", "own_start"], "start", codon),
        2 => owner(["opponent_target", "own_target"], "target", codon),
        3 => effect("onto_own", "onto an own piece", codon),
        4 => effect("onto_enemy", "onto an enemy piece", codon),
        5 => effect("onto_empty", "onto an empty square", codon),
        6 => (CodonKind::Frame, Said::of("movement"), "the movement of this block follows".to_owned()),
        _ => step(Step::from_codon(codon)),
    }
}

fn owner([opponent, own]: [&'static str; 2], square: &str, codon: Codon) -> (CodonKind, Said, String) {
    match Debuff::from_codon(codon) {
        None => {
            let words = format!("a piece left on the {square} square belongs to the opponent");
            (CodonKind::Owner, Said::of(opponent), words)
        }
        Some(debuff) => {
            let words = format!("a piece left on the {square} square is own; {debuff}: {}", debuff_words(debuff));
            let codes = Codes { debuff: Some(debuff_code(debuff)), ..Codes::default() };
            (CodonKind::Debuff, Said::with(own, codes), words)
        }
    }
}

const fn debuff_code(debuff: Debuff) -> &'static str {
    match debuff {
        Debuff::ForwardOnly => "forward_only",
        Debuff::Once => "once",
        Debuff::NoWrap => "no_wrap",
        Debuff::SameColor => "same_color",
        Debuff::OtherColor => "other_color",
        Debuff::Neighbours => "neighbours",
        Debuff::Freeze => "freeze",
        Debuff::Mutation => "mutation",
        Debuff::Deviation => "deviation",
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

pub(crate) const fn content_code(content: Content) -> &'static str {
    match content {
        Content::Mover => "mover",
        Content::Captured => "captured",
        Content::Nothing => "nothing",
    }
}

fn effect(onto: &'static str, target: &str, codon: Codon) -> (CodonKind, Said, String) {
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
    let codes = Codes { onto: Some(onto), ..Codes::default() };
    let (said, words) = match (start, end) {
        (Some(Content::Nothing), Some(Content::Mover)) => {
            (Said::with("moves", codes), format!("{target}: the piece moves there"))
        }
        (Some(start), Some(end)) => {
            let codes = Codes { start: Some(content_code(start)), target: Some(content_code(end)), ..codes };
            let words = format!(
                "{target}: {} stands on the start square then, {} on the target square",
                words(start),
                words(end)
            );
            (Said::with("leaves", codes), words)
        }
        _ => (Said::with("forbidden", codes), format!("{target}: not allowed")),
    };
    (CodonKind::Effect, said, words)
}

fn step(Step { distance, is_coloring }: Step) -> (CodonKind, Said, String) {
    let squares = match distance {
        0 => "stay".to_owned(),
        1 => "go 1 square".to_owned(),
        distance => format!("go {distance} squares"),
    };
    let said = |stays, goes| if distance == 0 { Said::of(stays) } else { Said::counted(goes, distance) };
    if is_coloring {
        (CodonKind::Step, said("stay", "step"), format!("{squares}, which the piece may move to; turn"))
    } else {
        (CodonKind::Jump, said("jump_stay", "jump"), format!("{squares}, over other pieces; turn"))
    }
}

/// Why DNA is invalid, for the page.
pub(crate) fn fault(reason: Reason) -> Said {
    match reason {
        Reason::Letter(character) => Said::found("letter", &character),
        Reason::Incomplete(_) => Said::of("incomplete"),
        Reason::TooLong => Said::counted("too_long", rules::genome::MAX_CODONS),
        Reason::Start(codon) => Said::found("not_start", &codon),
        Reason::Owner(codon) => Said::found("not_owner", &codon),
        Reason::Repeated(debuff) => Said::found("repeated", &debuff.codon()),
        Reason::Effect(codon) => Said::found("not_effect", &codon),
        Reason::End(codon) => Said::found("not_end", &codon),
        Reason::Separator(codons) => Said::counted("ends_early", codons),
        Reason::Movement(codon) => Said::found("not_step", &codon),
        Reason::TooManySteps => Said::of("too_many_steps"),
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

    /// Codes without a text would stop the page, and texts without a code would never be shown.
    #[test]
    fn the_codes_are_those_of_the_texts_of_the_page() {
        let english = include_str!("../../page/language/en.js");
        let keys = english.lines().filter_map(|line| line.trim().strip_prefix("\"dna.")?.split('"').next());
        let mut texts: Vec<String> = keys.map(str::to_owned).collect();
        let letters = [Letter::S, Letter::A, Letter::C, Letter::H];
        let codons = letters
            .iter()
            .flat_map(|&one| letters.iter().flat_map(move |&two| letters.map(|three| Codon::new([one, two, three]))));
        let mut said: Vec<Said> = codons.flat_map(|codon| (0..8).map(move |place| meaning(place, codon).1)).collect();
        said.extend(explain("AHHHSHHSHCHACHACHAHHA").0.into_iter().map(|codon| codon.said));
        let codon = Codon::START;
        said.extend(
            [
                Reason::Letter('X'),
                Reason::Incomplete(1),
                Reason::TooLong,
                Reason::Start(codon),
                Reason::Owner(codon),
                Reason::Repeated(Debuff::NoWrap),
                Reason::Effect(codon),
                Reason::End(codon),
                Reason::Separator(2),
                Reason::Movement(codon),
                Reason::TooManySteps,
            ]
            .map(fault),
        );
        said.extend(crate::genome::laboratory::everything_said());
        let codes = |Said { says, codes: Codes { onto, start, target, debuff }, .. }: &Said| {
            [Some(*says), *onto, *start, *target, *debuff].into_iter().flatten().map(str::to_owned).collect::<Vec<_>>()
        };
        let mut codes: Vec<String> = said.iter().flat_map(codes).collect();
        codes.sort();
        codes.dedup();
        texts.sort();
        assert_eq!(codes, texts);
    }

    #[test]
    fn a_codon_and_a_fault_have_their_code_and_values_in_json() {
        let json = |text: &str, at: usize| serde_json::to_value(&explain(text).0[at]).unwrap();
        let text = "AHH HSH HAA HHH SHA AHS HHA SAS CAC AAA";
        assert_eq!((&json(text, 2)["says"], &json(text, 2)["debuff"]), (&"own_target".into(), &"no_wrap".into()));
        let effect = json(text, 4);
        let codes =
            ["says", "onto", "start", "target"].map(|name| effect[name].as_str().unwrap_or_default().to_owned());
        assert_eq!(codes, ["leaves", "onto_enemy", "captured", "mover"]);
        assert_eq!((&json(text, 7)["says"], &json(text, 7)["count"]), (&"step".into(), &1.into()));
        let said = fault(explain("AHH HHS").1.unwrap().reason);
        assert_eq!(serde_json::to_value(said).unwrap(), serde_json::json!({"says": "not_owner", "found": "HHS"}));
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
