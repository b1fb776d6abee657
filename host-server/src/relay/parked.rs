//! Rooms that wait without a task: no player is connected to them, and nothing is due for a while.
//!
//! An invitation is valid for a day and a game without a clock for weeks, so a task for each of them would take memory for
//! nothing. The relay keeps the lease of a parked room, and starts its task when its next timeout is due or a participant enters.

use std::collections::HashMap;

use crate::room::{RoomId, Time};

/// A room is parked if nothing is due for this long, in milliseconds.
pub(super) const PARK_FOR: u64 = 120_000;

/// The parked rooms, and when their next timeout is due.
#[derive(Debug, Default)]
pub(super) struct Parked {
    due: HashMap<RoomId, Time>,
}

impl Parked {
    pub(super) fn park(&mut self, room: RoomId, due: Time) {
        self.due.insert(room, due);
    }

    pub(super) fn remove(&mut self, room: RoomId) {
        self.due.remove(&room);
    }

    pub(super) fn rooms(&self) -> impl Iterator<Item = RoomId> {
        self.due.keys().copied()
    }

    /// The rooms whose timeout is due.
    pub(super) fn due(&self, now: Time) -> Vec<RoomId> {
        self.due.iter().filter(|&(_, &due)| due <= now).map(|(&room, _)| room).collect()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.due.len()
    }
}
