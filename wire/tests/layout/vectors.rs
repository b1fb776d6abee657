use chess::Game;
use serde_json::Value;
use wire::layout;

use super::{decode, encode, game};

struct Vector {
    name: String,
    moves: String,
    fen: String,
    bytes: Vec<u8>,
}

/// Games with the bytes that an independent implementation of the specification writes for them.
fn vectors() -> Vec<Vector> {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../data/layout.json")).expect("a list of vectors");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    vectors
        .iter()
        .map(|vector| Vector {
            name: text(&vector["name"]),
            moves: vector["uci"].as_array().expect("moves").iter().map(text).collect::<Vec<_>>().join(" "),
            fen: text(&vector["fen"]),
            bytes: text(&vector["hex"])
                .as_bytes()
                .chunks(2)
                .map(|digits| u8::from_str_radix(str::from_utf8(digits).expect("ASCII"), 16).expect("hex"))
                .collect(),
        })
        .collect()
}

#[test]
fn encodes_the_vectors() {
    assert_eq!(vectors().len(), 40);
    for vector in vectors() {
        let game = game(&vector.moves);
        assert_eq!(game.position().fen().to_string(), vector.fen, "{}", vector.name);
        assert_eq!(encode(&game), vector.bytes, "{}", vector.name);
    }
}

#[test]
fn decodes_the_vectors() {
    for vector in vectors() {
        let expected = game(&vector.moves);
        let mut game = Box::new(Game::new());
        let state = layout::decode(&vector.bytes, &mut game).expect(&vector.name);
        assert_eq!(*game, *expected, "{}", vector.name);

        let position = expected.position();
        assert_eq!(state.turn(), position.turn());
        assert_eq!(state.checked(), position.is_check().then_some(position.turn()));
        assert_eq!(state.mate(), position.is_checkmate());
        assert_eq!(state.rights(), position.castling());
        for square in chess::Square::all() {
            assert_eq!(state.piece(square).map(|tracked| tracked.piece), position.piece_at(square));
        }
        assert_eq!(32 - state.captured().len(), position.occupied().count() as usize);
        assert!(state.history().eq(expected.moves().iter().copied()));
    }
}

/// A truncated state is rejected, unless no move is left and it is a set-up position, or the missing moves led back to
/// the same position.
#[test]
fn a_truncated_vector_is_rejected_or_a_valid_state() {
    // Each length replays the whole game, so the longest games are left out.
    for vector in vectors().into_iter().filter(|vector| vector.bytes.len() < 450) {
        for len in 0..vector.bytes.len() {
            let cut = &vector.bytes[..len];
            match decode(cut) {
                Ok(game) if game.moves().is_empty() => assert_eq!(cut.last(), Some(&0), "{} at {len}", vector.name),
                Ok(game) => assert_eq!(encode(&game), cut, "{} at {len}", vector.name),
                Err(error) => assert!(error.offset <= len, "{} at {len}", vector.name),
            }
        }
    }
}
