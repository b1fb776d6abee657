//! FEN notation.

use chess::{FenError, FenField, Position, Setup, Unexpected};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::{Index, select};
use proptest::strategy::Strategy;

use crate::random_games::{check, positions};

#[test]
fn positions_round_trip() {
    check(4000, &positions(), |position| {
        let fen = position.fen().to_string();
        assert_eq!(fen.parse(), Ok(position), "{fen}");
        assert_eq!(fen.parse(), Ok(Setup::from(&position)), "{fen}");
    });
}

#[test]
fn counters_are_optional_and_several_spaces_allowed() {
    check(500, &positions(), |position| {
        let fen = position.fen().to_string();
        assert_eq!(fen.replace(' ', "   ").parse(), Ok(position), "{fen}");

        let fields: Vec<&str> = fen.split(' ').collect();
        let fresh = Setup { halfmoves: 0, fullmoves: 1, ..Setup::from(&position) };
        assert_eq!(fields[..4].join(" ").parse(), Ok(fresh), "{fen}");
        // One counter without the other is a mistake: the text ends too early.
        let cut = fields[..5].join(" ");
        let expected = Unexpected { at: cut.chars().count(), found: None };
        assert_eq!(cut.parse::<Setup>(), Err(FenError::Unexpected(FenField::Fullmoves, expected)), "{cut}");
    });
}

/// A mutation of a FEN.
#[derive(Clone, Copy, Debug)]
enum Slip {
    Replace(Index, char),
    Insert(Index, char),
    Leave(Index),
    Twice(Index),
    Exchange(Index, Index),
    Stop(Index),
}

impl Slip {
    fn apply(self, text: &mut Vec<char>) {
        let len = text.len();
        if len == 0 {
            return;
        }
        match self {
            Self::Replace(at, c) => *at.get_mut(text) = c,
            Self::Insert(at, c) => text.insert(at.index(len + 1), c),
            Self::Leave(at) => drop(text.remove(at.index(len))),
            Self::Twice(at) => text.insert(at.index(len), *at.get(text)),
            Self::Exchange(one, other) => text.swap(one.index(len), other.index(len)),
            Self::Stop(at) => text.truncate(at.index(len)),
        }
    }
}

fn slips() -> impl Strategy<Value = Slip> {
    let known = select("pnbrqkPNBRQK12345678/ wb-KQkqabcdefgh0123456789".chars().collect::<Vec<_>>());
    // Among them some that are more than one byte long, or digits elsewhere in the world.
    let strange = select(vec!['é', '٣', '९', '♞', '\u{1f600}', '\0', '\t', '\n', 'x', '.', '+']);
    let letters = proptest::prop_oneof![3 => known, 1 => strange].boxed();
    proptest::prop_oneof![
        (any::<Index>(), letters.clone()).prop_map(|(at, c)| Slip::Replace(at, c)),
        (any::<Index>(), letters).prop_map(|(at, c)| Slip::Insert(at, c)),
        any::<Index>().prop_map(Slip::Leave),
        any::<Index>().prop_map(Slip::Twice),
        any::<[Index; 2]>().prop_map(|[one, other]| Slip::Exchange(one, other)),
        any::<Index>().prop_map(Slip::Stop),
    ]
}

#[test]
fn errors_of_mutated_fens_name_a_character() {
    let texts = (positions(), vec(slips(), 1..=4)).prop_map(|(position, slips)| {
        let mut text: Vec<char> = position.fen().to_string().chars().collect();
        for slip in slips {
            slip.apply(&mut text);
        }
        text.into_iter().collect::<String>()
    });
    check(5000, &texts, |text| read_refused_inside(&text));
}

#[test]
fn errors_of_random_text_name_a_character() {
    check(1500, &any::<String>(), |text| read_refused_inside(&text));
}

fn read_refused_inside(text: &str) {
    match text.parse::<Position>() {
        Ok(position) => {
            let fen = position.fen().to_string();
            assert_eq!(fen.parse(), Ok(position));
            assert_eq!(spread(text), spread(&fen), "{text:?} is not {fen:?}");
        }
        Err(FenError::Unexpected(field, Unexpected { at, found })) => {
            assert!(at <= text.chars().count(), "{text:?} at {at}");
            assert_eq!(found, text.chars().nth(at), "{text:?} at {at}");
            // The field is the one the character stands in, or the next one if it stands where a gap should be.
            let before: String = text.chars().take(at).collect();
            let gaps = before.split(' ').filter(|part| !part.is_empty()).count();
            let gaps = if before.ends_with(' ') || before.is_empty() { gaps } else { gaps - 1 };
            let fields = [
                FenField::Board,
                FenField::Turn,
                FenField::Castling,
                FenField::EnPassant,
                FenField::Halfmoves,
                FenField::Fullmoves,
            ];
            let named = fields.iter().position(|&other| other == field);
            assert!(named == Some(gaps) || named == Some(gaps + 1), "{text:?} at {at} is not in the {field} field");
        }
        // Every character fits: then so does what they say, only no game can be played from it.
        Err(FenError::Setup(error)) => {
            let setup: Setup = text.parse().expect("its characters fit");
            assert_eq!(setup.position(), Err(error));
        }
    }
}

/// What a FEN says, however it says it: each empty square is a mark of its own, castling rights stand in one order,
/// numbers have no zeros before them and may be left out. The passed square is not looked at: we may forget it.
fn spread(fen: &str) -> (String, String, Vec<char>, [u32; 2]) {
    let fields: Vec<&str> = fen.split(' ').filter(|field| !field.is_empty()).collect();
    let square = |c: char| ".".repeat(c.to_digit(10).unwrap_or(0) as usize);
    let board = fields[0].chars().map(|c| if c.is_ascii_digit() { square(c) } else { c.to_string() }).collect();
    let mut castling: Vec<char> = fields[2].chars().collect();
    castling.sort_unstable();
    let number = |index, default| fields.get(index).map_or(default, |text: &&str| text.parse().expect("a number"));
    // Some count moves from 0, and mean 1.
    (board, fields[1].into(), castling, [number(4, 0), number(5, 1).max(1)])
}

#[test]
fn a_rank_has_eight_squares_in_any_notation() {
    let board = |rank: &str| format!("4k3/8/8/{rank}/8/8/8/4K3 w - -").parse::<Position>();
    for rank in ["8", "44", "1111111r", "r7", "3rr3", "71"] {
        assert!(board(rank).is_ok(), "{rank}: {:?}", board(rank));
    }
    for (rank, at, found) in [
        ("9", 8, '9'),
        ("0", 8, '0'),
        ("45", 9, '5'),
        ("r8", 9, '8'),
        ("7", 9, '/'),
        ("81", 9, '1'),
        ("8r", 9, 'r'),
        ("rrrrrrrrr", 16, 'r'),
        ("7é", 9, 'é'),
    ] {
        let expected = Unexpected { at, found: Some(found) };
        assert_eq!(board(rank), Err(FenError::Unexpected(FenField::Board, expected)), "{rank}");
    }
}

#[test]
fn move_number_0_is_read_as_1() {
    let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 0".parse().expect("some programs write it so");
    assert_eq!(position.fullmoves(), 1);
}
