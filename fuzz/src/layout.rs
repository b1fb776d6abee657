use chess::Game;
use wire::layout::{self as state, MAX_LEN};

use crate::choose;

/// Decodes the bytes as a game state.
pub fn layout(data: &[u8]) {
    let mut game = Box::new(Game::new());
    accepted_or_refused(data, &mut game);
}

/// Plays the game that the bytes select, encodes it, changes one byte, and decodes it again.
pub fn damage(data: &[u8]) {
    let Some(([high, low, change], choices)) = data.split_first_chunk() else { return };
    let mut game = Box::new(Game::new());
    for &choice in choices {
        let Some(mv) = choose(&game, choice) else { break };
        game.play(mv).expect("a legal move can be played");
    }
    let mut bytes = written(&game);
    let mut copy = Box::new(Game::new());
    state::decode(&bytes, &mut copy).expect("what was written can be read");
    assert_eq!(copy, game);
    let place = usize::from(u16::from_be_bytes([*high, *low])) % bytes.len();
    bytes[place] ^= change;
    accepted_or_refused(&bytes, &mut copy);
}

fn accepted_or_refused(bytes: &[u8], game: &mut Game) {
    match state::decode(bytes, game) {
        Ok(state) if state.history().next().is_some() => assert_eq!(written(game), bytes),
        // The moved flags and captured pieces of a set-up position are not in the game. Without them it must round-trip.
        Ok(_) => {
            let mut copy = Box::new(Game::new());
            state::decode(&written(game), &mut copy).expect("a set-up position can be written");
            assert_eq!(copy.position(), game.position());
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error}");
            assert_eq!(*game, Game::new());
        }
    }
}

fn written(game: &Game) -> Vec<u8> {
    let mut buffer = vec![0; MAX_LEN];
    let len = state::encode(game, &mut buffer).expect("the game can be written");
    buffer.truncate(len);
    buffer
}
