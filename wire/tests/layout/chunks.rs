use chess::{Game, Position};
use proptest::prelude::*;
use wire::layout::{DecodeError, DecodeErrorKind, Decoder, Encoder};

use super::{any_game, decode, encode, game, game_from};

/// Feeds the bytes in chunks of these lengths, repeating the list of lengths.
fn decode_in_chunks(bytes: &[u8], lengths: &[usize]) -> Result<Box<Game>, DecodeError> {
    let mut game = game("d2d4");
    let mut decoder = Decoder::new(&mut game);
    let mut rest = bytes;
    for &length in lengths.iter().cycle() {
        let (chunk, remaining) = rest.split_at(length.min(rest.len()));
        if let Err(error) = decoder.feed(chunk, &mut game) {
            assert_eq!(*game, Game::new(), "an error leaves a new game");
            return Err(error);
        }
        if remaining.is_empty() {
            break;
        }
        rest = remaining;
    }
    let result = decoder.finish(&mut game);
    if result.is_err() {
        assert_eq!(*game, Game::new(), "an error leaves a new game");
    }
    result.map(|()| game)
}

fn encode_in_chunks(game: &Game, mut encoder: Encoder, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; length];
    while encoder.remaining() > 0 {
        let count = encoder.write(game, &mut buffer);
        assert!(count > 0);
        bytes.extend(&buffer[..count]);
    }
    assert_eq!(encoder.write(game, &mut buffer), 0);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_chunked_state_round_trips(
        game in any_game(200),
        lengths in prop::collection::vec(1..90_usize, 1..5),
    ) {
        let bytes = encode(&game);
        let encoder = Encoder::new(&game).unwrap();
        prop_assert_eq!(encode_in_chunks(&game, encoder, lengths[0]), bytes.clone());
        prop_assert_eq!(decode_in_chunks(&bytes, &lengths), Ok(game));
    }

    /// The error of a damaged state, with its offset, does not depend on the chunk lengths.
    #[test]
    fn a_damaged_chunked_state_has_the_same_error(
        game in any_game(60),
        place in any::<prop::sample::Index>(),
        change in 0..=255_u8,
        missing in 0..20_usize,
        lengths in prop::collection::vec(0..40_usize, 1..5),
    ) {
        prop_assume!(lengths.iter().any(|&length| length > 0));
        let mut bytes = encode(&game);
        let offset = place.index(bytes.len());
        bytes[offset] ^= change;
        bytes.truncate(bytes.len() - missing);
        prop_assert_eq!(decode_in_chunks(&bytes, &lengths), decode(&bytes));
    }

    /// Moves without a header can start from any position, including positions that a state cannot hold.
    #[test]
    fn moves_without_a_header_round_trip(choices in prop::collection::vec(any::<u8>(), 0..80), length in 1..20_usize) {
        let mut game = game_from("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/5Q1p/PP1BBPPP/R3K2R b KQkq c3 0 34");
        for choice in choices {
            let legal = game.position().legal_moves();
            let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            if game.play(mv).is_err() {
                break;
            }
        }
        let bytes = encode_in_chunks(&game, Encoder::of_moves(&game), length);
        let mut copy = Box::new(Game::new());
        let mut decoder = Decoder::of_moves(&mut copy, *game.start());
        for chunk in bytes.chunks(length) {
            prop_assert_eq!(decoder.feed(chunk, &mut copy), Ok(()));
        }
        prop_assert_eq!(decoder.finish(&mut copy), Ok(()));
        prop_assert_eq!(copy, game);
    }
}

#[test]
fn errors_in_moves_without_a_header_count_from_the_first_move() {
    let mut game = Box::new(Game::new());
    let mut decoder = Decoder::of_moves(&mut game, Position::start());
    let error = decoder.feed(&[12, 28, 12, 28], &mut game).unwrap_err();
    assert_eq!((error.offset, error.kind), (2, DecodeErrorKind::Illegal("e2e4".parse().unwrap())));

    let mut decoder = Decoder::of_moves(&mut game, Position::start());
    decoder.feed(&[12, 28, 52], &mut game).unwrap();
    let error = decoder.finish(&mut game).unwrap_err();
    assert_eq!((error.offset, error.kind), (3, DecodeErrorKind::EndsInMove));
}
