//! Repeats a move by hand if the board restarted without it.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use chess::{Move, Position};

use crate::fixture::GameFixture;
use tests::scenes;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

const MOMENT: Duration = Duration::from_millis(100);

impl GameFixture {
    /// Makes a move at the board until the remote player has received it, exactly once.
    pub(crate) fn play_at_board_with_retries(&mut self, text: &str) -> Result<()> {
        let mv: Move = text.parse()?;
        self.board.restarted()?;
        self.wait_until_still()?;
        self.panel().move_piece(mv.from(), mv.to())?;
        self.retry_until_received(text)
    }

    /// After a move was made by hand: if the board restarts without it, the piece is put back and moved again.
    pub(crate) fn retry_until_received(&mut self, text: &str) -> Result<()> {
        let (mv, plies): (Move, usize) = (text.parse()?, self.game.moves().len());
        let deadline = Instant::now() + TIMEOUT;
        while !self.guest.reaches_ply_within(plies + 1, MOMENT)? {
            ensure!(Instant::now() < deadline, "the remote player did not receive {text}");
            if self.board.restarted()? == Some(plies) {
                self.panel().set(self.game.position().occupied())?;
                self.wait_until_still()?;
                self.panel().move_piece(mv.from(), mv.to())?;
            }
        }
        self.game.play(mv)?;
        self.panel().set(self.game.position().occupied())?;
        self.wait_until_still()
    }

    /// Repeats the opponent's move on the board until the board has seen it.
    pub(crate) fn play_remotely_with_retries(&mut self, text: &str) -> Result<()> {
        let (before, mv, plies): (Position, Move, usize) =
            (*self.game.position(), text.parse()?, self.game.moves().len());
        self.guest.play(text, plies)?;
        self.guest.wait_for_ply(plies + 1)?;
        self.game.play(mv)?;
        let announce_remotely = scenes::opponents(&before, mv, &self.game);
        let deadline = Instant::now() + TIMEOUT;
        while !self.panel().reaches_scene_within(scenes::still(&self.game), MOMENT) {
            ensure!(Instant::now() < deadline, "{text} is never on the board");
            if self.panel().reaches_scene_within(announce_remotely, MOMENT) {
                self.panel().move_piece(mv.from(), mv.to())?;
            } else if let Some(kept) = self.board.restarted()? {
                // After a restart the board expects the pieces of the game in its journal.
                let kept = if kept > plies { self.game.position() } else { &before };
                self.panel().set(kept.occupied())?;
            }
        }
        Ok(())
    }
}
