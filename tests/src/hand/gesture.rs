//! What a hand does, and when.

mod aftermath;
mod answers;
mod capture;
mod castling;
mod clumsy;
mod move_making;

use std::ops::RangeInclusive;

use chess::{Bitboard, Move, Position, Square};

use super::chance::Chance;
use super::habit::Habit;
use super::reeds::{Change, Magnet, Touch};
use super::way;

pub use aftermath::{go_on, kings, set_up, take_back, wrong_repeat};
pub use answers::{choose, touch_again};

/// What a hand does, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    /// What happens to the squares.
    pub touches: Vec<Touch>,
    /// How it was done, for the report.
    pub habits: Vec<Habit>,
    /// When it was done, but for what is put right afterwards.
    pub landed: u64,
    /// Whether the other player can see what was meant, and may answer before the board has read it.
    ///
    /// Not while a piece still has to be put right, or comes and goes: a piece that comes back while the answering one is
    /// in the air is a capture, as far as switches can tell. Nor before a question of the board is answered.
    pub answerable: bool,
}

impl Gesture {
    /// When the last of it happens.
    #[must_use]
    pub fn last_touch(&self) -> u64 {
        self.touches.iter().map(|touch| touch.at).max().unwrap_or(self.landed)
    }

    /// Whether it was done so.
    #[must_use]
    pub fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }
}

/// What hands have before them.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What they see on the board, and mean to go on from.
    pub position: &'a Position,
    /// The last move.
    pub last: Option<Move>,
    /// Where the piece with the weak magnet stands, if there is one.
    pub weak: Option<Square>,
    /// Whether both players sit at the board.
    pub shared: bool,
    /// The piece that the other player has just moved, if the board may not have read that yet.
    ///
    /// Until then, whoever lifts it may be its owner, who goes on with it; so hands lift it only to take it, at once.
    pub fresh: Option<Square>,
}

/// A hand makes a move, beginning now.
pub fn make(view: View<'_>, mv: Move, start: u64, chance: &mut Chance) -> Gesture {
    let mut maker = Maker::new(view, start, chance);
    maker.think_before();
    maker.play(mv);
    maker.done()
}

/// A hand slides a piece to a square, with nothing else happening.
pub fn slide_to(view: View<'_>, mv: Move, start: u64, chance: &mut Chance) -> Gesture {
    let mut maker = Maker::new(view, start, chance);
    maker.slide(mv.from(), mv.from(), &way::between(mv.from(), mv.to()));
    maker.place(mv.from(), mv.to());
    maker.landed = maker.now;
    maker.done()
}

/// A hand in the middle of a gesture.
///
/// A piece is named by the square that it stood on when the gesture began, so that its magnet goes with it.
struct Maker<'a> {
    view: View<'a>,
    chance: &'a mut Chance,
    now: u64,
    touches: Vec<Touch>,
    habits: Vec<Habit>,
    landed: u64,
}

impl<'a> Maker<'a> {
    fn new(view: View<'a>, start: u64, chance: &'a mut Chance) -> Self {
        Self { view, chance, now: start, touches: Vec::new(), habits: Vec::new(), landed: start }
    }

    fn done(mut self) -> Gesture {
        self.touches.sort_by_key(|touch| touch.at);
        let unclear = [
            Habit::Knock,
            Habit::KnockedAside,
            Habit::NeighbourWobble,
            Habit::OtherHand,
            Habit::Centred,
            Habit::CarriedOffLow,
            Habit::PushedOff,
            Habit::PushedUnseen,
            Habit::Promotion,
        ];
        let answerable = !unclear.iter().any(|habit| self.habits.contains(habit));
        Gesture { touches: self.touches, habits: self.habits, landed: self.landed, answerable }
    }

    fn wait(&mut self, milliseconds: RangeInclusive<u64>) {
        self.now += self.chance.within(milliseconds);
    }

    fn lift(&mut self, at: Square) {
        self.touches.push(Touch { at: self.now, square: at, change: Change::Opens });
    }

    fn place(&mut self, piece: Square, at: Square) {
        let magnet = if self.view.weak == Some(piece) { Magnet::Weak } else { Magnet::Sound };
        self.place_with(magnet, at);
    }

    /// Something comes that was not on the board: it has a good magnet.
    fn place_new(&mut self, at: Square) {
        self.place_with(Magnet::Sound, at);
    }

    fn place_with(&mut self, magnet: Magnet, at: Square) {
        self.touches.push(Touch { at: self.now, square: at, change: Change::Closes(magnet) });
    }

    fn habit(&mut self, habit: Habit) {
        self.habits.push(habit);
    }

    fn occupied(&self) -> Bitboard {
        self.view.position.occupied()
    }

    /// Does something else at some time, and is then back at what it was doing.
    fn meanwhile(&mut self, at: u64, deed: impl FnOnce(&mut Self)) {
        let now = std::mem::replace(&mut self.now, at);
        deed(self);
        self.now = now;
    }
}
