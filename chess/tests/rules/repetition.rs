//! The same position again: a claim at the third time, the end at the fifth.

use chess::{ClaimError, DrawClaim, DrawReason, File, Move, Outcome, PlayError, Rank, Square};

use crate::script::{game, game_from, mv, play};

const THREEFOLD: DrawClaim = DrawClaim::ThreefoldRepetition;

/// Both sides out and back again: the position is the same, once more.
const ROUND: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn the_third_occurrence_can_be_claimed_and_does_not_end_the_game() {
    let mut game = game();
    for (text, times) in ROUND.split(' ').cycle().zip([1, 1, 1, 2, 2, 2, 2, 3]) {
        assert!(!game.can_claim(THREEFOLD));
        assert_eq!(game.clone().claim_draw(THREEFOLD), Err(ClaimError::Unfounded(THREEFOLD)));
        play(&mut game, text);
        assert_eq!(game.repetitions(), times);
    }
    assert!(game.can_claim(THREEFOLD));
    assert_eq!(game.outcome(), None);

    let mut claimed = game.clone();
    assert_eq!(claimed.claim_draw(THREEFOLD), Ok(()));
    assert_eq!(claimed.outcome(), Some(Outcome::Draw(DrawReason::ThreefoldRepetition)));
    assert_eq!(claimed.moves(), game.moves());

    // Who plays on has not claimed, and the other player's position is another one.
    play(&mut game, "e2e4");
    assert_eq!(game.repetitions(), 1);
    assert_eq!(game.claim_draw(THREEFOLD), Err(ClaimError::Unfounded(THREEFOLD)));
}

#[test]
fn the_fifth_occurrence_ends_the_game() {
    let mut game = game();
    for round in 0..4 {
        for text in ROUND.split(' ') {
            assert_eq!(game.outcome(), None, "in round {round}");
            play(&mut game, text);
        }
    }
    let outcome = Outcome::Draw(DrawReason::FivefoldRepetition);
    assert_eq!(game.repetitions(), 5);
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(game.play(mv("e2e4")), Err(PlayError::Over(outcome)));
}

#[test]
fn a_claim_can_announce_the_repeating_move() {
    let mut game = game();
    play(&mut game, ROUND);
    play(&mut game, "g1f3 g8f6 f3g1");
    let before = game.clone();

    // The position on the board has only been there twice; announced moves that do not repeat it do not help.
    assert!(!game.can_claim(THREEFOLD));
    for text in ["b8c6", "e7e5", "f6e4"] {
        assert_eq!(game.claim_draw_with(mv(text), THREEFOLD), Err(ClaimError::Unfounded(THREEFOLD)), "{text}");
    }
    let illegal = game.claim_draw_with(mv("f6g6"), THREEFOLD);
    assert!(matches!(illegal, Err(ClaimError::Illegal(error)) if error.0 == mv("f6g6")), "{illegal:?}");
    assert_eq!(game, before);

    assert_eq!(game.claim_draw_with(mv("f6g8"), THREEFOLD), Ok(()));
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::ThreefoldRepetition)));
    // Announced is not played.
    assert_eq!((game.moves(), game.position()), (before.moves(), before.position()));
}

#[test]
fn rejects_a_claim_whose_move_is_not_the_third_occurrence() {
    let mut game = game();
    play(&mut game, "g1f3 g8f6 f3g1");
    let second = game.claim_draw_with(mv("f6g8"), THREEFOLD);
    assert_eq!(second, Err(ClaimError::Unfounded(THREEFOLD)));
}

#[test]
fn a_legal_en_passant_capture_distinguishes_positions() {
    let mut game = game_from("4k1n1/8/8/8/3p4/8/2P5/4K1N1 w - - 0 1");
    play(&mut game, "c2c4");
    for times in 1..=3 {
        play(&mut game, "g8f6 g1f3 f6g8 f3g1");
        assert_eq!(game.repetitions(), times);
        assert_eq!(game.can_claim(THREEFOLD), times == 3);
    }
}

#[test]
fn an_en_passant_square_without_a_capture_does_not_distinguish_positions() {
    for fen in [
        // There is no pawn beside it.
        "4k1n1/8/8/8/5p2/8/2P5/4K1N1 w - - 0 1",
        // There is one, but it is pinned.
        "3k2n1/8/8/8/3p4/8/2P5/3RK1N1 w - - 0 1",
        // There is one, but both pawns would leave the rank on which their king stands.
        "6n1/8/8/8/k2p3R/8/2P5/4K1N1 w - - 0 1",
    ] {
        let mut game = game_from(fen);
        play(&mut game, "c2c4");
        for times in 2..=3 {
            play(&mut game, "g8f6 g1f3 f6g8 f3g1");
            assert_eq!(game.repetitions(), times, "{fen}");
        }
        assert!(game.can_claim(THREEFOLD), "{fen}");
    }
}

#[test]
fn castling_rights_distinguish_positions() {
    for round in [
        // Rooks lose one right, kings lose both.
        "h1g1 h8g8 g1h1 g8h8",
        "a1b1 a8b8 b1a1 b8a8",
        "e1e2 e8e7 e2e1 e7e8",
        // It is enough that one side loses one.
        "h1g1 e8e7 g1h1 e7e8",
    ] {
        let mut game = game_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for times in 1..=3 {
            play(&mut game, round);
            assert_eq!(game.repetitions(), times, "{round}");
            assert_eq!(game.can_claim(THREEFOLD), times == 3, "{round}");
        }
    }
}

#[test]
fn the_side_to_move_distinguishes_positions() {
    let mut game = game_from("k7/8/8/8/8/8/7R/4K3 w - - 0 1");
    let start = *game.position();
    play(&mut game, "e1d1 a8b8 d1d2 b8a8 d2e1");
    assert_eq!(game.position().board(), start.board());
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn equal_pieces_that_swapped_squares_repeat_the_position() {
    let mut game = game_from("7k/8/8/8/8/8/8/RR2K3 w - - 0 1");
    play(&mut game, "b1b2 h8g8 a1b1 g8h8 b2a2 h8g8 a2a1 g8h8");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn repetitions_need_not_be_consecutive() {
    let mut game = game();
    for round in [ROUND, "b1c3 b8c6 c3b1 c6b8", "b1a3 g8h6 a3b1 h6g8"] {
        assert_eq!(game.outcome(), None);
        play(&mut game, round);
    }
    assert_eq!(game.repetitions(), 4);
    play(&mut game, "g1h3 b8a6 h3g1 a6b8");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
}

#[test]
fn positions_before_an_irreversible_move_do_not_count() {
    let mut game = game();
    for moves in [ROUND, ROUND, ROUND, "e2e4 e7e5", ROUND, ROUND, ROUND, "d2d4 e5d4", ROUND, ROUND, ROUND] {
        play(&mut game, moves);
        assert_eq!(game.outcome(), None);
    }
    // Four times here, four times there, four times there again.
    assert_eq!(game.repetitions(), 4);
    play(&mut game, "d1d4");
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn a_set_up_position_counts_as_the_first_occurrence() {
    // What the counter of plies stands for was not seen.
    let mut game = game_from("4k1n1/8/8/8/3p4/8/8/4K1N1 w - - 30 40");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.repetitions(), 2);
}

/// There is room for the positions of the longest stretch without progress, and each stretch has all of it.
#[test]
fn repetitions_are_found_in_a_long_game() {
    let mut game = game();
    for pawns in ["b2b3 b7b6", "c2c3 c7c6", "d2d3 d7d6", "e2e3 e7e6", "h2h3 h7h6", "d3d4 d6d5", "e3e4 e6e5"] {
        play(&mut game, pawns);
        for times in 2..=4 {
            // Both knights of both sides, out and back again.
            play(&mut game, "g1f3 g8f6 b1a3 b8a6 f3g1 f6g8 a3b1 a6b8");
            assert_eq!((game.repetitions(), game.outcome()), (times, None), "after {pawns}");
        }
    }
    assert!(game.moves().len() > 150);
    play(&mut game, ROUND);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
}

/// The first time may lie nearly 150 plies back.
#[test]
fn a_position_repeats_after_many_moves() {
    // A rook goes through six times six squares, one step at a time, and comes back.
    let mut squares: Vec<Square> = Rank::ALL[1..7].iter().map(|&rank| Square::new(File::A, rank)).collect();
    for (row, &rank) in Rank::ALL[1..7].iter().rev().enumerate() {
        let mut row_of_squares: Vec<Square> = File::ALL[1..6].iter().map(|&file| Square::new(file, rank)).collect();
        if row % 2 == 1 {
            row_of_squares.reverse();
        }
        squares.append(&mut row_of_squares);
    }
    let tour: Vec<Move> = (0..36).map(|step| Move::new(squares[step], squares[(step + 1) % 36])).collect();

    let mut game = game_from("7k/8/8/8/8/8/R7/R3K3 w - - 0 1");
    let mut step = |mv: Move| {
        game.play(mv).expect("nothing is in its way");
        let repetitions = game.repetitions();
        let answer = if game.moves().len() % 4 == 1 { "h8g8" } else { "g8h8" };
        play(&mut game, answer);
        (repetitions, game.repetitions(), game.outcome())
    };
    for &mv in &tour[..35] {
        assert_eq!(step(mv), (1, 1, None));
    }
    assert_eq!(step(tour[35]), (1, 2, None));
    // With the other rook elsewhere it is all new once more.
    assert_eq!(step(mv("a1b1")), (1, 1, None));
    for &mv in &tour[..30] {
        assert_eq!(step(mv), (1, 1, None));
    }
    let (there, back) = (tour[30], Move::new(tour[30].to(), tour[30].from()));
    assert_eq!([there, back, there, back].map(|mv| step(mv).0), [1, 2, 2, 3]);
    assert_eq!(game.position().halfmoves(), 142);
    assert_eq!(game.outcome(), None);
}
