//! Several moves that were made before the board came to rest: all sequences of legal moves that the touches allow are searched.

use arrayvec::ArrayVec;
use chess::Square;
use rules::{Footprint, Options, Ply};

use super::evidence;
use super::touches::Touch;
use super::{Hand, Looking, View};
use crate::time::Instant;

/// The longest sequence that is searched.
pub(super) const MAX_SEQUENCE: usize = 5;

/// A piece that is put down for less than this passes the square, in milliseconds.
const STANDS: u64 = 100;

/// Moves in the order in which they were made.
pub(super) type Sequence = ArrayVec<Ply, MAX_SEQUENCE>;

/// A move of a sequence, and when its piece was lifted and put down.
#[derive(Clone, Copy)]
struct Step {
    footprint: Footprint,
    lifted: Instant,
    landed: Instant,
}

/// A search through the touches.
struct Search<'a> {
    hand: &'a Hand,
    /// Only touches since then count.
    since: Instant,
    steps: ArrayVec<Step, MAX_SEQUENCE>,
    /// The move that the sequence has to begin with.
    begins_with: Option<Ply>,
    /// The last move that was read, if the sequence is to begin with another one of the same piece.
    instead_of: Option<Ply>,
    /// The best sequence that explains the board, its rank, and whether there is another one as good.
    found: Option<(Rank, Sequence)>,
    is_ambiguous: bool,
}

/// How much speaks against a sequence: moves that came down before the one that they reply to, and its length.
type Rank = (usize, usize);

impl Hand {
    /// The one best sequence of at least two moves that explains the board and the touches since a moment.
    pub(super) fn sequence(&self, view: Options<'_>, since: Instant, instead_of: Option<Ply>) -> Option<Sequence> {
        let steps = ArrayVec::new();
        let begins_with = match self.looking {
            Looking::ForThis(ply) => Some(ply),
            _ => None,
        };
        let mut search = Search { hand: self, since, steps, begins_with, instead_of, found: None, is_ambiguous: false };
        search.follow(view);
        let (_, mut sequence) = search.found.filter(|_| !search.is_ambiguous)?;
        // What the pawn of the last move becomes has to be asked.
        if sequence.last().is_some_and(|last| last.choice() != 0) {
            sequence.pop();
        }
        Some(sequence)
    }

    /// The sequence since the board last matched the game.
    pub(super) fn recent_sequence(&self, view: &View<'_>) -> Option<Sequence> {
        let since = self.touches.counting().next()?.at;
        self.sequence(view.here, since, None)
    }
}

impl Search<'_> {
    fn follow(&mut self, here: Options<'_>) {
        let so_far = self.rank();
        // A longer sequence is only searched for while one came down out of order.
        let is_worse = |best: Rank| if best.0 == 0 { best <= so_far } else { best.0 < so_far.0 };
        if self.steps.is_full() || self.found.as_ref().is_some_and(|(best, _)| is_worse(*best)) {
            return;
        }
        for footprint in here.footprints() {
            let ply = footprint.ply;
            if self.begins_with.is_some_and(|first| self.steps.is_empty() && ply != first) {
                continue;
            }
            let Some(lifted) = self.lift(ply.from(), self.came(ply.from())) else { continue };
            let mut after = lifted;
            while let Some(landed) = self.place(ply.to(), after) {
                after = landed;
                let step = Step { footprint, lifted, landed };
                if self.is_possible(&step) && self.shows(&footprint, landed) {
                    self.step(here, step);
                }
            }
        }
    }

    fn step(&mut self, here: Options<'_>, step: Step) {
        if self.steps.try_push(step).is_err() {
            return;
        }
        let is_explained = step.footprint.after == self.hand.occupied;
        if self.steps.len() > 1 && is_explained {
            self.add();
        } else if step.footprint.ply.choice() == 0 || self.begins_with == Some(step.footprint.ply) {
            here.here.after(step.footprint.ply, |next| {
                let plies = next.plies();
                self.follow(Options { here: next, plies: &plies });
            });
        }
        self.steps.pop();
    }

    fn rank(&self) -> Rank {
        let late =
            self.steps.windows(2).filter(|pair| matches!(pair, [one, other] if other.landed < one.landed)).count();
        (late, self.steps.len())
    }

    /// Notes the steps so far as a sequence that explains the board.
    fn add(&mut self) {
        let rank = self.rank();
        let mut sequence = Sequence::new();
        for step in &self.steps {
            // A sequence has room for all steps. `collect` would have to panic if it had not.
            if sequence.try_push(step.footprint.ply).is_err() {
                return;
            }
        }
        if let Some(last) = sequence.last_mut() {
            // All choices of a promotion look alike.
            *last = last.choosing(u8::from(last.choice() != 0));
        }
        match &self.found {
            Some((_, found)) if *found == sequence => {}
            // A slide that stops for a while looks like several moves.
            Some((best, _)) if *best == rank || (best.0 == rank.0 && rank.0 > 0) => self.is_ambiguous = true,
            Some((best, _)) if *best < rank => {}
            _ => {
                self.found = Some((rank, sequence));
                self.is_ambiguous = false;
            }
        }
    }

    /// When the piece on a square came there, if one of the steps brought it.
    fn came(&self, square: Square) -> Instant {
        let brought = |step: &&Step| step.footprint.places.has(square);
        self.steps.iter().rfind(brought).map_or(Instant::at(0), |step| step.landed)
    }

    /// Whether a step may follow the ones so far. A piece that is put down has to stand, and a reply is lifted or put down after the move
    /// before it.
    fn is_possible(&self, step: &Step) -> bool {
        let to = step.footprint.ply.to();
        let stands = self.lift(to, step.landed).is_none_or(|lifted| lifted.since(step.landed) >= STANDS);
        let replaces = match (self.instead_of, self.steps.as_slice()) {
            (None, _) | (Some(_), [_, _, ..]) => true,
            (Some(last), []) => {
                let from = step.footprint.ply.from();
                let goes_on = from == last.from() && to != last.to();
                (goes_on || castles(&step.footprint, last)) && step.landed > self.hand.ply_read
            }
            // Either the piece has left the square where it was read, or another one was read there in its place.
            (Some(last), [first]) => match self.lift(last.to(), self.hand.ply_read) {
                Some(left) => left < first.landed && to != last.to(),
                None if self.place(step.footprint.ply.from(), step.lifted).is_some() => false,
                None => (to == last.to() && !first.footprint.is_capture()) || castles(&first.footprint, last),
            },
        };
        // A piece that slides on after a pause has not moved twice.
        let slid_on = |before: &Step| {
            let (from, over) = (before.footprint.ply.from(), before.footprint.ply.to());
            over == step.footprint.ply.from()
                && evidence::passes(from, over, to)
                && step.lifted.since(before.landed) < self.hand.settings.rest
        };
        let stands = stands && !self.steps.iter().any(slid_on);
        let in_order = self.steps.last().is_none_or(|last| step.landed >= last.landed || step.lifted >= last.lifted);
        stands && replaces && in_order
    }

    /// Whether captured pieces and those that move with the piece show.
    fn shows(&self, footprint: &Footprint, landed: Instant) -> bool {
        let to = footprint.ply.to();
        let gone = |square: Square| self.lift(square, self.came(square));
        let is_taken = |square: Square| gone(square).is_some_and(|gone| square != to || gone < landed);
        let is_placed = |square: Square| {
            footprint
                .other_lifts()
                .squares()
                .any(|from| gone(from).is_some_and(|gone| self.place(square, gone).is_some()))
        };
        footprint.captured.squares().all(is_taken) && footprint.other_places().squares().all(is_placed)
    }

    fn lift(&self, square: Square, after: Instant) -> Option<Instant> {
        self.touch(square, false, after)
    }

    fn place(&self, square: Square, after: Instant) -> Option<Instant> {
        self.touch(square, true, after)
    }

    /// The first touch of this kind on a square after a moment.
    fn touch(&self, square: Square, placed: bool, after: Instant) -> Option<Instant> {
        let is_it = |touch: &&Touch| touch.square == square && touch.placed == placed && touch.at > after;
        self.hand.touches.iter().filter(|touch| touch.at >= self.since).find(is_it).map(|touch| touch.at)
    }
}

/// Whether the other piece that moves with this one was read as a move of its own.
fn castles(footprint: &Footprint, last: Ply) -> bool {
    footprint.companion() == Some((last.from(), last.to()))
}
