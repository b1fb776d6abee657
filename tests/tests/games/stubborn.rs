//! A hand that makes a move again if the board has to start anew and knows nothing of it.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use chess::{Move, Position};

use crate::together::Together;
use tests::scenes;

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

const MOMENT: Duration = Duration::from_millis(100);

impl Together {
    /// Our move is made, and made again, until it has arrived; but it arrives once.
    pub(crate) fn ours_stubbornly(&mut self, text: &str) -> Result<()> {
        let mv: Move = text.parse()?;
        self.wooden.restarted()?;
        self.is_still()?;
        self.panel().carry(mv.from(), mv.to())?;
        self.insist(text)
    }

    /// Our move has been made on the wood. If the board starts anew without it, it is put back and made again.
    pub(crate) fn insist(&mut self, text: &str) -> Result<()> {
        let (mv, plies): (Move, usize) = (text.parse()?, self.game.moves().len());
        let deadline = Instant::now() + PATIENCE;
        while !self.guest.hears_ply(plies + 1, MOMENT)? {
            ensure!(Instant::now() < deadline, "{text} never arrives");
            if self.wooden.restarted()? == Some(plies) {
                self.panel().set(self.game.position().occupied())?;
                self.is_still()?;
                self.panel().carry(mv.from(), mv.to())?;
            }
        }
        self.game.play(mv)?;
        self.panel().set(self.game.position().occupied())?;
        self.is_still()
    }

    /// The other player's move is made on the wood, and made again, until the board has seen it.
    pub(crate) fn theirs_stubbornly(&mut self, text: &str) -> Result<()> {
        let (before, mv, plies): (Position, Move, usize) =
            (*self.game.position(), text.parse()?, self.game.moves().len());
        self.guest.play(text, plies)?;
        self.guest.hear_ply(plies + 1)?;
        self.game.play(mv)?;
        let announced = scenes::opponents(&before, mv, &self.game);
        let deadline = Instant::now() + PATIENCE;
        while !self.panel().comes_to_show(scenes::still(&self.game), MOMENT) {
            ensure!(Instant::now() < deadline, "{text} never is on the wood");
            if self.panel().comes_to_show(announced, MOMENT) {
                self.panel().carry(mv.from(), mv.to())?;
            } else if let Some(kept) = self.wooden.restarted()? {
                // A board that starts anew asks for the wood to be as the game is that it has kept.
                let kept = if kept > plies { self.game.position() } else { &before };
                self.panel().set(kept.occupied())?;
            }
        }
        Ok(())
    }
}
