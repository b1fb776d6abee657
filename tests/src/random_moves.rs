//! Pseudo-random legal moves that do not end the game if another move is possible.

use chess::{Move, Position};

use crate::random::Random;

/// The next move; `None` if the game is over.
pub fn next_move(position: &Position, random: &mut Random) -> Option<Move> {
    let legal = position.legal_moves();
    let goes_on = |mv: &&Move| position.play(**mv).is_ok_and(|after| after.has_legal_move());
    let mut choice: Vec<&Move> = legal.as_slice().iter().filter(goes_on).collect();
    if choice.is_empty() {
        choice = legal.as_slice().iter().collect();
    }
    let index = random.number() % choice.len().max(1) as u64;
    choice.get(index as usize).map(|mv| **mv)
}
