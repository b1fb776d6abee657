//! Games in which nobody wants to win: legal moves that look random, and do not end the game if that can be helped.

use chess::{Move, Position};

/// A number that is always the same after the same seed.
pub fn next_number(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The next move. There is none if the game is over.
pub fn next_move(position: &Position, seed: &mut u64) -> Option<Move> {
    let legal = position.legal_moves();
    let goes_on = |mv: &&Move| position.play(**mv).is_ok_and(|after| after.has_legal_move());
    let mut choice: Vec<&Move> = legal.as_slice().iter().filter(goes_on).collect();
    if choice.is_empty() {
        choice = legal.as_slice().iter().collect();
    }
    let index = next_number(seed) % choice.len().max(1) as u64;
    choice.get(index as usize).map(|mv| **mv)
}
