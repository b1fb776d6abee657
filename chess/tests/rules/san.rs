//! Moves in short algebraic notation.

use chess::{Move, Position, Role, SanError, Unexpected};
use proptest::prelude::any;
use shakmaty::san::SanPlus;

use crate::random_games::{check, positions, random_games};
use crate::reference_engines::Shakmaty;

#[test]
fn moves_of_games_match_shakmaty_and_round_trip() {
    check(400, &random_games(100), |random_game| {
        let mut shakmaty = Shakmaty::from_position(&random_game.start);
        random_game.play(|game, mv| {
            write_and_read(game.position(), &shakmaty);
            if let Some(mv) = mv {
                shakmaty.play(mv);
            }
        });
    });
}

/// Set-ups have crowds of pieces that all go to one square, as few games do.
#[test]
fn moves_of_set_up_positions_match_shakmaty_and_round_trip() {
    check(3000, &positions(), |position| write_and_read(&position, &Shakmaty::from_position(&position)));
}

fn write_and_read(position: &Position, shakmaty: &Shakmaty) {
    for (ours, theirs) in shakmaty.moves() {
        let san = position.san(ours).expect("it is legal").to_string();
        assert_eq!(san, SanPlus::from_move(shakmaty.0.clone(), theirs).to_string(), "{ours}");
        assert_eq!(position.parse_san(&san), Ok(ours), "{san}");
    }
}

#[test]
fn accepts_missing_and_redundant_parts() {
    check(1000, &positions(), |position| {
        for &mv in &position.legal_moves() {
            for text in other_spellings(&position, mv) {
                assert_eq!(position.parse_san(&text), Ok(mv), "{text} for {mv}");
            }
            if !position.is_capture(mv) {
                let text = in_full(&position, mv, "x");
                assert_eq!(position.parse_san(&text), Err(SanError::NoSuchMove), "{text} takes nothing");
            }
        }
    });
}

/// Ways to write a move that are not ours, but cannot mean anything else.
fn other_spellings(position: &Position, mv: Move) -> Vec<String> {
    let san = position.san(mv).expect("it is legal").to_string();
    let bare = san.trim_end_matches(['+', '#']);
    let mut texts: Vec<String> =
        ["", "+", "++", "#", "!", "?", "!?", "??", "+!", "#!!"].map(|mark| format!("{bare}{mark}")).to_vec();
    if position.castling_rook(mv).is_some() {
        texts.push(san.replace('O', "0"));
        texts.push(bare.replace('O', "0"));
        return texts;
    }
    texts.push(san.replace('x', ""));
    texts.push(san.replace('x', ":"));
    texts.push(san.replace('=', ""));
    texts.push(san.replace(['x', '='], ""));

    texts.push(in_full(position, mv, ""));
    texts.push(in_full(position, mv, "-"));
    if position.is_capture(mv) {
        texts.push(in_full(position, mv, "x"));
    }
    if position.of_role(Role::Pawn).has(mv.from()) {
        texts.push(format!("P{}", in_full(position, mv, "")));
    }
    texts
}

/// A move with both its squares, and with this between them.
fn in_full(position: &Position, mv: Move, between: &str) -> String {
    let role = position.piece_at(mv.from()).expect("something moves").role();
    let letter = if role == Role::Pawn { String::new() } else { role.letter().to_string() };
    let becomes = mv.promotion().map(|promotion| format!("={}", promotion.role().letter())).unwrap_or_default();
    format!("{letter}{}{between}{}{becomes}", mv.from(), mv.to())
}

#[test]
fn rejects_ambiguous_and_unmatched_moves() {
    let position: Position = "4k3/4P3/8/1N3N2/8/4p3/3P4/R3K2R w KQ - 0 1".parse().expect("a position");
    for text in ["Nd4", "Nd6", "N5d4", "Nbfd4"] {
        assert!(position.parse_san(text).is_err(), "{text}");
    }
    let ambiguous = position.parse_san("Nd6");
    assert!(
        matches!(ambiguous, Err(SanError::Ambiguous(one, other))
            if one != other && [one, other].iter().all(|mv| ["b5d6", "f5d6"].contains(&mv.to_string().as_str()))),
        "{ambiguous:?}"
    );
    for text in ["Nbd6", "Nfd6+", "dxe3", "d4", "d3", "Rb1", "O-O", "O-O-O", "0-0-0", "Kd1"] {
        assert!(position.parse_san(text).is_ok(), "{text}: {:?}", position.parse_san(text));
    }
    for text in [
        // Nothing of the kind is there, or it cannot go there.
        "Qd1", "Bd1", "e8=Q", "d5", "Ke3", "Nc4", "N5d6", "Nad6",
        // It would be a capture of nothing, or a pawn that does not become anything.
        "dxe4", "Nxd4", "d8", "d4=Q",
    ] {
        let refused = position.parse_san(text);
        assert!(matches!(refused, Err(SanError::NoSuchMove | SanError::Ambiguous(..))), "{text}: {refused:?}");
    }
}

#[test]
fn errors_name_the_character() {
    for (text, at, found) in [
        ("", 0, None),
        ("N", 1, None),
        ("Nf", 2, None),
        ("Nf9", 2, Some('9')),
        ("Nx", 2, None),
        ("Nf3x", 4, None),
        ("e", 1, None),
        ("e4 ", 2, Some(' ')),
        ("e44", 2, Some('4')),
        ("i4", 0, Some('i')),
        ("e8=", 3, None),
        ("e8=K", 3, Some('K')),
        ("e8=P", 3, Some('P')),
        ("O", 1, None),
        ("O-", 2, None),
        ("O-0", 2, Some('0')),
        ("O-O-", 4, None),
        ("O-O-O-O", 5, Some('-')),
        ("0-0-O", 4, Some('O')),
        ("e4!+", 3, Some('+')),
        ("e4#+", 3, Some('+')),
        ("♞f3", 0, Some('♞')),
        ("Nf3♞", 3, Some('♞')),
        ("Nf3+++", 5, Some('+')),
    ] {
        let refused = Position::start().parse_san(text);
        assert_eq!(refused, Err(SanError::Unexpected(Unexpected { at, found })), "{text:?}");
    }
}

#[test]
fn random_text_is_one_legal_move_or_an_error_at_a_character() {
    let almost = "[PNBRQKO0a-h]?[a-h1-9-]{0,2}[-x:]?[a-h][1-9O]?=?[QRBNK]?[+#]?[!?♞]{0,2}";
    check(2000, &(positions(), almost), |(position, text)| read_refused_inside(&position, &text));
    check(1000, &any::<String>(), |text| read_refused_inside(&Position::start(), &text));
}

fn read_refused_inside(position: &Position, text: &str) {
    match position.parse_san(text) {
        Ok(mv) => assert!(position.is_legal(mv), "{text:?}"),
        Err(SanError::Unexpected(Unexpected { at, found })) => {
            assert!(at <= text.chars().count(), "{text:?} at {at}");
            assert_eq!(found, text.chars().nth(at), "{text:?} at {at}");
        }
        Err(SanError::Ambiguous(one, other)) => {
            assert!(one != other && position.is_legal(one) && position.is_legal(other), "{text:?}");
        }
        Err(SanError::NoSuchMove) => {}
    }
}

#[test]
fn rejects_castling_written_as_a_king_move() {
    let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().expect("a position");
    for text in ["Kg1", "Kc1", "Ke1g1"] {
        assert_eq!(position.parse_san(text), Err(SanError::NoSuchMove), "{text}");
    }
}
