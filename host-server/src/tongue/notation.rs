//! Moves as people and programs write them.

use std::fmt;

use chess::{Move, San};
use serde::{Serialize, Serializer};

use crate::room::Room;

/// Something that is written as it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<T>(pub(super) T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A move, with what the mover had left after it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Written {
    pub(super) uci: Shown<Move>,
    pub(super) san: Shown<San>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_ms: Option<u32>,
}

/// All moves of the game in a room.
pub(super) fn written(room: &Room) -> Vec<Written> {
    let mut position = *room.game().start();
    let mut clocks = room.clock_after().iter().copied();
    let mut moves = Vec::with_capacity(room.game().moves().len());
    for &mv in room.game().moves() {
        // A game only has legal moves.
        let (Ok(san), Ok(next)) = (position.san(mv), position.play(mv)) else { break };
        moves.push(Written { uci: Shown(mv), san: Shown(san), clock_ms: clocks.next() });
        position = next;
    }
    moves
}
