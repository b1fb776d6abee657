use chess::{Game, Move};
use proptest::prelude::*;
use wire::layout::{self, DecodeErrorKind, EncodeError, MAX_LEN, MIN_LEN};

use super::{any_game, decode, encode, game};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_game_round_trips(game in any_game(300)) {
        let bytes = encode(&game);
        prop_assert!((MIN_LEN..=MAX_LEN).contains(&bytes.len()));
        let copy = decode(&bytes);
        prop_assert_eq!(copy.as_deref(), Ok(&*game));
        prop_assert_eq!(encode(&copy.unwrap()), bytes);
    }

    #[test]
    fn a_changed_byte_is_rejected_or_gives_another_valid_state(
        game in any_game(60),
        place in any::<prop::sample::Index>(),
        change in 1..=255_u8,
    ) {
        let mut bytes = encode(&game);
        let offset = place.index(bytes.len());
        bytes[offset] ^= change;
        check_changed(&bytes, &game);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = decode(&bytes);
    }

    /// Bytes that are valid one by one reach the deeper checks.
    #[test]
    fn plausible_bytes_never_panic(
        head in (0..2_u8, 0..3_u8, 0..2_u8, 0..16_u8),
        board in prop::collection::vec(0..=24_u8, 64),
        captured in prop::collection::vec(1..=24_u8, 0..40),
        history in prop::collection::vec(0..64_u8, 0..20),
    ) {
        let mut bytes = vec![head.0, head.1, head.2, head.3];
        bytes.extend(board);
        bytes.extend(captured);
        bytes.push(0);
        bytes.extend(history);
        let _ = decode(&bytes);
    }

    #[test]
    fn a_buffer_that_is_too_small_stays_unchanged(game in any_game(60), missing in any::<prop::sample::Index>()) {
        let needed = encode(&game).len();
        let mut buffer = vec![0xaa; missing.index(needed)];
        prop_assert_eq!(layout::encode(&game, &mut buffer), Err(EncodeError::Buffer { needed }));
        prop_assert!(buffer.iter().all(|&byte| byte == 0xaa));
    }
}

#[test]
fn no_single_byte_change_decodes_to_the_same_game() {
    for moves in [
        "",
        "e2e4",
        "f2f3 e7e5 g2g4 d8h4",
        "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8q",
        "e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 g1f3 g7g6 f1e2 f8g7 e1g1 e8g8",
    ] {
        let game = game(moves);
        let mut bytes = encode(&game);
        for offset in 0..bytes.len() {
            let byte = bytes[offset];
            for other in (0..=255).filter(|&other| other != byte) {
                bytes[offset] = other;
                check_changed(&bytes, &game);
            }
            bytes[offset] = byte;
        }
    }
}

/// Changed bytes that are accepted must be a valid state. A state with moves is encoded as exactly these bytes. A state
/// without moves is a set-up position, which must round-trip.
fn check_changed(bytes: &[u8], original: &Game) {
    match decode(bytes) {
        Ok(game) if game.moves().is_empty() => {
            let again = encode(&game);
            assert_eq!(again[..4], bytes[..4]);
            for (square, (one, other)) in again[4..68].iter().zip(&bytes[4..68]).enumerate() {
                assert!(one == other || one.abs_diff(*other) == 6, "{square}: {one} is not {other}");
            }
            assert_eq!(*decode(&again).unwrap(), *game);
        }
        Ok(game) => {
            assert_ne!(*game, *original);
            assert_eq!(encode(&game), bytes);
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error}");
            let text = error.to_string();
            assert!(text.starts_with(&format!("byte {}: ", error.offset)) && !text.contains('\n'), "{text}");
        }
    }
}

#[test]
fn decoding_overwrites_a_game_in_progress() {
    let expected = game("e2e4 e7e5");
    let mut bytes = encode(&expected);
    let mut used = game("g1f3 g8f6 f3g1 f6g8 f2f3 e7e5 g2g4 d8h4");
    assert!(layout::decode(&bytes, &mut used).is_ok());
    assert_eq!(*used, *expected);
    for offset in [0, 1, 40, 72] {
        bytes[offset] ^= 0x40;
        assert!(layout::decode(&bytes, &mut used).is_err());
        assert_eq!(*used, Game::new());
        bytes[offset] ^= 0x40;
        assert!(layout::decode(&bytes, &mut used).is_ok());
    }
}

/// All four promotions of both sides, with and without a capture.
#[test]
fn promotions_are_tagged() {
    let white = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6";
    let black = "b2b4 a7a5 h2h3 a5b4 h3h4 b4b3 h4h5 b3a2 b1c3 h7h6 a1b1";
    for (moves, takes, steps) in [(white, "b7a8", "b7b8"), (black, "a2b1", "a2a1")] {
        for (letter, tag) in [('q', 1), ('n', 2), ('b', 3), ('r', 4)] {
            for squares in [takes, steps] {
                let game = game(&format!("{moves} {squares}{letter}"));
                let bytes = encode(&game);
                let mv: Move = squares.parse().unwrap();
                let expected = [mv.from().index(), mv.to().index() | 0x80, tag];
                assert_eq!(bytes[bytes.len() - 3..], expected, "{squares}{letter}");
                assert_eq!(*decode(&bytes).unwrap(), *game);
            }
        }
    }
}

/// Plays for as long as the rules allow: piece moves until the seventy-five-move rule is near, then one pawn step, or a
/// capture if no pawn can step. The moves are most of the state and must fit.
#[test]
fn a_game_of_thousands_of_moves_fits() {
    let mut game = Box::new(Game::new());
    let mut seed = 1_u64;
    while game.outcome().is_none() {
        let position = *game.position();
        let mut legal = position.legal_moves().to_vec();
        // The move that prolongs the game most comes first; a random one of equal moves.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let len = legal.len();
        legal.rotate_left((seed >> 33) as usize % len);
        legal.sort_by_key(|&mv| {
            let next = position.play(mv).unwrap();
            let resets = next.halfmoves() == 0;
            let step = mv.from().index().abs_diff(mv.to().index());
            let ends = !next.has_legal_move() || next.is_insufficient_material();
            (ends, resets != (position.halfmoves() >= 148), resets && position.is_capture(mv), resets && step != 8)
        });
        game.play(legal[0]).unwrap();
    }
    assert!(game.moves().len() > 5000, "{} plies", game.moves().len());
    let bytes = encode(&game);
    assert!(bytes.len() <= MAX_LEN);
    assert_eq!(*decode(&bytes).unwrap(), *game);

    // Any further move comes after the end of the game.
    let mut more = bytes.clone();
    more.extend([12, 28]);
    let error = decode(&more).unwrap_err();
    assert_eq!((error.offset, error.kind), (bytes.len(), DecodeErrorKind::Over(game.outcome().unwrap())));
}

#[test]
fn the_maximum_length_is_the_sum_of_the_longest_parts() {
    let (facts, board, captured, end) = (4, 64, 30, 1);
    let (plies, promotions) = (17_697, 16);
    assert_eq!(MAX_LEN, facts + board + captured + end + 2 * plies + promotions);
    assert_eq!(chess::MAX_PLIES, plies);
    assert_eq!(encode(&game("")).len(), MIN_LEN);
}
