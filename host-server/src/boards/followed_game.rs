use serde::{Deserialize, Serialize};

use crate::room::{Code, RoomId};

/// The room that follows a game of two people at a board. Its code is stored before the room is opened (write-ahead), so that a crash leaves
/// no room behind that the board does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedGame {
    /// The code of the room.
    pub code: Code,
    /// The room, once it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
}
