//! Gestures: timed touches with which a hand makes a move.

mod answers;
mod capture;
mod castling;
mod mishaps;
mod move_making;
mod other;

use std::ops::RangeInclusive;

use chess::{Bitboard, Move, Position, Square};

use super::behaviour::Behaviour;
use super::geometry;
use super::reeds::{Contact, Magnet, ReedEvent};
use crate::random::Random;

pub use answers::{choose, touch_again};
pub use other::{go_on, kings, set_up, take_back, wrong_repeat};

/// The touches of a hand, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    /// The changes of the switches.
    pub touches: Vec<ReedEvent>,
    /// The behaviours, for the report.
    pub behaviours: Vec<Behaviour>,
    /// The end of the move, without later corrections.
    pub landed: u64,
    /// Whether the opponent may answer before the board has read the move.
    ///
    /// Not while a piece is still corrected or wobbles: a piece that comes back while the answering piece is
    /// lifted looks like a capture to the switches. Nor before a question of the board is answered.
    pub answerable: bool,
}

impl Gesture {
    /// The time of the last touch.
    #[must_use]
    pub fn last_touch(&self) -> u64 {
        self.touches.iter().map(|touch| touch.at).max().unwrap_or(self.landed)
    }

    /// Whether it has this behaviour.
    #[must_use]
    pub fn has(&self, behaviour: Behaviour) -> bool {
        self.behaviours.contains(&behaviour)
    }
}

/// What a hand sees.
#[derive(Clone, Copy, Debug)]
pub struct HandView<'a> {
    /// The position on the board.
    pub position: &'a Position,
    /// The last move.
    pub last: Option<Move>,
    /// The square of the piece with the weak magnet.
    pub weak: Option<Square>,
    /// Whether both players are at the board.
    pub shared: bool,
    /// The square of the piece that the opponent has just moved, if the board may not have read the move yet.
    ///
    /// Until then, lifting it looks like its owner moving on; so hands lift it only to capture it at once.
    pub fresh: Option<Square>,
}

/// The gesture of a move.
pub fn make(view: HandView<'_>, mv: Move, start: u64, random: &mut Random) -> Gesture {
    let mut builder = GestureBuilder::new(view, start, random);
    builder.think_before();
    builder.play(mv);
    builder.done()
}

/// The gesture of a slide without further behaviours.
pub fn slide_to(view: HandView<'_>, mv: Move, start: u64, random: &mut Random) -> Gesture {
    let mut builder = GestureBuilder::new(view, start, random);
    builder.slide(mv.from(), mv.from(), &geometry::between(mv.from(), mv.to()));
    builder.place(mv.from(), mv.to());
    builder.landed = builder.now;
    builder.done()
}

/// Builds a gesture.
///
/// A piece is identified by its square at the start of the gesture, so that its magnet moves with it.
struct GestureBuilder<'a> {
    view: HandView<'a>,
    random: &'a mut Random,
    now: u64,
    touches: Vec<ReedEvent>,
    behaviours: Vec<Behaviour>,
    landed: u64,
}

impl<'a> GestureBuilder<'a> {
    fn new(view: HandView<'a>, start: u64, random: &'a mut Random) -> Self {
        Self { view, random, now: start, touches: Vec::new(), behaviours: Vec::new(), landed: start }
    }

    fn done(mut self) -> Gesture {
        self.touches.sort_by_key(|touch| touch.at);
        let unclear = [
            Behaviour::Knock,
            Behaviour::KnockedAside,
            Behaviour::NeighbourWobble,
            Behaviour::OtherHand,
            Behaviour::Centred,
            Behaviour::CarriedOffLow,
            Behaviour::PushedOff,
            Behaviour::PushedUnseen,
            Behaviour::Promotion,
        ];
        let answerable = !unclear.iter().any(|behaviour| self.behaviours.contains(behaviour));
        Gesture { touches: self.touches, behaviours: self.behaviours, landed: self.landed, answerable }
    }

    fn wait(&mut self, milliseconds: RangeInclusive<u64>) {
        self.now += self.random.within(milliseconds);
    }

    fn lift(&mut self, at: Square) {
        self.touches.push(ReedEvent { at: self.now, square: at, change: Contact::Opens });
    }

    fn place(&mut self, piece: Square, at: Square) {
        let magnet = if self.view.weak == Some(piece) { Magnet::Weak } else { Magnet::Strong };
        self.place_with(magnet, at);
    }

    /// Places a piece from beside the board, which has a strong magnet.
    fn place_new(&mut self, at: Square) {
        self.place_with(Magnet::Strong, at);
    }

    fn place_with(&mut self, magnet: Magnet, at: Square) {
        self.touches.push(ReedEvent { at: self.now, square: at, change: Contact::Closes(magnet) });
    }

    fn behaviour(&mut self, behaviour: Behaviour) {
        self.behaviours.push(behaviour);
    }

    fn occupied(&self) -> Bitboard {
        self.view.position.occupied()
    }

    /// Adds touches at another time, and returns to the current time.
    fn meanwhile(&mut self, at: u64, action: impl FnOnce(&mut Self)) {
        let now = std::mem::replace(&mut self.now, at);
        action(self);
        self.now = now;
    }
}
