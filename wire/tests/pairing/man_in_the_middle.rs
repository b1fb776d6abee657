use std::collections::HashSet;

use chess::Bitboard;
use proptest::prelude::*;
use wire::pairing::{Message, PairingError, SQUARES};

use crate::{from_board, from_relay, handshake};

proptest! {
    /// Both ends of one handshake show the same eight squares.
    #[test]
    fn both_ends_have_the_same_squares(keys: [[u8; 32]; 2], nonces: [[u8; 16]; 2]) {
        let (mut board, mut relay) = handshake(keys[0], keys[1], nonces[0]);
        let request = Message::Request { nonce: nonces[1], name: "kitchen", software: "test" };
        let mut frame = from_board(&mut board, &request);
        prop_assert_eq!(relay.receive(&mut frame).unwrap(), request);
        let revealed = Message::Reveal { nonce: relay.nonce() };
        let mut frame = from_relay(&mut relay, &revealed);
        let Message::Reveal { nonce } = board.receive(&mut frame).unwrap() else { panic!("the relay reveals its nonce") };
        let squares = board.squares(&nonce, &nonces[1]).unwrap();
        prop_assert_eq!(squares, relay.squares(&nonces[1]));
        prop_assert_eq!(squares.count() as usize, SQUARES);
    }

    /// A man in the middle who forwards commitment and nonces of the real ends makes them show different squares, because the
    /// handshakes differ.
    #[test]
    fn squares_differ_with_a_man_in_the_middle(keys: [[u8; 32]; 4], nonces: [[u8; 16]; 2]) {
        prop_assume!(keys.iter().collect::<HashSet<_>>().len() == 4);
        let (board, _) = handshake(keys[0], keys[1], nonces[0]);
        let (_, relay) = handshake(keys[2], keys[3], nonces[0]);
        prop_assert_ne!(board.squares(&nonces[0], &nonces[1]).unwrap(), relay.squares(&nonces[1]));
    }

    /// The commitment fixes the nonce of the relay: it cannot be chosen after the nonce of the board is known.
    #[test]
    fn a_nonce_other_than_the_promised_one_is_rejected(keys: [[u8; 32]; 2], promised: [u8; 16], other: [u8; 16]) {
        prop_assume!(promised != other);
        let (board, _) = handshake(keys[0], keys[1], promised);
        prop_assert_eq!(board.squares(&other, &[0; 16]), Err(PairingError::Commitment));
    }
}

/// The squares are spread over the whole board, and hardly ever the same: of 2,000 sets no two are equal, and each square is in
/// about an eighth of them.
#[test]
fn squares_are_evenly_distributed() {
    let (_, relay) = handshake([1; 32], [2; 32], [3; 16]);
    let sets: Vec<Bitboard> = (0..2_000_u128).map(|nonce| relay.squares(&nonce.to_le_bytes())).collect();
    assert_eq!(sets.iter().map(|set| set.0).collect::<HashSet<_>>().len(), sets.len());
    for square in chess::Square::all() {
        let count = sets.iter().filter(|set| set.has(square)).count();
        assert!((170..=330).contains(&count), "{square} is in {count} sets");
    }
}
