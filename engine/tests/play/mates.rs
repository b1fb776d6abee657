//! Mates, forced wins and endgames.

use chess::{Color, Game, Outcome, WinReason};
use engine::{Limits, Score, StartError};

use crate::thinker::{Thinker, position};

#[test]
fn finds_mates() {
    for (fen, first, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", 1),
        ("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "f3f7", 1),
        ("5r1k/6pp/7N/8/8/1Q6/8/K7 w - - 0 1", "b3g8", 2),
        ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", "d5d8", 2),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", "f3f7", 2),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", "h1g1", 0),
        ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", "g2g1", 2),
        ("5k2/8/3K4/8/8/8/8/R7 w - - 0 1", "", 6),
    ] {
        let start = position(fen);
        let best = match Thinker::new().think(&start, &[], Limits { nodes: Some(150_000), ..Limits::default() }) {
            Ok(best) => best,
            Err(error) => {
                assert_eq!((error, moves), (StartError::NoMove, 0), "{fen}");
                continue;
            }
        };
        assert!(matches!(best.score(), Score::Mate(found) if found > 0 && found <= moves), "{fen}: {best:?}");
        assert!(first.is_empty() || best.mv.to_string() == first, "{fen}: {best:?}");
    }
}

#[test]
fn sees_that_it_is_mated() {
    let best = Thinker::new().best(&position("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1"), &[], 50_000);
    assert!(matches!(best.score(), Score::Mate(moves) if moves < 0), "{best:?}");
}

/// Plays against itself until the game ends.
fn play_out(fen: &str, nodes: u64) -> (Option<Outcome>, usize) {
    let mut game = Box::new(Game::new());
    game.restart(position(fen));
    let mut thinker = Thinker::new();
    while game.outcome().is_none() && game.moves().len() < 120 {
        let best = thinker.best(game.start(), game.moves(), nodes);
        game.play(best.mv).expect("a legal move");
    }
    (game.outcome(), game.moves().len())
}

#[test]
fn wins_elementary_endgames_before_the_fifty_move_rule() {
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",
        "8/8/8/8/4k3/8/4P3/4K2R w - - 0 1",
    ] {
        let (outcome, plies) = play_out(fen, 4_000);
        let wanted = Some(Outcome::Win { winner: Color::White, by: WinReason::Checkmate });
        assert_eq!(outcome, wanted, "{fen} after {plies} plies");
    }
}

#[test]
fn takes_what_hangs() {
    for (fen, best) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "f3h4"),
        ("5k2/8/8/3r4/8/8/6BP/4K3 w - - 0 1", "g2d5"),
    ] {
        assert_eq!(Thinker::new().best(&position(fen), &[], 5_000).mv.to_string(), best, "{fen}");
    }
}
