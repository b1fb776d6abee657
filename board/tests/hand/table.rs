//! A board under the hand of a test: squares are lifted and placed on, time passes, and what is read becomes the game.

use board::{Hand, HandSettings, Instant, Looking, Reading, Scan, Stance};
use chess::{Bitboard, Move, Position, Square};

/// The times that the tests are about.
pub(crate) const SETTINGS: HandSettings =
    HandSettings { rest: 300, rook_rest: 1500, kings_rest: 1000, restart_rest: 3000, swap: 100 };

/// What happens to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Lift(Square),
    Place(Square),
}

/// A board, and the game on it.
#[derive(Clone)]
pub(crate) struct Table {
    hand: Hand,
    looking: Looking,
    /// The positions of the game so far, each with the move that was made in it; the last one without.
    past: Vec<(Position, Move)>,
    position: Position,
    now: u64,
    /// What was read, and when, in the order of time; that nothing happened is not worth noting.
    read: Vec<(u64, Reading)>,
}

impl Table {
    /// Two people begin to play here.
    pub(crate) fn at(position: &Position) -> Self {
        Self::looking(position, Looking::ForMoves)
    }

    /// A game that stands here, and hands that are expected to do this.
    pub(crate) fn looking(position: &Position, looking: Looking) -> Self {
        let now = 10_000;
        let mut hand = Hand::new(SETTINGS, *position, position.occupied());
        hand.settle(position, None, looking, Instant::at(now));
        Self { hand, looking, past: Vec::new(), position: *position, now, read: Vec::new() }
    }

    /// The game goes on with this move without any touch: the wood was brought to it already.
    pub(crate) fn after(position: &Position, mv: Move, looking: Looking) -> Self {
        let next = position.play(mv).expect("a legal move");
        let mut table = Self::looking(&next, looking);
        table.past.push((*position, mv));
        table.settle();
        table
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn stance(&self) -> Stance {
        self.hand.stance()
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.hand.occupied()
    }

    pub(crate) fn touch(&mut self, touch: Touch) {
        let scan = match touch {
            Touch::Lift(square) => {
                assert!(self.occupied().has(square), "nothing stands on {square}");
                Scan { lifted: square.into(), ..Scan::default() }
            }
            Touch::Place(square) => {
                assert!(!self.occupied().has(square), "something stands on {square}");
                Scan { placed: square.into(), ..Scan::default() }
            }
        };
        self.scan(&scan);
    }

    /// Touches one after the other, so far apart. No time passes after the last one.
    pub(crate) fn touch_all(&mut self, touches: &[Touch], gap: u64) {
        for (index, &touch) in touches.iter().enumerate() {
            if index > 0 {
                self.wait(gap);
            }
            self.touch(touch);
        }
    }

    /// Time passes and nothing is touched, though it is looked every millisecond.
    pub(crate) fn wait(&mut self, milliseconds: u64) {
        // The touch itself was looked at in the millisecond in which it happened.
        for _ in 0..milliseconds {
            self.now += 1;
            let reading = self.hand.scan(&Scan::default(), Instant::at(self.now));
            self.take(reading);
        }
    }

    /// What was read since this was asked last, and how long ago each of it was.
    pub(crate) fn read_and_when(&mut self) -> Vec<(Reading, u64)> {
        self.read.drain(..).map(|(at, reading)| (reading, self.now - at)).collect()
    }

    /// What was read since this was asked last.
    pub(crate) fn read(&mut self) -> Vec<Reading> {
        self.read_and_when().into_iter().map(|(reading, _)| reading).collect()
    }

    fn scan(&mut self, scan: &Scan) {
        let reading = self.hand.scan(scan, Instant::at(self.now));
        self.take(reading);
    }

    /// Does with the game what a referee would do.
    fn take(&mut self, reading: Option<Reading>) {
        let Some(reading) = reading else { return };
        match reading {
            Reading::PutBack => return,
            Reading::Moved(mv) => self.play(mv),
            Reading::MovedTwice(first, second) => {
                self.play(first);
                self.play(second);
            }
            Reading::TakenBack => self.take_back(),
            Reading::Corrected(mv) => {
                self.take_back();
                self.play(mv);
            }
            Reading::Kings(_) | Reading::StartPosition => {}
        }
        self.read.push((self.now, reading));
        self.settle();
    }

    fn play(&mut self, mv: Move) {
        let next = self.position.play(mv).expect("what is read is legal");
        self.past.push((self.position, mv));
        self.position = next;
        if self.looking == Looking::ForThis(mv) {
            self.looking = Looking::ForNothing;
        }
    }

    fn take_back(&mut self) {
        (self.position, _) = self.past.pop().expect("a move to take back");
    }

    fn settle(&mut self) {
        self.hand.settle(&self.position, self.past.last().copied(), self.looking, Instant::at(self.now));
    }
}
