//! Reads moves from the reed switches.
//!
//! The occupancy after a move does not identify it: all captures from one square look alike, and so does a piece that is only
//! lifted. So every touch since the board last matched the game is recorded (`trail.rs`). A move is read when the board looks as it
//! does after the move **and** every square that it empties was lifted from **and** every square that it fills was placed on, in
//! any possible order (`evidence.rs`).
//!
//! The hand knows no rules. It works on the footprints of a [`View`], which the referee passes to every call.

mod alike;
mod budget;
mod correction;
mod evaluate;
mod evidence;
mod flicker;
mod kings;
mod pairs;
mod pending;
mod promotion;
mod reading;
mod sequence;
mod timing;
mod touch_index;
mod touches;
mod trail;
mod unchanged;

use chess::{Bitboard, Position, Square};
use rules::{Footprint, Made, Options, Ply, Situation};

use crate::debounce::Scan;
use crate::settings::HandSettings;
use crate::time::Instant;
use alike::Alike;
use budget::Budget;
use flicker::Flicker;
use pending::Pending;
use promotion::Choice;
use touches::Touches;
use trail::Trail;

pub use kings::KingsResult;
pub(crate) use kings::{CENTRE, ON_ITS_WAY, in_centre};
pub use promotion::{choice_squares, promotion_squares};
pub use reading::{Moves, Reading, Stance};

/// The part of the game that the hand needs: the position that the pieces on the board should show, and how it came about.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The position that the pieces on the board should show, and its legal plies.
    pub here: Options<'a>,
    /// The position before it and the ply that led here, if the ply may be taken back or corrected by hand.
    pub before: Option<(Situation<'a>, Ply)>,
    /// What the last ply of the game does, if that was worked out when it was played.
    pub made: Option<Made>,
}

impl<'a> View<'a> {
    /// The last ply, if it may have been meant as another one. What a pawn has become is not corrected.
    fn correctable(&self) -> Option<Ply> {
        self.before.map(|(_, last)| last).filter(|last| last.choice() == 0)
    }

    /// The position before the last ply, and the ply's footprint.
    fn last(&self) -> Option<(Situation<'a>, Footprint)> {
        let (earlier, ply) = self.before?;
        Some((earlier, self.made_footprint(earlier, ply)?))
    }

    /// The footprint of the ply that has to be made on this board.
    fn expected(&self, ply: Ply) -> Option<Footprint> {
        self.made_footprint(self.here.here, ply)
    }

    fn made_footprint(&self, earlier: Situation<'_>, ply: Ply) -> Option<Footprint> {
        let known = self.made.filter(|made| made.ply == ply);
        known.map_or_else(|| earlier.made_footprint(ply), |made| Some(made.footprint))
    }
}

/// What the hand expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looking {
    /// Any legal ply of the side to move, by two players who share the board: one may answer before the other is done, and a ply may be
    /// taken back or corrected by hand.
    ForMoves,
    /// Any legal ply of the side to move, by the one player at this board.
    ForOwnMove,
    /// Only this ply: the remote opponent has played it, and it has to be made on this board.
    ForThis(Ply),
    /// No ply, but the last one, which has ended a game at a shared board, may be corrected or taken back by hand.
    ForCorrection,
    /// No ply, but the last one, which was just sent to the remote opponent, may be withdrawn: its piece is lifted again, because it was
    /// not let go of.
    ForWithdrawal,
    /// No ply: it is the remote opponent's turn, or the game is over.
    ForNothing,
}

/// Reads moves from the reeds.
#[derive(Clone, Debug)]
pub struct Hand {
    settings: HandSettings,
    looking: Looking,
    occupied: Bitboard,
    touches: Touches,
    /// The evaluation of the touches that still count.
    trail: Trail,
    /// When anything was touched last.
    touched_at: Instant,
    /// When the move stood that this scan has read: what was touched before belongs to it.
    stood: Option<Instant>,
    /// When the last ply that was read here began.
    ply_began: Instant,
    /// When it was read, or when all pieces were found to be back at their places after it.
    ply_read: Instant,
    /// When it was read.
    ply_confirmed: Instant,
    /// When all pieces were last found to be back at their places.
    put_back: Instant,
    flicker: Flicker,
    /// A reading that waits for the board to rest.
    waiting: Option<Waiting>,
    /// When the sequence that waits stood, if a promotion follows it.
    sequence_stood: Option<Instant>,
    /// A promotion that lacks only its choice.
    choosing: Option<Choice>,
    /// A question which of several plies that look alike was made.
    alike: Option<Alike>,
    /// The squares that the player was asked to tap, and since when.
    asked: Option<(Bitboard, Instant)>,
    /// When the captured piece of the last ply came back to its square: the board looks as if nothing had happened, but it may be the
    /// first half of a takeback.
    swapped_back: Option<Instant>,
    /// An evaluation that goes on with the next scan.
    pending: Option<Pending>,
    stance: Stance,
    /// When the stance has to be judged again without a touch: a move under way is given time before it is called wrong.
    review: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    reading: Reading,
    /// Since when it has rested.
    since: Instant,
    /// How long it has to rest, in milliseconds.
    rest: u64,
    /// What was occupied when it was read.
    seen: Bitboard,
    /// Since when the board no longer supports it, if it does not.
    unsupported_since: Option<Instant>,
    /// When it was read first, apart from flicker.
    read_at: Instant,
    /// Since when the board has looked exactly like this, apart from flicker.
    exact_since: Instant,
    /// When it stopped looking exactly like this, if it has.
    inexact_since: Option<Instant>,
}

/// The start squares of chess.
pub(crate) const START: Bitboard = Position::start().occupied();

impl Hand {
    /// Starts with a board on which these squares are occupied.
    #[must_use]
    pub const fn new(settings: HandSettings, occupied: Bitboard) -> Self {
        Self {
            settings,
            looking: Looking::ForNothing,
            occupied,
            touches: Touches::NONE,
            trail: Trail::NONE,
            touched_at: Instant::at(0),
            stood: None,
            ply_began: Instant::at(0),
            ply_read: Instant::at(0),
            ply_confirmed: Instant::at(0),
            put_back: Instant::at(0),
            flicker: Flicker::NONE,
            waiting: None,
            sequence_stood: None,
            choosing: None,
            alike: None,
            asked: None,
            swapped_back: None,
            pending: None,
            stance: Stance::Settled,
            review: None,
        }
    }

    #[expect(missing_docs, reason = "a plain setter")]
    pub fn set(&mut self, settings: HandSettings) {
        self.settings = settings;
    }

    pub(crate) const fn settings(&self) -> &HandSettings {
        &self.settings
    }

    /// The occupied squares, debounced and without flicker.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// How the pieces on the board compare with the game.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.stance
    }

    /// Squares whose magnet or switch is too weak: they flicker without being touched.
    #[must_use]
    pub const fn weak(&self) -> Bitboard {
        self.flicker.weak()
    }

    /// The game has come to another position, and the hand now expects this.
    ///
    /// Touches up to the moment when the move stood are forgotten, but for those on squares that do not match the position: they may be
    /// the beginning of the next move.
    pub fn settle(&mut self, view: &View<'_>, looking: Looking, now: Instant) {
        self.looking = looking;
        let stood = self.stood.unwrap_or(now);
        self.forget(stood, self.occupied ^ view.here.occupied());
        self.waiting = None;
        self.choosing = None;
        self.alike = None;
        self.asked = None;
        self.swapped_back = None;
        self.stance = self.judge(view, now);
        self.review = (self.stance != Stance::Settled).then(|| now.after(self.settings.rest));
        self.pending = None;
        if self.stance != Stance::Settled {
            self.evaluate_next_move(now);
        }
        self.offer_promotion(view, now);
    }

    /// The plies of the position to which the hand was settled are all listed now.
    pub fn plies_are_listed(&mut self, view: &View<'_>, now: Instant) {
        if self.stance != Stance::Settled {
            self.stance = self.judge_again(view, now);
        }
    }

    /// Takes in a debounced scan. The view is only asked for if a touch or an elapsed rest has to be evaluated, so an idle scan
    /// costs next to nothing. What takes longer than a scan may is continued by the next ones. While the plies of the view are not
    /// all listed, touches are only recorded.
    pub fn scan<'a>(&mut self, scan: &Scan, view: impl FnOnce() -> View<'a>, now: Instant) -> Option<Reading> {
        let scan = self.flicker.filter(scan, now);
        self.stood = None;
        let touched = (scan.lifted | scan.placed).any();
        let reviewed = self.review.is_some_and(|due| now >= due);
        let waiting = self.waiting.as_ref().is_some_and(|waiting| waiting.unsupported_since.is_none());
        if !touched && !reviewed && !waiting && self.pending.is_none() {
            return None;
        }
        self.look(&scan, &view(), now)
    }

    /// Evaluates a scan that is not idle. It is not inlined, so that an idle scan does not set up its stack.
    #[inline(never)]
    fn look(&mut self, scan: &Scan, view: &View<'_>, now: Instant) -> Option<Reading> {
        let mut budget = Budget::of_a_scan(view.here.here);
        let waited = self.waiting;
        if (scan.lifted | scan.placed).any() {
            let confirmed =
                self.confirmed_choice(scan.lifted, view).or_else(|| self.confirmed_correction(scan.lifted, view));
            self.pending = None;
            self.record(scan, now);
            if let Some(reading) = confirmed {
                self.confirm(reading, now, now);
                self.stance = self.judge(view, now);
                return Some(reading);
            }
            if view.here.plies.is_complete() {
                self.touched(view, now, &mut budget);
            } else {
                self.evaluate_touch_later(now);
            }
        }
        if !view.here.plies.is_complete() {
            return None;
        }
        self.work(view, &mut budget);
        // To find a ply and to make it may take longer than a scan where there are hundreds of them or they are DNA: it is made by the next one.
        let is_found = self.waiting != waited && view.here.here.chess().is_none();
        if is_found { None } else { self.rest(view, now) }
    }

    fn record(&mut self, scan: &Scan, now: Instant) {
        let asked = self.asked.map_or(Bitboard::EMPTY, |(squares, _)| squares);
        // An expected capture needs less proof than an unannounced one.
        let expected = match self.looking {
            Looking::ForThis(ply) => ply.to().into(),
            _ => Bitboard::EMPTY,
        };
        let doubted = self.flicker.weak().without(asked | expected);
        for square in scan.lifted {
            self.add(self.flicker.lift_of(square), square, false, false);
        }
        for square in scan.placed {
            let needed = if doubted.has(square) { timing::WEAK_SWAP } else { self.settings.swap };
            let swapped = self.flicker.gone(square, now) >= needed;
            self.add(now, square, true, swapped);
        }
        self.touched_at = now;
        self.occupied = self.occupied.without(scan.lifted) | scan.placed;
        self.review = Some(now.after(self.settings.rest));
    }

    fn add(&mut self, at: Instant, square: Square, placed: bool, swapped: bool) {
        self.touches.add(at, square, placed, swapped);
        self.trail.add(at, square, placed, swapped);
    }

    /// Forgets all touches up to a moment, but for those of these squares.
    fn forget(&mut self, until: Instant, but: Bitboard) {
        self.touches.forget(until, but);
        self.trail = self.touches.trail();
    }

    /// Returns the waiting reading once it has rested for long enough.
    fn rest(&mut self, view: &View<'_>, now: Instant) -> Option<Reading> {
        if self.pending.is_none() && self.review.is_some_and(|due| now >= due) {
            self.review = [self.settings.rest, timing::UNSEEN_CAPTURE_REST, timing::ILLEGAL_CAPTURE_REST]
                .map(|patience| self.touched_at.after(patience))
                .into_iter()
                .find(|&next| next > now);
            if self.waiting.is_none_or(|waiting| waiting.unsupported_since.is_some()) {
                self.stance = self.judge_again(view, now);
                if let Some(squares) = self.unseen_capture(view, now) {
                    self.asked = Some((squares, now));
                    self.stance = Stance::Asking(squares);
                }
                match self.expected_at_last(view, now) {
                    Some(reading) => self.wait_for(reading, 0, view, now),
                    None => self.evaluate_at_rest(view, now),
                }
            }
        }
        let waiting = self.waiting.filter(|waiting| waiting.unsupported_since.is_none())?;
        // A piece that may just be lifting off is not at rest, and may be the one that the touches show.
        let is_unsure = self.flicker.is_unsure() && (waiting.rest > 0 || waiting.reading != Reading::PutBack);
        if now.since(waiting.since) < waiting.rest || is_unsure {
            return None;
        }
        let complete = match waiting.reading {
            Reading::MovedSeveral(_) | Reading::CorrectedTo(_) => self.sequence_stood,
            reading => self.complete_since(reading, view),
        };
        let stood = complete.unwrap_or(waiting.read_at).min(waiting.read_at);
        self.confirm(waiting.reading, stood, now);
        if waiting.reading == Reading::PutBack {
            if self.has_swapped_back(view) {
                self.swapped_back = Some(now);
            }
            self.forget(now, Bitboard::EMPTY);
            // What was touched before does not correct the last ply.
            self.ply_read = now;
            self.put_back = now;
            self.choosing = None;
            self.alike = None;
            self.asked = None;
            self.stance = Stance::Settled;
        } else {
            // Unless the referee accepts the reading and settles the hand anew, the board does not match the game.
            self.stance = self.judge(view, now);
        }
        Some(waiting.reading)
    }

    /// When the opponent's ply was complete, if it is the one that was read.
    fn complete_since(&self, reading: Reading, view: &View<'_>) -> Option<Instant> {
        let (Reading::Moved(ply), Looking::ForThis(_)) = (reading, self.looking) else { return None };
        let Footprint { lifts, places, captured, .. } = view.expected(ply)?;
        let lifted = (lifts | captured).squares().map(|square| self.trail.first_lift_of(square));
        let placed = places.squares().map(|square| self.trail.first_place_of(square));
        lifted.chain(placed).max()
    }

    /// A reading counts that has stood since this moment.
    fn confirm(&mut self, reading: Reading, stood: Instant, now: Instant) {
        self.waiting = None;
        self.stood = Some(stood);
        match reading {
            Reading::Moved(_) | Reading::MovedTwice(..) | Reading::MovedSeveral(_) => {
                self.ply_began = self.touches.counting().next().map_or(stood, |touch| touch.at);
                self.ply_read = now;
                self.ply_confirmed = now;
            }
            Reading::Corrected(_) | Reading::CorrectedTo(_) => {
                self.ply_read = now;
                self.ply_confirmed = now;
            }
            // The touches of the ply count again: the piece goes on from where it was.
            Reading::Withdrawn => {
                self.touches.recall(self.ply_began);
                self.stood = Some(Instant::at(self.ply_began.milliseconds().saturating_sub(1)));
            }
            _ => {}
        }
    }

    /// Judges the board again. A question stays until it is answered.
    fn judge_again(&self, view: &View<'_>, now: Instant) -> Stance {
        match self.stance {
            Stance::Choosing { .. } | Stance::Chosen { .. } | Stance::Asking(_) => self.stance,
            _ => self.judge(view, now),
        }
    }

    /// Starts the rest time of a reading, or continues it if the board only flickered.
    fn wait_for(&mut self, reading: Reading, rest: u64, view: &View<'_>, now: Instant) {
        // A move whose answer has begun does not look exactly as after the move.
        let exact = match reading {
            Reading::Moved(ply) => {
                let footprint = match self.looking {
                    Looking::ForThis(_) => view.expected(ply),
                    _ => view.here.footprint(ply),
                };
                footprint.is_some_and(|footprint| footprint.after == self.occupied)
            }
            _ => true,
        };
        let same = self.waiting.filter(|waiting| waiting.reading == reading);
        let flickered = |gone: Option<Instant>| gone.is_none_or(|gone| now.since(gone) < self.settings.swap);
        let exact_since =
            same.filter(|waiting| flickered(waiting.inexact_since)).map_or(now, |waiting| waiting.exact_since);
        let seen_since = same.filter(|waiting| waiting.seen == self.occupied && flickered(waiting.unsupported_since));
        let inexact_since = if exact { None } else { same.and_then(|waiting| waiting.inexact_since).or(Some(now)) };
        let since = if exact { exact_since } else { seen_since.map_or(now, |waiting| waiting.since) };
        let seen = self.occupied;
        let read_at =
            same.filter(|waiting| flickered(waiting.unsupported_since)).map_or(now, |waiting| waiting.read_at);
        self.waiting =
            Some(Waiting { reading, since, rest, seen, unsupported_since: None, read_at, exact_since, inexact_since });
        self.stance = self.still_choosing().unwrap_or(Stance::Arriving(reading));
    }
}
