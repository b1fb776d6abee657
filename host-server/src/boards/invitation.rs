use serde::{Deserialize, Serialize};
use wire::link::ClockRule;

use crate::room::{Code, SideChoice, Terms, Time};

/// Grace period of games with a board, in milliseconds. It is long because a board cannot be reconnected as fast as a page.
const GRACE: u64 = 300_000;

/// Expiry of an invitation, in milliseconds.
const EXPIRES_AFTER: u64 = 600_000;

/// A request to a board to play in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// A random id. A board follows each invitation once.
    pub number: u64,
    /// The code of the room.
    pub code: Code,
    /// The preferred side.
    pub side: SideChoice,
    /// The time control, if the room has to be opened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// When the invitation was made.
    pub at: Time,
}

impl Invitation {
    /// Whether it has not expired.
    #[must_use]
    pub fn is_fresh(&self, now: Time) -> bool {
        now.since(self.at) < EXPIRES_AFTER
    }

    /// The terms, if the room has to be opened first.
    #[must_use]
    pub fn terms(&self) -> Terms {
        terms(self.clock)
    }
}

/// The terms of a room that a board opens.
pub(crate) fn terms(clock: Option<ClockRule>) -> Terms {
    Terms { clock, grace: GRACE, ..Terms::default() }
}
