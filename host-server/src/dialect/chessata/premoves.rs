//! Where the pieces of the side that waits could go if the opponent passed: for moves that a player plans in advance.

use std::collections::BTreeMap;

use chess::Color;

use crate::room::{Phase, Room};

/// The targets by the square of the piece. Empty if it is this side's turn, if the opponent is in check and cannot pass, and under other rules.
pub(super) fn premoves(room: &Room, color: Option<Color>) -> BTreeMap<String, Vec<String>> {
    let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let position = room.game().chess().map(chess::Game::position);
    let waits = |position: &&chess::Position| color == Some(!position.turn()) && !position.is_check();
    if room.phase() == Phase::Playing
        && let Some(position) = position.filter(waits)
    {
        for mv in &position.pass().legal_moves() {
            targets.entry(mv.from().to_string()).or_default().push(mv.to().to_string());
        }
    }
    for squares in targets.values_mut() {
        squares.sort_unstable();
        squares.dedup();
    }
    targets
}
