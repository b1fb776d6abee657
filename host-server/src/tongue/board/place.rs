use serde::{Deserialize, Serialize};

use crate::room::{Code, RoomId, Terms, UserId, Wish};

/// Where a board sits, or is about to. It is written down before the seat is taken, so that nobody ever has one and does
/// not know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// What one says to come in.
    pub code: Code,
    /// Which room that was, once the board was in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    /// Who the board is there.
    pub user: UserId,
    /// What opens the seat.
    pub token: String,
    /// Where it would like to sit.
    pub wish: Wish,
    /// What is agreed if the room has to be opened first.
    pub terms: Terms,
}

impl Place {
    /// A place that was not there before.
    #[must_use]
    pub fn new(code: Code, wish: Wish, terms: Terms) -> Self {
        Self { code, room: None, user: crate::dice::user_id(), token: crate::dice::token(), wish, terms }
    }
}
