//! The documented game state from outside: examples, random games, set-up positions, and everything that must be refused.

mod games;
mod pieces;
mod refusals;
mod set_up;
mod sheets;
mod vectors;

use chess::{Game, Move};
use proptest::prelude::*;
use wire::layout::{self, DecodeError};

/// The game of these moves, which must be legal.
fn game(moves: &str) -> Box<Game> {
    let mut game = Box::new(Game::new());
    for text in moves.split_whitespace() {
        game.play(text.parse().expect(text)).expect(text);
    }
    game
}

/// The game that begins here.
fn game_from(fen: &str) -> Box<Game> {
    let mut game = Box::new(Game::new());
    game.restart(fen.parse().expect(fen));
    game
}

fn encode(game: &Game) -> Vec<u8> {
    let mut buffer = vec![0; layout::MAX_LEN];
    let len = layout::encode(game, &mut buffer).expect("a game that can be written");
    buffer.truncate(len);
    buffer
}

fn decode(bytes: &[u8]) -> Result<Box<Game>, DecodeError> {
    let mut game = Box::new(Game::new());
    layout::decode(bytes, &mut game)?;
    Ok(game)
}

/// Random games. A quarter of the plies takes or promotes where that is possible, so that boards empty themselves.
fn any_game(plies: usize) -> impl Strategy<Value = Box<Game>> {
    prop::collection::vec(any::<u16>(), 0..=plies).prop_map(|choices| {
        let mut game = Box::new(Game::new());
        for choice in choices {
            let position = game.position();
            let legal = position.legal_moves();
            let lively: Vec<Move> =
                legal.iter().copied().filter(|&mv| position.is_capture(mv) || mv.promotion().is_some()).collect();
            let pool = if choice % 4 == 0 && !lively.is_empty() { &lively } else { &legal[..] };
            let Some(&mv) = pool.get(usize::from(choice / 4) % pool.len().max(1)) else {
                break;
            };
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    })
}
