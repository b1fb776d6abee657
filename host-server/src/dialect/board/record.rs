use serde::{Deserialize, Serialize};
use wire::journal::SessionMemory;
use wire::link::NumberedEvent;

use super::board_seat::BoardSeat;
use super::replica::{BoardReplica, BoardReplicaRepr};
use super::repr;
use crate::boards::{FollowedGame, Status};
use crate::room::RelayId;

/// The stored state of a board's session, written before anything of it is sent to the board (write-ahead).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRecord {
    session: SessionMemory,
    #[serde(default, with = "repr::pending")]
    pending: Vec<NumberedEvent>,
    replica: BoardReplicaRepr,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<BoardSeat>,
    /// The last invitation that was followed.
    #[serde(default)]
    invited: u64,
    /// The event with which the board started its game without a remote opponent.
    #[serde(default)]
    renewed: u32,
    /// The room that follows this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    local: Option<FollowedGame>,
    /// The room that followed the game before, until it is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<FollowedGame>,
    /// For the registry, which does not read the rest.
    #[serde(flatten)]
    status: Status,
}

/// A decoded record.
pub(super) struct Remembered {
    pub(super) memory: SessionMemory,
    pub(super) pending: Vec<NumberedEvent>,
    pub(super) replica: BoardReplica,
    pub(super) seat: Option<BoardSeat>,
    pub(super) invited: u64,
    pub(super) local: LocalGame,
}

/// What a session knows of a game without a remote opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LocalGame {
    /// The event with which the board started it; 0 if the relay has sent it.
    pub(super) renewed: u32,
    /// The room that follows it.
    pub(super) room: Option<FollowedGame>,
    /// The room that followed the game before, until it is closed.
    pub(super) left: Option<FollowedGame>,
}

impl BoardRecord {
    pub(super) fn new(
        memory: &SessionMemory,
        pending: Vec<NumberedEvent>,
        replica: &BoardReplica,
        seat: Option<&BoardSeat>,
        invited: u64,
        local: &LocalGame,
        features: u32,
    ) -> Self {
        let status = Status {
            relay: None,
            is_free: replica.is_free(),
            is_set_up: replica.is_set_up(),
            is_playing: replica.is_shared() && replica.verdict.is_none(),
            features,
        };
        let LocalGame { renewed, room, left } = local.clone();
        let (replica, seat) = (replica.into(), seat.cloned());
        Self { session: *memory, pending, replica, seat, invited, renewed, local: room, left, status }
    }

    /// Sets the relay that the board is connected to.
    #[must_use]
    pub(super) const fn through(mut self, relay: Option<RelayId>) -> Self {
        self.status.relay = relay;
        self
    }

    pub(super) const fn memory(&self) -> SessionMemory {
        self.session
    }

    /// Decodes the record. `None` if the moves of the replica are illegal.
    pub(super) fn read(self) -> Option<Remembered> {
        let Self { session, pending, replica, seat, invited, renewed, local, left, .. } = self;
        let local = LocalGame { renewed, room: local, left };
        Some(Remembered { memory: session, pending, replica: replica.read()?, seat, invited, local })
    }
}
