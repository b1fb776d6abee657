//! Tests of the game state codec: example vectors, random games, set-up positions, chunked input, and decode errors.

mod chunks;
mod errors;
mod games;
mod set_up;
mod sheets;
mod vectors;

use chess::{Game, Move};
use proptest::prelude::*;
use wire::layout::{self, DecodeError};

/// Plays legal moves, in UCI notation.
fn game(moves: &str) -> Box<Game> {
    let mut game = Box::new(Game::new());
    for text in moves.split_whitespace() {
        game.play(text.parse().expect(text)).expect(text);
    }
    game
}

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

/// Random games. A quarter of the plies captures or promotes if possible, so that long games have few pieces.
fn any_game(plies: usize) -> impl Strategy<Value = Box<Game>> {
    prop::collection::vec(any::<u16>(), 0..=plies).prop_map(|choices| {
        let mut game = Box::new(Game::new());
        for choice in choices {
            let position = game.position();
            let legal = position.legal_moves();
            let forcing: Vec<Move> =
                legal.iter().copied().filter(|&mv| position.is_capture(mv) || mv.promotion().is_some()).collect();
            let pool = if choice % 4 == 0 && !forcing.is_empty() { &forcing } else { &legal[..] };
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
