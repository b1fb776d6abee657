//! Keeps the list of the board's games in the store. A failure delays it.

use std::time::{SystemTime, UNIX_EPOCH};

use super::BoardConnection;
use crate::boards::ListedGame;
use crate::room::Room;

impl BoardConnection {
    /// Lists the game that the board plays with a remote opponent, when it begins and when it ends.
    pub(super) async fn list_shared_game(&mut self) {
        let Some(room) = self.room.clone() else { return };
        let is_ours = self.relay_session.shared_game() == Some(room.game_id().0);
        if room.games() > 0 && is_ours {
            self.list(&room).await;
        }
    }

    /// Lists the game of a room, unless nothing is new since it was listed last.
    pub(super) async fn list(&mut self, room: &Room) {
        let on = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let game = ListedGame::of(room, on);
        let key = (game.room, game.game, game.verdict);
        if self.listed == Some(key) {
            return;
        }
        match self.server.registry().list_game(&self.board.code, &game).await {
            Ok(()) => self.listed = Some(key),
            Err(error) => {
                tracing::debug!(board = %self.board.name, room = %game.room, %error, "game was not listed, will retry");
            }
        }
    }
}
