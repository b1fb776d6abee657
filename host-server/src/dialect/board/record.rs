use serde::{Deserialize, Serialize};
use wire::journal::SessionMemory;
use wire::link::NumberedEvent;

use super::board_seat::BoardSeat;
use super::replica::{BoardReplica, BoardReplicaRepr};
use super::repr;
use crate::boards::Status;
use crate::room::RelayId;

/// The stored state of a board's session, written before anything of it is sent to the board (write-ahead).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    session: SessionMemory,
    #[serde(default, with = "repr::pending")]
    pending: Vec<NumberedEvent>,
    replica: BoardReplicaRepr,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<BoardSeat>,
    /// The last invitation that was followed.
    #[serde(default)]
    invited: u64,
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
}

impl Record {
    pub(super) fn new(
        memory: &SessionMemory,
        pending: Vec<NumberedEvent>,
        replica: &BoardReplica,
        seat: Option<&BoardSeat>,
        invited: u64,
        features: u32,
    ) -> Self {
        let status = Status {
            relay: None,
            is_free: replica.is_free(),
            is_playing: replica.is_shared() && replica.verdict.is_none(),
            features,
        };
        Self { session: *memory, pending, replica: replica.into(), seat: seat.cloned(), invited, status }
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
        let Self { session, pending, replica, seat, invited, .. } = self;
        Some(Remembered { memory: session, pending, replica: replica.read()?, seat, invited })
    }
}
