use serde::{Deserialize, Serialize};

use crate::link::Seen;

/// The persistent state of one end of a link session: with the game and the unacknowledged events, it is all that a
/// session needs to resume after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionMemory {
    /// Random id of the stream in which this end numbers its events, never 0.
    pub stream: u64,
    /// The peer has persisted the events up to this number, so they can be dropped.
    pub acknowledged: u32,
    /// Events up to this number are not sent one by one any more: a peer that lacks one of them gets a snapshot.
    pub compacted: u32,
    /// Number of the last event.
    pub last: u32,
    /// Number at which this end last began a game; 0 if the game came from the peer.
    pub renewed: u32,
    /// The peer's stream, and the last number received in it.
    pub seen: Seen,
}

impl SessionMemory {
    /// The memory of an end without a stored session. `random` must differ from the stream of every earlier session.
    #[must_use]
    pub const fn new(random: u64) -> Self {
        // 0 is reserved for "no stream".
        let stream = if random == 0 { 1 } else { random };
        Self { stream, acknowledged: 0, compacted: 0, last: 0, renewed: 0, seen: Seen { stream: 0, last: 0 } }
    }
}
