//! From bare occupancy to moves.
//!
//! The last occupancy alone does not tell a move: all captures from one square look alike, and so does a piece that is
//! merely lifted. So the trail of touches since the board last agreed with the game is kept, and a move is read when the
//! board looks as it does after the move **and** every square that it empties was lifted from **and** every square that
//! it fills was placed on, in whatever order.

mod answer;
mod evaluate;
mod flicker;
mod footprint;
mod kings;
mod past;
mod promotion;
mod reading;
mod trail;

use chess::{Bitboard, Move, MoveList, Position};

use crate::debounce::Scan;
use crate::settings::HandSettings;
use crate::time::Instant;
use evaluate::Verdict;
use flicker::Flicker;
use footprint::Footprint;
use promotion::Choice;
use trail::Trail;

pub use kings::KingsResult;
pub use promotion::choices as promotion_choices;
pub use reading::{Reading, Stance};

/// What hands are expected to do on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looking {
    /// Any legal move of the side to move, by people who share the board: one may answer before the other is done, and
    /// a move may be taken back or put right by hand.
    ForMoves,
    /// Any legal move of the side to move, by the one player who sits here.
    ForOwnMove,
    /// This move and no other: it was made elsewhere, and has to be repeated here.
    ForThis(Move),
    /// No move: it is somebody else's turn, or the game is over.
    ForNothing,
}

/// Reads moves from the reeds.
#[derive(Clone, Debug)]
pub struct Hand {
    settings: HandSettings,
    looking: Looking,
    position: Position,
    /// The position before this one, and the move that led here.
    before: Option<(Position, Move)>,
    legal: MoveList,
    occupied: Bitboard,
    trail: Trail,
    flicker: Flicker,
    /// What has been read and waits for the board to rest.
    waiting: Option<Waiting>,
    /// A promotion that is complete but for the choice of the piece.
    choosing: Option<Choice>,
    /// Which squares the player was asked to touch again, and since when.
    asked: Option<(Bitboard, Instant)>,
    /// When something came back to where the last move took a piece: the board looks as if nothing had happened, and yet
    /// it may be the first half of a takeback.
    swapped_back: Option<Instant>,
    stance: Stance,
    /// When the stance has to be looked at again although nothing was touched: what is on its way is given a moment
    /// before it is called wrong.
    review: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    reading: Reading,
    /// Since when it has rested.
    since: Instant,
    /// How long it has to.
    rest: u64,
    /// What was occupied then.
    seen: Bitboard,
    /// Since when it can no longer be read from the board, if it cannot.
    fell: Option<Instant>,
    /// Since when the board has looked exactly like this, but for what flickers.
    exact_since: Instant,
    /// When it stopped looking exactly like this, if it has.
    left: Option<Instant>,
}

impl Hand {
    /// Starts with a board that looks like this.
    #[must_use]
    pub fn new(settings: HandSettings, position: Position, occupied: Bitboard) -> Self {
        Self {
            settings,
            looking: Looking::ForNothing,
            position,
            before: None,
            legal: position.legal_moves(),
            occupied,
            trail: Trail::NONE,
            flicker: Flicker::NONE,
            waiting: None,
            choosing: None,
            asked: None,
            swapped_back: None,
            stance: Stance::Settled,
            review: None,
        }
    }

    /// Takes over other settings.
    pub fn set(&mut self, settings: HandSettings) {
        self.settings = settings;
    }

    /// What is occupied.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// How things stand between the hands and the board.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.stance
    }

    /// Squares whose magnet or switch is too weak: they come and go while nobody touches them.
    #[must_use]
    pub const fn weak(&self) -> Bitboard {
        self.flicker.weak()
    }

    /// The game has come to this position, by this move from the one before if by any, and hands are expected to do this.
    ///
    /// Touches that the position explains are forgotten; those on squares that do not agree with it are kept, since they
    /// may be the beginning of the next move.
    pub fn settle(&mut self, position: &Position, before: Option<(Position, Move)>, looking: Looking, now: Instant) {
        self.position = *position;
        self.before = before;
        self.legal = position.legal_moves();
        self.looking = looking;
        self.trail.forget_all_but(self.occupied ^ position.occupied());
        self.waiting = None;
        self.choosing = None;
        self.asked = None;
        self.swapped_back = None;
        self.stance = self.judge(now);
        self.review = (self.stance != Stance::Settled).then(|| now.after(self.settings.rest));
        // The next move may be on the board already. What else is there was there before, and has been seen.
        if self.stance != Stance::Settled
            && let Some(Verdict::Read(reading, rest)) = self.evaluate_moves(now)
        {
            self.wait_for(reading, rest, now);
        }
    }

    /// Takes in what a scan has brought to light. Costs nothing to speak of while nothing is touched.
    pub fn scan(&mut self, scan: &Scan, now: Instant) -> Option<Reading> {
        let scan = self.flicker.soften(scan, now);
        if (scan.lifted | scan.placed).any() {
            self.touched(&scan, now);
        }
        self.rest(now)
    }

    fn touched(&mut self, scan: &Scan, now: Instant) {
        let asked = self.asked.map_or(Bitboard::EMPTY, |(squares, _)| squares);
        // A capture that is expected needs less proof than one that nobody has announced.
        let expected = match self.looking {
            Looking::ForThis(mv) => mv.to().into(),
            _ => Bitboard::EMPTY,
        };
        let doubted = self.flicker.weak().without(asked | expected);
        let (flicker, usual) = (&self.flicker, self.settings.swap);
        let swapped = |square| flicker.gone(square, now) >= if doubted.has(square) { WEAK_SWAP } else { usual };
        self.trail.record(scan, now, |square| flicker.lift_of(square), swapped);
        self.occupied = self.occupied.without(scan.lifted) | scan.placed;
        self.review = Some(now.after(self.settings.rest));
        self.look(now);
    }

    /// Makes of the board what can be made of it now.
    fn look(&mut self, now: Instant) {
        match self.evaluate(now) {
            Verdict::Read(reading, rest) => self.wait_for(reading, rest, now),
            Verdict::Not(stance) => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.fell.get_or_insert(now);
                    waiting.left.get_or_insert(now);
                }
                if let Stance::Asking(squares) = stance
                    && self.asked.is_none_or(|(asked, _)| asked != squares)
                {
                    self.asked = Some((squares, now));
                }
                self.stance = match stance {
                    Stance::Asking(_) => stance,
                    _ => self.still_choosing().unwrap_or(stance),
                };
            }
        }
    }

    /// Whether what was read has rested long enough, and if so, what it is.
    fn rest(&mut self, now: Instant) -> Option<Reading> {
        if self.review.is_some_and(|due| now >= due) {
            self.review = [self.settings.rest, evaluate::CONVINCED]
                .map(|patience| self.trail.last.after(patience))
                .into_iter()
                .find(|&next| next > now);
            if self.waiting.is_none_or(|waiting| waiting.fell.is_some()) {
                self.stance = self.judge_again(now);
            }
        }
        let waiting = self.waiting.filter(|waiting| waiting.fell.is_none())?;
        // A piece that may just be lifting off is not at rest.
        if now.since(waiting.since) < waiting.rest || (waiting.rest > 0 && self.flicker.is_unsure()) {
            return None;
        }
        self.waiting = None;
        if waiting.reading == Reading::PutBack {
            if self.has_swapped_back() {
                self.swapped_back = Some(now);
            }
            self.trail.forget_all_but(Bitboard::EMPTY);
            self.choosing = None;
            self.asked = None;
            self.stance = Stance::Settled;
        } else {
            // It has arrived. Unless the game takes it over, the board is as wrong as it looks.
            self.stance = self.judge(now);
        }
        Some(waiting.reading)
    }

    /// A question stays until it is answered; all else is seen anew.
    fn judge_again(&self, now: Instant) -> Stance {
        match self.stance {
            Stance::Choosing { .. } | Stance::Asking(_) => self.stance,
            _ => self.judge(now),
        }
    }

    /// Begins to wait, or goes on waiting if the board only flickered.
    fn wait_for(&mut self, reading: Reading, rest: u64, now: Instant) {
        // A move that is answered already is not quite what is seen.
        let exact = match reading {
            Reading::Moved(mv) => self.occupied == Footprint::of(&self.position, mv).after,
            _ => true,
        };
        let same = self.waiting.filter(|waiting| waiting.reading == reading);
        let flickered = |gone: Option<Instant>| gone.is_none_or(|gone| now.since(gone) < self.settings.swap);
        let exact_since = same.filter(|waiting| flickered(waiting.left)).map_or(now, |waiting| waiting.exact_since);
        let seen_since = same.filter(|waiting| waiting.seen == self.occupied && flickered(waiting.fell));
        let left = if exact { None } else { same.and_then(|waiting| waiting.left).or(Some(now)) };
        let since = if exact { exact_since } else { seen_since.map_or(now, |waiting| waiting.since) };
        self.waiting = Some(Waiting { reading, since, rest, seen: self.occupied, fell: None, exact_since, left });
        self.stance = self.still_choosing().unwrap_or(Stance::Arriving(reading));
    }
}

/// A square that flickers must be empty for so long before anything is believed to have been swapped on it, unless just
/// that was expected or asked for.
const WEAK_SWAP: u64 = 400;

/// What is occupied when a game starts.
const START: Bitboard = Position::start().occupied();
