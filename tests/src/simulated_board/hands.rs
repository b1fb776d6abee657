use anyhow::{Context, Result, ensure};
use board::{Input, Stance, choice_squares};
use chess::{Position, Square};
use rules::{Footprint, Ply, Situation};

use super::SimulatedBoard;

/// How long a hand takes for each touch, and how long it rests after a move, in milliseconds.
const TOUCH: u64 = 200;
const REST: u64 = 2_400;

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
        self.answer(ply);
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
            let footprint = before.situation().made_footprint(last).context("a game has legal plies")?;
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

    /// Whether a challenge waits for an answer.
    pub fn is_challenged(&self) -> bool {
        self.runner.core().surface().referee().challenge().is_some()
    }

    /// Accepts a challenge with the king of the offered side.
    pub fn accept_challenge(&mut self, king: Square) {
        self.lift(king);
        self.rest();
        self.place(king);
        self.rest();
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
        // The piece of the ply arrives before others are lifted, if it goes to its target and the target is free.
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let goes_first = footprint.lifts.has(from) && footprint.places.has(to) && !footprint.other_lifts().has(to);
        if goes_first {
            self.lift(from);
            self.place(to);
        }
        let is_done = |square: &Square| goes_first && [from, to].contains(square);
        for square in footprint.lifts.squares().filter(|square| !is_done(square)) {
            self.lift(square);
        }
        for square in footprint.places.squares().filter(|square| !goes_first || *square != to) {
            self.place(square);
        }
        if let Some(square) = choice {
            self.tap(square);
        }
        self.rest();
    }

    /// Answers a question which of several plies was made, by its target.
    fn answer(&mut self, ply: Ply) {
        if let Stance::Asking(squares) = self.runner.core().surface().referee().stance()
            && squares.has(ply.to())
        {
            self.tap(ply.to());
            self.rest();
        }
    }

    /// Touches a square, whether something stands there or not.
    fn tap(&mut self, square: Square) {
        let before = self.standing;
        self.standing ^= square.into();
        self.pass(TOUCH);
        self.standing = before;
        self.pass(TOUCH);
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
    let choices = here.choices(ply);
    // No ply has more than 15 choices.
    let squares = choice_squares(ply.to(), choices.len() as u8);
    squares.zip(choices.iter().copied()).find(|&(_, choice)| choice == ply.choice()).map(|(square, _)| square)
}
