//! Games from a line of text.

use chess::{Game, Move};

use crate::random_games::new_game;

/// A game from this position.
pub(crate) fn game_from(fen: &str) -> Box<Game> {
    new_game(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// A game from the start position.
pub(crate) fn game() -> Box<Game> {
    Box::new(Game::new())
}

/// Plays these moves, none of which may end the game but the last.
pub(crate) fn play(game: &mut Game, moves: &str) {
    for text in moves.split(' ') {
        game.play(mv(text)).unwrap_or_else(|error| panic!("{text} of {moves}: {error}"));
    }
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}
