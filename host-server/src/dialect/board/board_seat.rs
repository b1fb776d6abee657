use serde::{Deserialize, Serialize};

use crate::room::{Code, RoomId, SideChoice, Terms, UserId};

/// The seat of a board, or the one that it is about to take. It is stored before the seat is taken (write-ahead), so that a crash
/// leaves no seat whose token is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSeat {
    /// The code of the room.
    pub code: Code,
    /// The room, once the board has entered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    /// The public id of the board in the room.
    pub user: UserId,
    /// The token of the seat.
    pub token: String,
    /// The preferred side.
    pub side: SideChoice,
    /// The terms, if the room has to be opened first.
    pub terms: Terms,
}

impl BoardSeat {
    /// A seat with a new random id and token.
    #[must_use]
    pub fn new(code: Code, side: SideChoice, terms: Terms) -> Self {
        Self { code, room: None, user: crate::random::user_id(), token: crate::random::token(), side, terms }
    }
}
