//! Follows a game of two people at the board in a room, so that it has a link, spectators and a record.
//!
//! A failure delays it, and never ends the connection: the game on the board goes on without it.

use std::time::Duration;

use tokio::time::Instant;

use super::super::close_cause::CloseCause;
use super::BoardConnection;
use crate::boards::FollowedGame;
use crate::relay::ActError;
use crate::room::{Command, Refusal, RoomId};
use crate::server::ClientContext;
use crate::store::{Created, StoreError};

/// Delay before a failed step is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl BoardConnection {
    /// Adds what is new on the board to the room that follows its game. The room is opened with the second ply.
    pub(super) async fn follow_local_game(&mut self, client: Option<&ClientContext>) -> Result<(), CloseCause> {
        if Instant::now() < self.follow_at {
            return Ok(());
        }
        let game = self.relay_session.local_game();
        if let Some(left) = self.relay_session.left_game().cloned() {
            self.followed = None;
            if !self.close_left_game(left).await {
                self.follow_at = Instant::now() + RETRY_AFTER;
                return Ok(());
            }
        }
        let Some(game) = game.filter(|game| self.followed.as_ref() != Some(game)) else { return Ok(()) };
        let is_charged = client.is_none_or(|client| match self.relay_session.followed_game() {
            Some(_) => client.try_act(0).is_ok(),
            None => client.try_open_room().is_ok(),
        });
        if !is_charged {
            self.follow_at = Instant::now() + RETRY_AFTER;
            return Ok(());
        }
        let room = match self.room_to_follow_in().await? {
            Ok(room) => room,
            Err(error) => {
                tracing::debug!(board = %self.board.name, %error, "room for the game on the board was not opened, will retry");
                self.follow_at = Instant::now() + RETRY_AFTER;
                return Ok(());
            }
        };
        match self.server.relay().follow_board(room, Command::FollowBoard(game.clone())).await {
            Ok(room) => {
                self.followed = Some(game);
                self.list(&room).await;
            }
            Err(ActError::Refused(Refusal::Closed)) => {
                // It was closed after a long pause: another room follows the whole game.
                self.relay_session.follow_in(None);
            }
            Err(ActError::Refused(refusal)) => {
                tracing::debug!(board = %self.board.name, %room, %refusal, "room does not follow the game on the board any more");
                self.followed = Some(game);
            }
            Err(error) => {
                tracing::debug!(board = %self.board.name, %room, %error, "game on the board was not stored, will retry");
                self.follow_at = Instant::now() + RETRY_AFTER;
            }
        }
        Ok(())
    }

    /// The room of the game. Its code is stored before it is opened.
    async fn room_to_follow_in(&mut self) -> Result<Result<RoomId, StoreError>, CloseCause> {
        if self.relay_session.followed_game().is_none() {
            self.relay_session.follow_in(Some(FollowedGame { code: crate::random::code(), room: None }));
            self.keep().await?;
        }
        let Some(FollowedGame { code, room }) = self.relay_session.followed_game().cloned() else {
            return Ok(Err(StoreError::Corrupt("session has no room to follow the game in".to_owned())));
        };
        if let Some(room) = room {
            return Ok(Ok(room));
        }
        let relay = self.server.relay();
        let opened = match relay.open(&code, self.relay_session.local_terms(&self.board.name)).await {
            // Before a crash this relay, or another one, may have opened it.
            Ok(Created::Taken(room)) => Ok(Some(room)),
            Ok(Created::Done) => relay.find(&code).await,
            Err(error) => Err(error),
        };
        Ok(match opened {
            Ok(Some(room)) => {
                self.relay_session.opened(room);
                Ok(room)
            }
            Ok(None) => Err(StoreError::Corrupt("the room that was opened is not stored".to_owned())),
            Err(error) => Err(error),
        })
    }

    /// Ends and closes the room of the game, because the board will not come back.
    pub(super) async fn leave_followed_game(&mut self) {
        if let Some(room) = self.relay_session.followed_game().cloned() {
            self.close_left_game(room).await;
        }
    }

    /// Ends and closes the room of the game before. Returns whether nothing is left to do.
    async fn close_left_game(&mut self, left: FollowedGame) -> bool {
        let relay = self.server.relay().clone();
        let room = match left.room {
            Some(room) => Ok(Some(room)),
            None => relay.find(&left.code).await,
        };
        let closed = match room {
            Ok(Some(room)) => {
                let closed = relay.follow_board(room, Command::LeaveBoard).await;
                if let Ok(Some(room)) = relay.look(&left.code).await {
                    self.list(&room).await;
                }
                closed.map(drop)
            }
            Ok(None) => Ok(()),
            Err(error) => Err(ActError::Store(error)),
        };
        match closed {
            Ok(()) | Err(ActError::Refused(_)) => {
                self.relay_session.closed_left_game();
                true
            }
            Err(error) => {
                tracing::debug!(board = %self.board.name, code = %left.code, %error, "room of the game before was not closed, will retry");
                false
            }
        }
    }
}
