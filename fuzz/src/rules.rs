use chess::{Game, Position};

use crate::choose;
use crate::reference_engines::{Cozy, Shakmaty};

/// Start positions, selected by the first byte.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
];

/// Plays the game that the bytes select, compares every position with both reference engines, and takes all moves back.
pub fn rules(data: &[u8]) {
    let Some((&first, choices)) = data.split_first() else { return };
    let start: Position = STARTS[usize::from(first) % STARTS.len()].parse().expect("a start is a position");
    let mut game = Box::new(Game::new());
    game.restart(start);
    let mut cozy = Cozy::from_position(&start).expect("cozy-chess knows every start");
    let mut shakmaty = Shakmaty::from_position(&start);
    let mut games = vec![game.clone()];
    // A takeback replays the game, so the length is limited to keep the fuzzer fast.
    for &choice in choices.iter().take(200) {
        let Some(mv) = choose(&game, choice) else { break };
        game.play(mv).expect("a legal move can be played");
        cozy.play(mv);
        shakmaty.play(mv);
        cozy.agrees(&game);
        shakmaty.agrees(game.position());
        games.push(game.clone());
    }
    while let Some(earlier) = games.pop() {
        assert_eq!(game, earlier);
        game.take_back();
    }
}
