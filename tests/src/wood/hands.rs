use anyhow::{Context, Result, ensure};
use chess::{Move, Position, Square};

use super::Wood;

/// How long a hand takes for each touch, and how long it rests after a move, in milliseconds.
const TOUCH: u64 = 200;
const REST: u64 = 1_600;

/// How often the reeds are read in between.
const SCANS: u64 = 8;

impl Wood {
    /// Makes this move on the wood, and makes sure that the board has read it.
    pub fn play(&mut self, mv: Move) -> Result<()> {
        let position = *self.game().context("a hand waits for the rest of a game")?.position();
        let before = self.plies();
        self.make(&position, mv);
        let game = self.game().context("the game goes on")?;
        ensure!(
            game.moves().last() == Some(&mv) && Some(game.moves().len()) == before.map(|plies| plies + 1),
            "the board has not read {mv}: {:?}",
            game.moves()
        );
        Ok(())
    }

    /// Makes the wood look like the game, as the lights say.
    pub fn follow(&mut self) -> Result<()> {
        let game = self.game().context("a hand waits for the rest of a game")?;
        let target = game.position().occupied();
        if let Some((&last, earlier)) = game.moves().split_last() {
            let start = *game.start();
            let before = earlier.iter().try_fold(start, |position, &mv| position.play(mv))?;
            if self.standing == before.occupied() {
                // Whose promotion it is has been decided elsewhere.
                self.make(&before, last.promoting(None));
            }
        }
        for square in self.standing.without(target) {
            self.lift(square);
        }
        for square in target.without(self.standing) {
            self.place(square);
        }
        self.rest();
        ensure!(self.game().is_some_and(|game| game.position().occupied() == target), "the hand has played by mistake");
        Ok(())
    }

    /// Sets the pieces up for another game.
    pub fn set_up(&mut self) {
        let target = Position::start().occupied();
        for square in self.standing.without(target) {
            self.lift(square);
        }
        for square in target.without(self.standing) {
            self.place(square);
        }
        for _ in 0..10 {
            self.rest();
        }
    }

    /// Makes a move as careful hands do.
    fn make(&mut self, position: &Position, mv: Move) {
        if let Some(victim) = position.victim(mv) {
            self.lift(victim);
        }
        self.lift(mv.from());
        self.place(mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.lift(from);
            self.place(to);
        }
        if let Some(promotion) = mv.promotion()
            && let Some((square, _)) =
                board::promotion_choices(mv.to()).into_iter().find(|choice| choice.1 == promotion)
        {
            // A touch is enough, whether something stands there or not.
            let before = self.standing;
            self.standing ^= square.into();
            self.pass(TOUCH);
            self.standing = before;
            self.pass(TOUCH);
        }
        self.rest();
    }

    fn lift(&mut self, square: Square) {
        self.standing = self.standing.without(square.into());
        self.pass(TOUCH);
    }

    fn place(&mut self, square: Square) {
        self.standing |= square.into();
        self.pass(TOUCH);
    }

    fn rest(&mut self) {
        self.pass(REST);
    }

    /// So much time passes, and the reeds are read a few times.
    fn pass(&mut self, milliseconds: u64) {
        for _ in 0..SCANS {
            self.skipped += milliseconds / SCANS;
            let now = self.now();
            self.mind.scan(self.standing, now);
        }
    }
}
