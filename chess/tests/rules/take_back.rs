//! After a take-back the game is the one before the move, whatever has happened since.

use chess::{Color, DrawClaim, DrawReason, Game, Outcome, WinReason};

use crate::chance::{check, walks};
use crate::script::{game, game_from, mv, play};

/// Ends a game in one of the ways that need no move, if it still goes on.
fn end(game: &mut Game, way: usize) {
    let _refused = match way % 5 {
        0 => game.resign(Color::White).is_err(),
        1 => game.flag(Color::Black).is_err(),
        2 => game.agree_draw().is_err(),
        3 => game.claim_draw(DrawClaim::ThreefoldRepetition).is_err(),
        _ => game.claim_draw(DrawClaim::FiftyMoves).is_err(),
    };
}

#[test]
fn every_ply_of_a_game_can_be_taken_back_and_played_again() {
    check(300, &walks(150), |walk| {
        let mut earlier: Vec<Box<Game>> = Vec::new();
        let mut game = walk.play(|game, mv| {
            if mv.is_some() {
                earlier.push(Box::new(game.clone()));
            }
        });
        let end_of_game = game.clone();
        let moves = game.moves().to_vec();
        assert_eq!(moves.len(), earlier.len());

        for (ply, (before, &mv)) in earlier.iter().zip(&moves).enumerate().rev() {
            end(&mut game, ply);
            assert_eq!(game.take_back(), Some(mv));
            assert_eq!(&game, before, "at ply {ply}");
            // What the comparison of games does not look at, because it follows from the rest.
            assert_eq!(game.repetitions(), before.repetitions());
            for claim in DrawClaim::ALL {
                assert_eq!(game.can_claim(claim), before.can_claim(claim));
            }
        }
        let outcome_at_the_start = game.outcome();
        assert_eq!(game.take_back(), None);
        assert_eq!(game.outcome(), outcome_at_the_start);

        for mv in moves {
            game.play(mv).expect("it was legal the first time");
        }
        assert_eq!(game, end_of_game);
    });
}

#[test]
fn whatever_ended_the_game_is_taken_back_with_the_move() {
    for (fen, moves, reason) in [
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", DrawReason::Stalemate),
        ("8/8/8/3k4/4P3/8/8/4K3 b - - 0 1", "d5e4", DrawReason::InsufficientMaterial),
        ("r3k3/8/8/8/8/8/8/R3K3 w - - 149 100", "a1b1", DrawReason::SeventyFiveMoves),
    ] {
        let mut game = game_from(fen);
        play(&mut game, moves);
        assert_eq!(game.outcome(), Some(Outcome::Draw(reason)), "{fen}");
        assert_eq!(game.take_back(), Some(mv(moves)));
        assert_eq!(game, game_from(fen));
    }

    let mut mated = game();
    play(&mut mated, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.outcome(), Some(Outcome::Win { winner: Color::Black, by: WinReason::Checkmate }));
    assert_eq!(mated.take_back(), Some(mv("d8h4")));
    assert_eq!(mated.outcome(), None);
    play(&mut mated, "b8c6");
}

#[test]
fn the_fifth_time_is_the_fourth_again() {
    let mut game = game();
    for _ in 0..4 {
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
    game.take_back();
    assert_eq!((game.outcome(), game.repetitions()), (None, 4));
    play(&mut game, "f6g8");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
}

#[test]
fn what_a_capture_or_a_pawn_made_irreversible_counts_again() {
    let mut game = game();
    play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.repetitions(), 3);
    play(&mut game, "e2e4");
    assert_eq!(game.repetitions(), 1);
    game.take_back();
    assert_eq!(game.repetitions(), 3);
    assert!(game.can_claim(DrawClaim::ThreefoldRepetition));
}

#[test]
fn with_no_move_there_is_nothing_to_take_back() {
    let mut game = game();
    assert_eq!(game.take_back(), None);
    assert_eq!(*game, Game::new());

    // Nor does a game without a move come back to life by it.
    game.resign(Color::White).expect("it goes on");
    let resigned = game.clone();
    assert_eq!(game.take_back(), None);
    assert_eq!(game, resigned);
}
