//! A judge that never objects would be worth nothing, so it is shown what is wrong.

use cozy_chess::Square;
use serde_json::{Value, json};

use super::*;

/// A judge after these moves, as somebody else's rules write them.
fn judge(moves: &str) -> Judge {
    let mut judge = Judge::new();
    for mv in moves.split_whitespace() {
        let mv: Move = mv.parse().expect(mv);
        assert!(judge.board.is_legal(mv), "{mv}");
        judge.play(mv);
    }
    judge
}

/// What a relay shows that is right about this game.
fn shown(judge: &Judge) -> Value {
    let mut exposed = [false; 16];
    if let Some((color, file)) = judge.double_step {
        exposed[file + if color == Color::White { 8 } else { 0 }] = true;
    }
    let Kings { white, black } = judge.kings;
    let Rooks { a1, h1, a8, h8 } = judge.rooks;
    json!({
        "type": "game_state",
        "player_turn_id": if judge.is_white_to_move() { "w" } else { "b" },
        "board": judge.squares().to_vec(),
        "allow_en_passant": exposed,
        "has_king_moved": { "white": white, "black": black },
        "has_rook_moved": { "a1": a1, "h1": h1, "a8": a8, "h8": h8 },
    })
}

fn objection(judge: &Judge, shown: &Value) -> Option<String> {
    let text = shown.to_string();
    judge.objection(&serde_json::from_str(&text).expect("it is a state"), "w", "b")
}

#[test]
fn what_is_right_is_not_objected_to() {
    for moves in ["", "e2e4", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1", "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1a1 e8a8"]
    {
        let judge = judge(moves);
        assert_eq!(objection(&judge, &shown(&judge)), None, "{moves}");
    }
}

#[test]
fn a_lost_move_is_noticed() {
    let before = shown(&judge("e2e4 e7e5"));
    // With the turn put right, so that it is the board that is noticed.
    let mut told = before.clone();
    told["player_turn_id"] = "b".into();
    let judge = judge("e2e4 e7e5 g1f3");
    assert!(objection(&judge, &before).is_some_and(|why| why.contains("turn")));
    assert!(objection(&judge, &told).is_some_and(|why| why.contains("board")));
}

#[test]
fn everything_that_is_wrong_is_noticed() {
    let judge = judge("e2e4");
    let wrong = |pointer: &str, value: Value, word: &str| {
        let mut shown = shown(&judge);
        *shown.pointer_mut(pointer).expect(pointer) = value;
        let why = objection(&judge, &shown).unwrap_or_else(|| panic!("{pointer} is not looked at"));
        assert!(why.contains(word), "{why}");
    };
    wrong("/player_turn_id", "w".into(), "turn");
    wrong("/player_turn_id", Value::Null, "turn");
    for square in 0..64 {
        wrong(&format!("/board/{square}"), 7.into(), "board");
    }
    for file in (0..16).filter(|&file| file != 12) {
        wrong(&format!("/allow_en_passant/{file}"), true.into(), "en passant");
    }
    wrong("/allow_en_passant/12", false.into(), "en passant");
    for king in ["white", "black"] {
        wrong(&format!("/has_king_moved/{king}"), true.into(), "moved");
    }
    for rook in ["a1", "h1", "a8", "h8"] {
        wrong(&format!("/has_rook_moved/{rook}"), true.into(), "moved");
    }
    wrong("/board", json!([0, 0]), "board");
    wrong("/board", Value::Null, "board");
    wrong("/allow_en_passant", Value::Null, "en passant");
    wrong("/has_king_moved", Value::Null, "moved");
}

#[test]
fn games_are_over_when_they_are() {
    assert_eq!(judge("f2f3 e7e5 g2g4").result(), None);
    assert_eq!(judge("f2f3 e7e5 g2g4 d8h4").result(), Some("black_win"));
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    // The start position is there five times after four of these; three times is only a claim.
    assert_eq!(judge(&shuffle.repeat(2)).result(), None);
    assert_eq!(judge(&shuffle.repeat(4)).result(), Some("stalemate"));
    let bare = |fen: &str| Judge { board: fen.parse().expect(fen), ..Judge::new() }.result();
    assert_eq!(bare("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), Some("stalemate"));
    assert_eq!(bare("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), None);
    assert_eq!(bare("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some("stalemate"));
}

#[test]
fn moves_are_written_as_the_document_has_them() {
    let mut judge = judge("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    let castling = Move { from: Square::E1, to: Square::H1, promotion: None };
    assert_eq!(judge.landing(castling), Square::G1);
    judge.play(castling);
    assert!(judge.kings.white && judge.rooks.h1 && !judge.rooks.a1);
    let (_, words) = judge.pick(7).expect("there are moves");
    let words: Value = serde_json::from_str(&words).expect("it is JSON");
    assert_eq!((&words["type"], &words["ply"]), (&json!("move"), &json!(7)));
}
