use serde::{Deserialize, Serialize};

use super::followed_game::FollowedGame;
use super::paired::Paired;
use super::registry::Registry;
use crate::room::RelayId;
use crate::store::{Collection, StoreError};

/// What a board is doing, as the dialect of boards stores it with the board's session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The relay that the board is connected to, if it is connected and that relay is alive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelayId>,
    /// Whether a new opponent can have a game.
    #[serde(default)]
    pub is_free: bool,
    /// Whether the pieces are set up for a game, so that the player at the board can be asked.
    #[serde(default)]
    pub is_set_up: bool,
    /// Whether a game with a remote opponent is in progress.
    #[serde(default)]
    pub is_playing: bool,
    /// The features of the board's last hello: which rules it can play besides chess.
    #[serde(default)]
    pub features: u32,
}

/// What is read of the stored session of a board.
#[derive(Deserialize)]
struct StoredLocalGame {
    local: Option<FollowedGame>,
}

impl Registry {
    /// The room that follows the game of two people at this board, if they play one.
    pub(crate) async fn local_game(&self, board: &Paired) -> Result<Option<FollowedGame>, StoreError> {
        let record = self.store().read(Collection::Sessions, &board.id().to_string()).await?;
        let session = record.and_then(|record| serde_json::from_slice::<StoredLocalGame>(&record.bytes).ok());
        Ok(session.and_then(|session| session.local))
    }
}
