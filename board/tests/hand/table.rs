//! A board under the hand of a test: squares are lifted and placed on, time passes, and what is read becomes the game.

use board::{Hand, HandSettings, Instant, Looking, Pace, Reading, Scan, Stance, View, promotion_squares};
use chess::{Bitboard, Move, Position, Promotion, Square};
use rules::{Options, Plies, Ply, Situation};

/// The times that the tests are about.
pub(crate) const SETTINGS: HandSettings =
    HandSettings { pace: Pace::Normal, rest: 300, rook_rest: 1500, kings_rest: 1000, restart_rest: 3000, swap: 100 };

/// A reading of this move.
pub(crate) fn moved(mv: Move) -> Reading {
    Reading::Moved(Ply::of_move(mv))
}

/// A reading that the last move was this one.
pub(crate) fn corrected(mv: Move) -> Reading {
    Reading::Corrected(Ply::of_move(mv))
}

/// Expects only this move.
pub(crate) fn for_this(mv: Move) -> Looking {
    Looking::ForThis(Ply::of_move(mv))
}

/// The squares on which a promotion is chosen, with what each stands for.
pub(crate) fn promotion_choices(to: Square) -> Vec<(Square, Promotion)> {
    let order = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];
    promotion_squares(to).zip(order).collect()
}

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
    plies: Plies,
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
        let mut hand = Hand::new(SETTINGS, position.occupied());
        let plies = Situation::Chess(position).plies();
        hand.settle(&view(position, &plies, None), looking, Instant::at(now));
        Self { hand, looking, past: Vec::new(), position: *position, plies, now, read: Vec::new() }
    }

    /// The same for players who have chosen this pace.
    pub(crate) fn paced(position: &Position, looking: Looking, pace: Pace) -> Self {
        let mut table = Self::looking(position, looking);
        table.hand.set(HandSettings { pace, ..SETTINGS });
        table
    }

    /// The game goes on with this move without any touch: the pieces stand accordingly already.
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
            self.scan(&Scan::default());
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
        let Self { hand, past, position, plies, now, .. } = self;
        let reading = hand.scan(scan, || view(position, plies, past.last()), Instant::at(*now));
        self.take(reading);
    }

    /// Does with the game what a referee would do.
    fn take(&mut self, reading: Option<Reading>) {
        let Some(reading) = reading else { return };
        match reading {
            Reading::PutBack => return,
            Reading::Moved(ply) => self.play(ply),
            Reading::MovedTwice(first, second) => {
                self.play(first);
                self.play(second);
            }
            Reading::MovedSeveral(moves) => moves.iter().for_each(|ply| self.play(ply)),
            Reading::CorrectedTo(moves) => {
                self.take_back();
                moves.iter().for_each(|ply| self.play(ply));
            }
            Reading::Withdrawn => {
                self.take_back();
                self.looking = Looking::ForOwnMove;
            }
            Reading::TakenBack => self.take_back(),
            Reading::Corrected(ply) => {
                self.take_back();
                self.play(ply);
            }
            Reading::Kings(_) | Reading::StartPosition => {}
        }
        self.read.push((self.now, reading));
        self.settle();
    }

    fn play(&mut self, ply: Ply) {
        let mv = ply.to_move().expect("a move of chess");
        let next = self.position.play(mv).expect("what is read is legal");
        self.past.push((self.position, mv));
        self.position = next;
        if self.looking == Looking::ForThis(ply) {
            self.looking = Looking::ForNothing;
        }
    }

    fn take_back(&mut self) {
        (self.position, _) = self.past.pop().expect("a move to take back");
    }

    fn settle(&mut self) {
        self.plies = Situation::Chess(&self.position).plies();
        let view = view(&self.position, &self.plies, self.past.last());
        self.hand.settle(&view, self.looking, Instant::at(self.now));
    }
}

fn view<'a>(position: &'a Position, plies: &'a Plies, before: Option<&'a (Position, Move)>) -> View<'a> {
    let before = before.map(|(earlier, mv)| (Situation::Chess(earlier), Ply::of_move(*mv)));
    View { here: Options { here: Situation::Chess(position), plies }, before, made: None }
}
