use chess::{Game, Position};
use proptest::prelude::*;
use wire::layout::{DecodeError, Decoder, Encoder, Reason};

use super::{any_game, decode, encode, game, game_from};

/// Feeds the bytes in pieces of these lengths, over and over.
fn decode_in_pieces(bytes: &[u8], lengths: &[usize]) -> Result<Box<Game>, DecodeError> {
    let mut game = game("d2d4");
    let mut decoder = Decoder::new(&mut game);
    let mut rest = bytes;
    for &length in lengths.iter().cycle() {
        let (piece, behind) = rest.split_at(length.min(rest.len()));
        if let Err(error) = decoder.feed(piece, &mut game) {
            assert_eq!(*game, Game::new(), "what is refused leaves nothing behind");
            return Err(error);
        }
        if behind.is_empty() {
            break;
        }
        rest = behind;
    }
    let result = decoder.finish(&mut game);
    if result.is_err() {
        assert_eq!(*game, Game::new(), "what is refused leaves nothing behind");
    }
    result.map(|()| game)
}

fn encode_in_pieces(game: &Game, mut encoder: Encoder, length: usize) -> Vec<u8> {
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
    fn a_state_in_pieces_is_the_same_state(
        game in any_game(200),
        lengths in prop::collection::vec(1..90_usize, 1..5),
    ) {
        let bytes = encode(&game);
        let encoder = Encoder::new(&game).unwrap();
        prop_assert_eq!(encode_in_pieces(&game, encoder, lengths[0]), bytes.clone());
        prop_assert_eq!(decode_in_pieces(&bytes, &lengths), Ok(game));
    }

    /// Wherever the cuts are, a damaged state is judged as in one piece, down to the byte and the reason.
    #[test]
    fn a_damaged_state_in_pieces_is_judged_the_same(
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
        prop_assert_eq!(decode_in_pieces(&bytes, &lengths), decode(&bytes));
    }

    /// Moves alone go from any position, also from those that the state has no bytes for.
    #[test]
    fn moves_alone_lead_to_the_same_game(choices in prop::collection::vec(any::<u8>(), 0..80), length in 1..20_usize) {
        let mut game = game_from("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/5Q1p/PP1BBPPP/R3K2R b KQkq c3 0 34");
        for choice in choices {
            let legal = game.position().legal_moves();
            let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            if game.play(mv).is_err() {
                break;
            }
        }
        let bytes = encode_in_pieces(&game, Encoder::of_moves(&game), length);
        let mut copy = Box::new(Game::new());
        let mut decoder = Decoder::of_moves(&mut copy, *game.start());
        for piece in bytes.chunks(length) {
            prop_assert_eq!(decoder.feed(piece, &mut copy), Ok(()));
        }
        prop_assert_eq!(decoder.finish(&mut copy), Ok(()));
        prop_assert_eq!(copy, game);
    }
}

#[test]
fn moves_alone_are_refused_where_they_are_wrong() {
    let mut game = Box::new(Game::new());
    let mut decoder = Decoder::of_moves(&mut game, Position::start());
    let error = decoder.feed(&[12, 28, 12, 28], &mut game).unwrap_err();
    assert_eq!((error.offset, error.reason), (2, Reason::Illegal("e2e4".parse().unwrap())));

    let mut decoder = Decoder::of_moves(&mut game, Position::start());
    decoder.feed(&[12, 28, 52], &mut game).unwrap();
    let error = decoder.finish(&mut game).unwrap_err();
    assert_eq!((error.offset, error.reason), (3, Reason::EndsInMove));
}
