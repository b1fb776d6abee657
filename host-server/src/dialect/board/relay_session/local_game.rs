//! A game of two people at the board, which a room follows.

use rules::Start;

use super::RelaySession;
use crate::boards::FollowedGame;
use crate::room::{BoardGame, Name, RoomId, Terms};

/// A game with fewer plies gets no room: a piece may only have been tried out.
const WORTH_STORING: usize = 2;

impl RelaySession {
    /// A snapshot of the board is complete, whose game the board started with this event.
    pub(super) fn note_local_game(&mut self, renewed: u32) {
        if self.replica.is_shared() || renewed != self.local.renewed {
            self.leave_local_game();
        }
        self.local.renewed = renewed;
    }

    fn leave_local_game(&mut self) {
        if let Some(room) = self.local.room.take() {
            self.local.left = Some(room);
            self.changed = true;
        }
    }

    /// The game of two people at the board, if a room should follow it. A room that follows another game is to be [left](Self::left_game).
    pub fn local_game(&mut self) -> Option<BoardGame> {
        if self.session.is_half_loaded() || !self.is_whole() {
            return None;
        }
        if self.replica.is_shared() {
            self.leave_local_game();
            return None;
        }
        let game = &self.replica.game;
        let is_followed = self.local.room.is_some();
        let is_stored = is_followed || (game.len() >= WORTH_STORING && !game.is_told());
        is_stored.then(|| BoardGame {
            plies: game.plies_from(0).collect(),
            verdict: self.replica.verdict,
            names: self.replica.names(),
        })
    }

    /// The terms of the room that follows the game.
    #[must_use]
    pub fn local_terms(&self, board: &Name) -> Terms {
        let start = self.replica.game.start();
        let is_usual = start == Start::CHESS;
        Terms { board: Some(board.clone()), start: (!is_usual).then(|| Box::new(start)), ..Terms::default() }
    }

    /// The room that follows the game.
    #[must_use]
    pub const fn followed_game(&self) -> Option<&FollowedGame> {
        self.local.room.as_ref()
    }

    /// Sets the room that is to follow the game, or none. It must be stored before it is opened.
    pub fn follow_in(&mut self, room: Option<FollowedGame>) {
        self.local.room = room;
        self.changed = true;
    }

    /// Notes that the room is open.
    pub fn opened(&mut self, room: RoomId) {
        if let Some(followed) = &mut self.local.room
            && followed.room != Some(room)
        {
            followed.room = Some(room);
            self.changed = true;
        }
    }

    /// The room that followed the game before and is to be closed.
    #[must_use]
    pub const fn left_game(&self) -> Option<&FollowedGame> {
        self.local.left.as_ref()
    }

    /// Notes that it is closed.
    pub fn closed_left_game(&mut self) {
        self.local.left = None;
        self.changed = true;
    }
}
