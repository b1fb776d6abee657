//! Moves as people and programs write them.

use std::fmt;

use chess::{Move, Position, San};
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

/// A move, with the position after it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Recalled {
    #[serde(flatten)]
    pub(super) written: Written,
    fen: String,
}

/// All moves of the game in a room.
pub(super) fn written(room: &Room) -> Vec<Written> {
    replay(room).map(|(written, _)| written).collect()
}

/// All moves of the game in a room, for those who want to look at them again.
pub(super) fn recalled(room: &Room) -> Vec<Recalled> {
    replay(room).map(|(written, after)| Recalled { written, fen: after.fen().to_string() }).collect()
}

fn replay(room: &Room) -> impl Iterator<Item = (Written, Position)> {
    let mut clocks = room.clock_after().iter().copied();
    // A game only has legal moves.
    room.game().moves().iter().scan(*room.game().start(), move |position, &mv| {
        let (san, next) = (position.san(mv).ok()?, position.play(mv).ok()?);
        *position = next;
        Some((Written { uci: Shown(mv), san: Shown(san), clock_ms: clocks.next() }, next))
    })
}
