use anyhow::{Context, Result, ensure};
use board::{Input, promotion_squares};
use chess::{Position, Square};
use rules::{Footprint, Ply, Situation};

use super::SimulatedBoard;

/// How long a hand takes for each touch, and how long it rests after a move, in milliseconds.
const TOUCH: u64 = 200;
const REST: u64 = 1_600;

/// How often the reeds are read in between.
const SCANS: u64 = 8;

impl SimulatedBoard {
    /// Makes this ply on the board, and makes sure that the board has read it.
    pub fn play(&mut self, ply: Ply) -> Result<()> {
        let here = self.any_game().context("a hand waits for the rest of a game")?.situation();
        let footprint = here.footprint(ply).with_context(|| format!("{ply} is not legal"))?;
        let choice = choice_square(here, ply);
        let before = self.plies();
        self.make(&footprint, choice);
        let game = self.any_game().context("the game goes on")?;
        ensure!(
            game.last() == Some(ply) && Some(game.len()) == before.map(|plies| plies + 1),
            "the board has not read {ply}: {:?}",
            game.sheet()
        );
        Ok(())
    }

    /// Makes the pieces on the board match the game, as the lights say.
    pub fn follow(&mut self) -> Result<()> {
        let game = self.any_game().context("a hand waits for the rest of a game")?;
        let target = game.situation().occupied();
        if let (Some(before), Some(last)) = (game.before_last(), game.last())
            && self.standing == before.situation().occupied()
        {
            // The opponent has made the choice already.
            let footprint = before.situation().footprint(last).context("a game has legal plies")?;
            self.make(&footprint, None);
        }
        for square in self.standing.without(target) {
            self.lift(square);
        }
        for square in target.without(self.standing) {
            self.place(square);
        }
        self.rest();
        ensure!(
            self.any_game().is_some_and(|game| game.situation().occupied() == target),
            "the hand has played by mistake"
        );
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

    /// Makes a ply as careful hands do, and then touches the square of a choice.
    fn make(&mut self, footprint: &Footprint, choice: Option<Square>) {
        for square in footprint.captured {
            self.lift(square);
        }
        self.lift(footprint.ply.from());
        self.place(footprint.ply.to());
        for square in footprint.other_lifts() {
            self.lift(square);
        }
        for square in footprint.other_places() {
            self.place(square);
        }
        if let Some(square) = choice {
            // A touch is enough, whether something stands there or not.
            let before = self.standing;
            self.standing ^= square.into();
            self.pass(TOUCH);
            self.standing = before;
            self.pass(TOUCH);
        }
        self.rest();
    }

    /// Lifts the piece on a square.
    pub fn lift(&mut self, square: Square) {
        self.standing = self.standing.without(square.into());
        self.pass(TOUCH);
    }

    /// Puts a piece on a square.
    pub fn place(&mut self, square: Square) {
        self.standing |= square.into();
        self.pass(TOUCH);
    }

    /// Leaves the pieces alone until the board has read them.
    pub fn rest(&mut self) {
        self.pass(REST);
    }

    /// So much time passes, and the reeds are read a few times.
    fn pass(&mut self, milliseconds: u64) {
        for _ in 0..SCANS {
            self.skipped += milliseconds / SCANS;
            self.poll(Input::Scan(self.standing), false);
        }
    }
}

/// The square to touch for the choice of a ply.
fn choice_square(here: Situation<'_>, ply: Ply) -> Option<Square> {
    let choices = here.choices(ply).iter().copied();
    promotion_squares(ply.to()).zip(choices).find(|&(_, choice)| choice == ply.choice()).map(|(square, _)| square)
}
