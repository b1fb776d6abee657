use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use crate::room::{Code, Terms, Time, Wish};

/// How long a player at a board may be away, in milliseconds. A board has no window to reload, and its network may be a
/// cable that somebody stumbles over.
const GRACE: u64 = 300_000;

/// An invitation that was not followed for so long is forgotten, in milliseconds.
const FRESH_FOR: u64 = 600_000;

/// Where a board is asked to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Which invitation it is. A board follows each once.
    pub number: u64,
    /// In which room.
    pub code: Code,
    /// On which side.
    pub wish: Wish,
    /// How time is counted, if the room has to be opened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// When it was asked.
    pub at: Time,
}

impl Invitation {
    /// Whether somebody still waits.
    #[must_use]
    pub fn is_fresh(&self, now: Time) -> bool {
        now.since(self.at) < FRESH_FOR
    }

    /// What is agreed if the room has to be opened first.
    #[must_use]
    pub fn terms(&self) -> Terms {
        terms(self.clock)
    }
}

/// What is agreed in a room that a board opens.
pub(crate) fn terms(clock: Option<ClockRule>) -> Terms {
    Terms { clock, grace: GRACE, ..Terms::default() }
}
