//! The rules checker must notice every wrong field of a state.

use cozy_chess::Square;
use serde_json::{Value, json};

use super::*;

/// A checker after these moves, in cozy-chess's notation.
fn after(moves: &str) -> RulesChecker {
    let mut rules = RulesChecker::new();
    for mv in moves.split_whitespace() {
        let mv: Move = mv.parse().expect(mv);
        assert!(rules.board.is_legal(mv), "{mv}");
        rules.play(mv);
    }
    rules
}

/// The correct state of this game.
fn state_of(rules: &RulesChecker) -> Value {
    let mut en_passant = [false; 16];
    if let Some((color, file)) = rules.double_step {
        en_passant[file + if color == Color::White { 8 } else { 0 }] = true;
    }
    let KingsMoved { white, black } = rules.kings;
    let RooksMoved { a1, h1, a8, h8 } = rules.rooks;
    json!({
        "type": "game_state",
        "player_turn_id": if rules.is_white_to_move() { "w" } else { "b" },
        "board": rules.squares().to_vec(),
        "allow_en_passant": en_passant,
        "has_king_moved": { "white": white, "black": black },
        "has_rook_moved": { "a1": a1, "h1": h1, "a8": a8, "h8": h8 },
    })
}

fn contradiction(rules: &RulesChecker, state: &Value) -> Option<String> {
    let text = state.to_string();
    rules.contradiction(&serde_json::from_str(&text).expect("a state"), "w", "b")
}

#[test]
fn accepts_correct_states() {
    for moves in ["", "e2e4", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1", "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1a1 e8a8"]
    {
        let rules = after(moves);
        assert_eq!(contradiction(&rules, &state_of(&rules)), None, "{moves}");
    }
}

#[test]
fn detects_a_lost_move() {
    let before = state_of(&after("e2e4 e7e5"));
    // With the right turn, so that only the board differs.
    let mut right_turn = before.clone();
    right_turn["player_turn_id"] = "b".into();
    let rules = after("e2e4 e7e5 g1f3");
    assert!(contradiction(&rules, &before).is_some_and(|why| why.contains("turn")));
    assert!(contradiction(&rules, &right_turn).is_some_and(|why| why.contains("board")));
}

#[test]
fn detects_every_wrong_field() {
    let rules = after("e2e4");
    let wrong = |pointer: &str, value: Value, word: &str| {
        let mut state = state_of(&rules);
        *state.pointer_mut(pointer).expect(pointer) = value;
        let why = contradiction(&rules, &state).unwrap_or_else(|| panic!("{pointer} is not checked"));
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
fn ends_games_by_the_rules() {
    assert_eq!(after("f2f3 e7e5 g2g4").result(), None);
    assert_eq!(after("f2f3 e7e5 g2g4 d8h4").result(), Some("black_win"));
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    // Fivefold repetition ends the game after four rounds; threefold needs a claim.
    assert_eq!(after(&shuffle.repeat(2)).result(), None);
    assert_eq!(after(&shuffle.repeat(4)).result(), Some("stalemate"));
    let bare = |fen: &str| RulesChecker { board: fen.parse().expect(fen), ..RulesChecker::new() }.result();
    assert_eq!(bare("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), Some("stalemate"));
    assert_eq!(bare("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), None);
    assert_eq!(bare("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some("stalemate"));
}

#[test]
fn writes_moves_as_the_protocol_documents_them() {
    let mut rules = after("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    let castling = Move { from: Square::E1, to: Square::H1, promotion: None };
    assert_eq!(rules.destination(castling), Square::G1);
    rules.play(castling);
    assert!(rules.kings.white && rules.rooks.h1 && !rules.rooks.a1);
    let (_, text) = rules.pick_move(7).expect("a legal move");
    let message: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&message["type"], &message["ply"]), (&json!("move"), &json!(7)));
}
