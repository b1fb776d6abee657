use chess::{Game, Piece, Position, Setup, Square};
use proptest::prelude::*;
use wire::layout::{self, EncodeError};

use super::{any_game, decode, encode, game_from};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_position_round_trips_as_a_set_up_position(game in any_game(150)) {
        let setup = Setup { en_passant: None, halfmoves: 0, fullmoves: 1, ..Setup::from(game.position()) };
        let mut set_up = Box::new(Game::new());
        set_up.restart(setup.position().unwrap());
        let bytes = encode(&set_up);
        prop_assert_eq!(bytes.len(), layout::MIN_LEN);
        let copy = decode(&bytes);
        prop_assert_eq!(copy.as_deref(), Ok(&*set_up));
    }
}

#[test]
fn set_up_positions_round_trip() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1",
        // Check, checkmate, stalemate, insufficient material.
        "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        // Seven queens of one side, pawns on their start rank and one step before promotion.
        "3qk3/P6p/8/8/8/8/p6P/QQQQKQQQ w - - 0 1",
    ] {
        let game = game_from(fen);
        let bytes = encode(&game);
        assert_eq!(decode(&bytes).as_deref(), Ok(&*game), "{fen}");
        assert_eq!(game.position().fen().to_string(), fen);
    }
}

#[test]
fn rejects_games_that_the_state_cannot_hold() {
    for (fen, error) in [
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", EncodeError::SetUpEnPassant(Square::E3)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7 1", EncodeError::SetUpHalfmoves(7)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 9", EncodeError::SetUpFullmoves(9)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", EncodeError::SetUpFullmoves(2)),
    ] {
        let mut buffer = [0; layout::MIN_LEN];
        assert_eq!(layout::encode(&game_from(fen), &mut buffer), Err(error), "{fen}");
        assert!(!error.to_string().is_empty());
    }
    let mut game = game_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    game.play("e2e4".parse().unwrap()).unwrap();
    assert_eq!(layout::encode(&game, &mut [0; 100]), Err(EncodeError::SetUpMoves));
}

/// A set-up state may have moved flags and captured pieces that a [`Game`] does not store.
#[test]
fn the_view_shows_moved_flags_and_captures_of_a_set_up_position() {
    let fen = "r1bqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut bytes = encode(&game_from(fen));
    bytes[4 + 1] = 9;
    bytes.splice(68..68, [1, 15, 19]);
    let mut game = Box::new(Game::new());
    let state = layout::decode(&bytes, &mut game).unwrap();
    assert_eq!(game.position(), &fen.parse::<Position>().unwrap());
    assert!(state.piece(Square::B1).unwrap().moved);
    let captured: Vec<(Piece, bool)> = state.captured().map(|captured| (captured.piece, captured.moved)).collect();
    assert_eq!(captured, [(Piece::WhitePawn, false), (Piece::BlackKnight, false), (Piece::BlackPawn, true)]);
    assert_eq!(state.history().count(), 0);
}
