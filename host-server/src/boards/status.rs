use serde::{Deserialize, Serialize};

use crate::room::RelayId;

/// What a board is doing, as the dialect of boards stores it with the board's session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The relay that the board is connected to, if it is connected and that relay is alive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelayId>,
    /// Whether a new opponent can have a game.
    #[serde(default)]
    pub is_free: bool,
    /// Whether a game with a remote opponent is in progress.
    #[serde(default)]
    pub is_playing: bool,
    /// The features of the board's last hello: which rules it can play besides chess.
    #[serde(default)]
    pub features: u32,
}
