use chess::{Game, PlayError, Position};

use super::history;
use super::ledger::Ledger;
use super::picture::picture;
use super::refusal::{DecodeError, Reason};
use super::set_up::set_up;
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
pub fn decode<'a>(bytes: &'a [u8], game: &mut Game) -> Result<State<'a>, DecodeError> {
    let state = State::read(bytes).and_then(|state| replay(bytes, &state, game).map(|()| state));
    if state.is_err() {
        game.restart(Position::start());
    }
    state
}

fn replay(bytes: &[u8], state: &State<'_>, game: &mut Game) -> Result<(), DecodeError> {
    let ledger = if state.history_bytes().is_empty() { set_up(state, game)? } else { play(bytes.len(), state, game)? };
    compare(bytes, game.position(), &ledger)
}

/// Plays all moves from the start position.
fn play(len: usize, state: &State<'_>, game: &mut Game) -> Result<Ledger, DecodeError> {
    game.restart(Position::start());
    let mut ledger = Ledger::of_start(game.position());
    let mut rest = state.history_bytes();
    while !rest.is_empty() {
        // The moves are the end of the bytes, so what is left of them tells where this one is.
        let offset = len.saturating_sub(rest.len());
        let (mv, behind) = history::read(rest)
            .map_err(|(before, reason)| DecodeError { offset: offset.saturating_add(before), reason })?;
        let before = *game.position();
        game.play(mv).map_err(|error| DecodeError {
            offset,
            reason: match error {
                PlayError::Over(outcome) => Reason::Over(outcome),
                PlayError::Illegal(_) => Reason::Illegal(mv),
                PlayError::Full => Reason::TooLong,
            },
        })?;
        ledger.record(&before, mv);
        rest = behind;
    }
    Ok(ledger)
}

/// Holds all bytes before the moves against those that the game would be written with.
///
/// The lists of captured men need not be of the same length: one of them has its 0 where the other has a man.
fn compare(bytes: &[u8], position: &Position, ledger: &Ledger) -> Result<(), DecodeError> {
    let mut pairs = bytes.iter().copied().zip(picture(position, ledger)).enumerate();
    match pairs.find(|(_, (found, expected))| found != expected) {
        Some((offset, (found, expected))) => {
            Err(DecodeError { offset, reason: Reason::Contradiction { found, expected } })
        }
        None => Ok(()),
    }
}
