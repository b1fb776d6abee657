use chess::{Game, Scoresheet};

use super::decoder::Decoder;
use super::refusal::DecodeError;
use super::state::State;

/// Reads a game state into a game, and hands out a view of its bytes.
///
/// Nothing is believed. With moves, the state is accepted only if playing them from the start position gives exactly
/// these bytes. Without moves it may also be a set-up position: one from which a game can begin, and in which check,
/// mate, rights and flags are as the board has them.
///
/// The checks go through the bytes once, in this order, and the first that fails is the error: each byte before the
/// moves by itself; then the moves, one after the other, or the set-up board and the captured pieces; then all bytes
/// before the moves against what the game makes of them.
///
/// If it is refused, the game is a new one, from the start position. What was in it before is gone in either case: a
/// game is too big to have a second one beside it on a small machine.
pub fn decode<'a>(bytes: &'a [u8], game: &mut Game<impl Scoresheet>) -> Result<State<'a>, DecodeError> {
    let mut decoder = Decoder::new(game);
    decoder.feed(bytes, game)?;
    decoder.finish(game)?;
    State::read(bytes)
}
