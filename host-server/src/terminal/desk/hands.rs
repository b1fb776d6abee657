//! What the hands do.

use chess::{File, Position, Rank, Square};

use super::Desk;
use crate::reeds::Reeds;
use crate::terminal::keys::{Intent, Way};
use crate::terminal::picture::Page;
use crate::terminal::wood::Wood;

/// Hands need so long from one touch to the next, in milliseconds. Keys may be quicker; then they wait.
const TOUCH: u64 = 200;
/// And so long to push a piece on by a square.
const STEP: u64 = 40;

impl Desk {
    /// Does what is wanted.
    pub(super) fn obey(&mut self, intent: Intent) {
        // Whatever comes after a question answers it or withdraws it.
        if self.page == Page::Asking {
            self.page = Page::Game;
        }
        match intent {
            Intent::Go(way) => {
                let to = self.step(way);
                self.go(to, self.pushing);
            }
            Intent::Touch => {
                let here = self.cursor;
                let holds = self.wood.in_hand().next().is_some();
                let done = (holds && self.wood.put(here))
                    || if self.pushing { self.wood.grip(here) } else { self.wood.lift(here) };
                self.touched(done);
            }
            Intent::LayAside => {
                let done = self.wood.lay_aside(self.cursor);
                self.touched(done);
            }
            Intent::LayDown => {
                let done = self.wood.lay_down();
                self.touched(done);
            }
            Intent::Ask => self.page = Page::Asking,
            Intent::Take(piece) => self.wood.take(piece),
            Intent::Fill => {
                let here = self.cursor;
                if let Some(piece) =
                    self.brain.game().position().piece_at(here).filter(|_| self.wood.at(here).is_none())
                {
                    self.wood.take(piece);
                    let done = self.wood.put(here);
                    self.touched(done);
                }
            }
            Intent::Cancel => self.page = Page::Game,
            Intent::PutBack => {
                let done = self.wood.put_back();
                self.touched(done);
            }
            Intent::Shuffle => self.wood.shuffle(),
            Intent::Knock => {
                self.reeds.knock(self.cursor, self.now);
                self.touched(true);
            }
            Intent::Push => {
                self.pushing = !self.pushing;
                self.wood.raise();
            }
            Intent::SetUp => {
                self.wood = Wood::of(&Position::start());
                self.touched(true);
            }
            Intent::Reset => {
                self.wood = self.start.wood();
                self.reeds = Reeds::default();
                self.brain = self.start.brain(&self.wood, self.now);
                self.touched(true);
            }
            Intent::Letters => self.letters = !self.letters,
            Intent::Reeds => self.shows_reeds = !self.shows_reeds,
            Intent::Help => self.page = if self.page == Page::Help { Page::Game } else { Page::Help },
            // Who wants to go is gone already.
            Intent::Quit => {}
            Intent::Press(square) => {
                self.cursor = square;
                self.pressed = self.wood.grip(square).then_some(square);
                let done = self.pressed.is_some() || self.wood.put(square);
                self.touched(done);
            }
            Intent::Drag(square) => {
                if self.pressed.is_some() && square != self.cursor {
                    self.go(square, true);
                }
            }
            Intent::Release(square) => self.release(square),
            Intent::Discard(square) => {
                self.cursor = square;
                let done = self.wood.lay_aside(square);
                self.touched(done);
            }
        }
    }

    /// The mouse lets go: what was taken hold of here is now in the air; what was pushed here stays.
    fn release(&mut self, square: Square) {
        let Some(from) = self.pressed.take() else { return };
        if square == from && self.cursor == from {
            self.wood.raise();
            self.touched(true);
        } else {
            self.go(square, true);
            let done = self.wood.put(square);
            self.touched(done);
        }
    }

    /// The cursor goes to a square, and may push what is in the hand there.
    fn go(&mut self, to: Square, pushing: bool) {
        let moved = self.cursor != to;
        self.cursor = to;
        if pushing && moved {
            if self.wood.push(to) {
                self.reeds.arrive(to, self.now);
            }
            self.busy = self.now.after(STEP);
        }
    }

    fn touched(&mut self, done: bool) {
        if done {
            self.busy = self.now.after(TOUCH);
        }
    }

    /// The next square that way on the screen; at the edge, the same.
    fn step(&self, way: Way) -> Square {
        let (file, rank) = (self.cursor.file().index(), self.cursor.rank().index());
        let on = |index: u8| (index + 1).min(7);
        let (file, rank) = match (way, self.start.turned) {
            (Way::Up, false) | (Way::Down, true) => (file, on(rank)),
            (Way::Down, false) | (Way::Up, true) => (file, rank.saturating_sub(1)),
            (Way::Right, false) | (Way::Left, true) => (on(file), rank),
            (Way::Left, false) | (Way::Right, true) => (file.saturating_sub(1), rank),
        };
        Square::new(File::from_index(file), Rank::from_index(rank))
    }
}
