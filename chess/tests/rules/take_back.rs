//! After a take-back the game equals the one before the move, for every kind of move.

use std::time::Instant;

use chess::{Color, DrawClaim, DrawReason, Game, Move, Outcome, Position, WinReason};

use crate::long_game::{Numbers, dawdle};
use crate::random_games::{check, new_game, random_games};
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
fn every_ply_can_be_taken_back_and_replayed() {
    check(300, &random_games(150), |random_game| {
        let mut earlier: Vec<Box<Game>> = Vec::new();
        let mut game = random_game.play(|game, mv| {
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
fn a_takeback_undoes_every_outcome() {
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
fn a_takeback_decrements_the_repetitions() {
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
fn a_takeback_of_an_irreversible_move_restores_the_repetitions() {
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
fn the_reversible_moves_lead_from_the_last_capture_or_pawn_move_to_the_position() {
    for (fen, moves, reversible) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 g8f6", 2),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", 5),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 d7d5 e4d5", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 120 65535", "e8e7 e1e2", 2),
    ] {
        let mut game = game_from(fen);
        play(&mut game, moves);
        let (start, since) = game.reversible();
        assert_eq!(since.len(), reversible, "{fen} {moves}");
        assert_eq!(replayed(start, since).position(), game.position(), "{fen} {moves}");
    }
}

#[test]
fn a_game_without_moves_has_nothing_to_take_back() {
    let mut game = game();
    assert_eq!(game.take_back(), None);
    assert_eq!(*game, Game::new());

    // Nor does a game without a move come back to life by it.
    game.resign(Color::White).expect("it goes on");
    let resigned = game.clone();
    assert_eq!(game.take_back(), None);
    assert_eq!(game, resigned);
}

/// The game with this start and these moves, played without a takeback.
fn replayed(start: Position, moves: &[Move]) -> Box<Game> {
    let mut game = new_game(start);
    for &mv in moves {
        game.play(mv).expect("it was legal the first time");
    }
    game
}

#[test]
fn playing_and_taking_back_in_any_order_gives_the_game_of_the_kept_moves() {
    // An en passant square, castling rights, counters near their limits, promotions.
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1P4p1/8/3pP3/8/8/1p4P1/R3K2R w KQkq d6 0 65534",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 120 65535",
        "8/1P1k4/8/8/8/8/3K2p1/8 w - - 0 1",
    ];
    let mut numbers = Numbers(12);
    for (round, fen) in (0..40).flat_map(|round| starts.map(|fen| (round, fen))) {
        let start: Position = fen.parse().expect(fen);
        let mut game = new_game(start);
        for step in 0..12 {
            // Longer than the ring of keys in some rounds, and back by more than its surplus.
            for _ in 0..numbers.next() % 400 {
                let legal = game.position().legal_moves();
                let moves: Vec<Move> = legal.iter().copied().collect();
                let Some(&mv) = moves.get(numbers.next() % moves.len().max(1)) else { break };
                if game.outcome().is_some() || game.play(mv).is_err() {
                    break;
                }
                if game.outcome().is_some() && !numbers.next().is_multiple_of(8) {
                    game.take_back();
                }
            }
            for _ in 0..numbers.next() % 300 {
                game.take_back();
            }
            let expected = replayed(start, game.moves());
            assert_eq!(game, expected, "{fen}, round {round}, step {step}");
            assert_eq!(game.repetitions(), expected.repetitions(), "{fen}, round {round}, step {step}");
            if let Some((_, earlier)) = game.moves().split_last() {
                let (reversible, since) = game.reversible();
                assert_eq!(*replayed(reversible, since).position(), *game.position(), "{fen}, round {round}");
                assert_eq!(game.before_last(), Some(*replayed(start, earlier).position()), "{fen}, round {round}");
            }
        }
    }
}

#[test]
fn a_takeback_costs_the_same_in_a_short_and_in_a_long_game() {
    let long = dawdle(&mut Numbers(7), true);
    let short = replayed(*long.start(), &long.moves()[..40]);
    // The best of several rounds, because other programs share the processor.
    let best = |game: &Game| {
        let mut game = Box::new(game.clone());
        let round = |_| {
            let began = Instant::now();
            for _ in 0..1000 {
                let mv = game.take_back().expect("moves were played");
                game.play(mv).expect("it was legal the first time");
            }
            began.elapsed()
        };
        (0..10).map(round).min().expect("ten rounds")
    };
    let (short, long) = (best(&short), best(&long));
    assert!(long < short * 20, "{short:?} at ply 40, {long:?} at the end of the longest game");
}
