use serde::{Deserialize, Serialize};

use crate::link::Seen;

/// How far the conversation with the relay has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The stream in which the board speaks.
    pub stream: u64,
    /// Events up to this number are in the relay's journal.
    pub acknowledged: u32,
    /// Events up to this number are not told one by one any more.
    pub floor: u32,
    /// The number of the last event.
    pub said: u32,
    /// The number at which the board last began a game.
    pub renewed: u32,
    /// What was heard from the relay.
    pub seen: Seen,
}
