//! Moves without progress: a claim after fifty of each side, the end after seventy-five.

use chess::{ClaimError, Color, DrawClaim, DrawReason, Outcome, WinReason};

use crate::script::{game_from, mv, play};

const FIFTY: DrawClaim = DrawClaim::FiftyMoves;

/// Rooks, so that there is enough to mate with, and a pawn and a knight for progress.
fn with_counter(halfmoves: u8) -> String {
    format!("r3k3/8/8/2n5/8/1P6/8/4K2R w - - {halfmoves} 90")
}

#[test]
fn fifty_moves_can_be_claimed_and_do_not_end_the_game() {
    let mut game = game_from(&with_counter(98));
    for text in ["h1h2", "a8a7"] {
        assert!(!game.can_claim(FIFTY));
        assert_eq!(game.claim_draw(FIFTY), Err(ClaimError::Unfounded(FIFTY)));
        play(&mut game, text);
    }
    assert!(game.can_claim(FIFTY));
    assert_eq!(game.outcome(), None);

    let mut claimed = game.clone();
    assert_eq!(claimed.claim_draw(FIFTY), Ok(()));
    assert_eq!(claimed.outcome(), Some(Outcome::Draw(DrawReason::FiftyMoves)));

    // It may be claimed at any later time, until there is progress.
    play(&mut game, "h2h1 a7a8");
    assert!(game.can_claim(FIFTY));
    play(&mut game, "b3b4");
    assert!(!game.can_claim(FIFTY));
}

#[test]
fn a_claim_can_announce_the_move_that_completes_fifty_moves() {
    let mut game = game_from(&with_counter(99));
    let before = game.clone();
    assert!(!game.can_claim(FIFTY));
    assert_eq!(game.claim_draw_with(mv("b3b4"), FIFTY), Err(ClaimError::Unfounded(FIFTY)));
    assert!(matches!(game.claim_draw_with(mv("h1a8"), FIFTY), Err(ClaimError::Illegal(_))));
    assert_eq!(game.claim_draw_with(mv("h1h2"), DrawClaim::ThreefoldRepetition), {
        Err(ClaimError::Unfounded(DrawClaim::ThreefoldRepetition))
    });
    assert_eq!(game, before);

    assert_eq!(game.claim_draw_with(mv("h1h2"), FIFTY), Ok(()));
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FiftyMoves)));
    assert_eq!(game.moves(), []);

    let mut early = game_from(&with_counter(98));
    assert_eq!(early.claim_draw_with(mv("h1h2"), FIFTY), Err(ClaimError::Unfounded(FIFTY)));
}

#[test]
fn an_announced_capture_resets_the_counter() {
    let mut game = game_from("r3k3/8/8/8/8/8/8/R3K3 w - - 120 90");
    assert!(game.can_claim(FIFTY));
    assert_eq!(game.claim_draw_with(mv("a1a8"), FIFTY), Err(ClaimError::Unfounded(FIFTY)));
    assert_eq!(game.claim_draw_with(mv("a1a7"), FIFTY), Ok(()));
}

#[test]
fn the_seventy_fifth_move_ends_the_game() {
    let mut game = game_from(&with_counter(148));
    play(&mut game, "h1h2");
    assert_eq!((game.position().halfmoves(), game.outcome()), (149, None));
    play(&mut game, "a8a7");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)));
}

#[test]
fn a_pawn_move_or_capture_at_the_last_ply_continues_the_game() {
    // A pawn's step, a capture, a capture en passant, a promotion.
    for (fen, text) in [
        ("r3k3/8/8/2n5/8/1P6/8/4K2R w - - 149 90", "b3b4"),
        ("r3k3/8/8/2n5/8/1P6/8/R3K3 w - - 149 90", "a1a8"),
        ("r3k3/8/8/2pP4/8/8/8/R3K3 w - c6 149 90", "d5c6"),
        ("4k3/P7/8/8/8/8/8/R3K3 w - - 149 90", "a7a8n"),
    ] {
        let mut game = game_from(fen);
        play(&mut game, text);
        assert_eq!((game.position().halfmoves(), game.outcome()), (0, None), "{fen}");
    }
}

#[test]
fn castling_does_not_reset_the_counter() {
    let mut game = game_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 97 90");
    play(&mut game, "e1g1 e8c8");
    assert_eq!(game.position().halfmoves(), 99);
}

#[test]
fn mate_at_the_last_ply_wins() {
    let mut game = game_from("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 100");
    play(&mut game, "a1a8");
    let outcome = Outcome::Win { winner: Color::White, by: WinReason::Checkmate };
    assert_eq!(game.outcome(), Some(outcome));
    // The position by itself says the same.
    let fen = game.position().fen().to_string();
    assert_eq!(fen, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 100");
    assert_eq!(game_from(&fen).outcome(), Some(outcome));
}

#[test]
fn stalemate_at_the_last_ply_is_stalemate() {
    let mut game = game_from("7k/8/6K1/8/8/8/8/5Q2 w - - 149 100");
    play(&mut game, "f1f7");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Stalemate)));
}

#[test]
fn a_set_up_at_the_end_of_the_counter_is_drawn() {
    assert_eq!(game_from(&with_counter(150)).outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)));
    assert_eq!(game_from(&with_counter(149)).outcome(), None);
}

#[test]
fn the_move_number_increases_after_black() {
    let mut game = game_from("r3k3/8/8/2n5/8/1P6/8/4K2R b - - 3 41");
    for (text, fullmoves, halfmoves) in [("a8a7", 42, 4), ("b3b4", 42, 0), ("a7a8", 43, 1)] {
        play(&mut game, text);
        assert_eq!((game.position().fullmoves(), game.position().halfmoves()), (fullmoves, halfmoves), "{text}");
    }
}

#[test]
fn the_move_number_saturates() {
    let mut game = game_from("r3k3/8/8/2n5/8/1P6/8/4K2R b - - 3 65535");
    play(&mut game, "a8a7 b3b4 a7a8");
    assert_eq!(game.position().fullmoves(), 65_535);
}
