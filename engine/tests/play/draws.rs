//! Repetition, the fifty-move rule and stalemate.

use chess::{Game, Outcome};
use engine::Score;

use crate::thinker::{Thinker, moves, position};

/// White is a queen up, and the position has been on the board twice.
const WON: &str = "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1";
const SHUFFLE: &str = "d1d2 g8f8 d2d1 f8g8 d1d2 g8f8 d2d1";

#[test]
fn does_not_repeat_when_winning() {
    let start = position(WON);
    let mut game = Box::new(Game::new());
    game.restart(start);
    for mv in moves(SHUFFLE) {
        game.play(mv).expect("a legal move");
    }
    // Black repeats; White must not allow the third time.
    game.play("f8g8".parse().expect("a move")).expect("a legal move");
    let best = Thinker::new().best(game.start(), game.moves(), 20_000);
    game.play(best.mv).expect("a legal move");
    assert!(game.repetitions() < 3, "{best:?}");
    assert!(matches!(best.score(), Score::Centipawns(400..) | Score::Mate(1..)), "{best:?}");
}

#[test]
fn repeats_when_losing() {
    // With its next move Black can bring about the position for the third time.
    let best = Thinker::new().best(&position(WON), &moves(SHUFFLE), 20_000);
    assert_eq!((best.mv.to_string().as_str(), best.score()), ("f8g8", Score::Centipawns(0)), "{best:?}");
}

#[test]
fn a_won_game_is_not_drawn_by_repetition() {
    let mut game = Box::new(Game::new());
    game.restart(position("4k3/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"));
    let mut thinker = Thinker::new();
    while game.outcome().is_none() && game.moves().len() < 200 {
        let best = thinker.best(game.start(), game.moves(), 2_000);
        game.play(best.mv).expect("a legal move");
        assert!(game.repetitions() < 3, "{game:?}");
    }
    assert!(matches!(game.outcome(), Some(Outcome::Win { winner: chess::Color::White, .. })), "{game:?}");
}

#[test]
fn resets_the_fifty_move_counter_when_winning() {
    // The next quiet ply is the hundredth: only a pawn move keeps the win.
    let best = Thinker::new().best(&position("7k/8/8/8/8/3Q4/5PPP/6K1 w - - 99 90"), &[], 20_000);
    assert_eq!(best.mv.from().rank(), chess::Rank::Second, "{best:?}");
    assert!(matches!(best.score(), Score::Centipawns(300..) | Score::Mate(1..)), "{best:?}");
}

#[test]
fn avoids_stalemate() {
    let best = Thinker::new().best(&position("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"), &[], 5_000);
    assert!(matches!(best.score(), Score::Mate(1..)), "{best:?}");
}

#[test]
fn knows_that_a_bare_minor_piece_cannot_win() {
    for fen in ["8/8/4k3/8/8/3K4/8/5N2 w - - 0 1", "8/8/4k3/8/8/3K4/8/4NN2 w - - 0 1"] {
        let best = Thinker::new().best(&position(fen), &[], 20_000);
        assert!(matches!(best.score(), Score::Centipawns(-80..=80)), "{fen}: {best:?}");
    }
}
