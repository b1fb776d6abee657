//! Several moves that were made before the board came to rest: all sequences of legal moves that the touches allow are searched.

use arrayvec::ArrayVec;
use chess::Square;
use rules::{Footprint, Options, Ply};

use super::budget::Budget;
use super::evidence;
use super::pending::Progress;
use super::touch_index::TouchIndex;
use super::{Hand, Looking, View};
use crate::time::Instant;

/// The longest sequence that is searched.
pub(super) const MAX_SEQUENCE: usize = 5;

/// A piece that is put down for less than this passes the square, in milliseconds.
const STANDS: u64 = 100;

/// The same if another piece is put down there afterwards.
const STANDS_UNTIL_CAPTURED: u64 = 40;

/// Moves in the order in which they were made.
pub(super) type Sequence = ArrayVec<Ply, MAX_SEQUENCE>;

/// A move of a sequence, and when its piece was lifted and put down.
#[derive(Clone, Copy)]
struct Step {
    footprint: Footprint,
    lifted: Instant,
    landed: Instant,
}

/// So many positions are looked at before a search is given up: only a board that was swept or set up again takes more.
const MAX_POSITIONS: u16 = 1_000;

/// How far the search for a sequence has come.
#[derive(Clone, Debug)]
pub(super) struct SequenceSearch {
    /// Only touches since then count.
    since: Instant,
    /// The last move that was read, if the sequence is to begin with another one of the same piece.
    instead_of: Option<Ply>,
    /// The moves with which the search goes on: the number of each among the legal ones, and when its piece was put down. The last one may
    /// not have been looked at.
    path: ArrayVec<(u16, Option<Instant>), MAX_SEQUENCE>,
    /// The best sequence that explains the board, its rank, and whether there is another one as good.
    found: Option<(Rank, Sequence)>,
    is_ambiguous: bool,
    /// How many positions were looked at.
    positions: u16,
}

/// A part of a search through the touches.
struct Search<'a> {
    hand: &'a Hand,
    state: &'a mut SequenceSearch,
    budget: &'a mut Budget,
    steps: ArrayVec<Step, MAX_SEQUENCE>,
    /// The move that the sequence has to begin with.
    begins_with: Option<Ply>,
    touches: TouchIndex,
    /// Whether anything was looked at that was not before.
    has_advanced: bool,
}

/// How much speaks against a sequence: moves that came down before the one that they reply to, and its length.
type Rank = (usize, usize);

impl SequenceSearch {
    /// Whether several sequences explain the board equally well.
    pub(super) const fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    fn since(since: Instant, instead_of: Option<Ply>) -> Self {
        Self { since, instead_of, path: ArrayVec::new(), found: None, is_ambiguous: false, positions: 0 }
    }
}

impl Hand {
    /// The search for the sequence since the board last matched the game.
    pub(super) fn recent_sequence(&self) -> Option<SequenceSearch> {
        Some(SequenceSearch::since(self.touches.counting().next()?.at, None))
    }

    /// The search for a sequence in place of the last move, where that may be corrected.
    pub(super) fn corrected_sequence(&self, view: &View<'_>) -> Option<SequenceSearch> {
        let (_, last) = view.before.filter(|_| self.looking == Looking::ForMoves)?;
        Some(SequenceSearch::since(self.ply_began, Some(last)))
    }

    /// The same for a sequence in place of the last move.
    pub(super) fn search_corrected(
        &self,
        search: &mut SequenceSearch,
        view: &View<'_>,
        budget: &mut Budget,
    ) -> Progress<Option<Sequence>> {
        let Some((earlier, _)) = view.before else { return Progress::Done(None) };
        let plies = earlier.plies();
        budget.enter(plies.len());
        self.search_sequence(search, Options { here: earlier, plies: &plies }, budget)
    }

    /// The one best sequence of at least two moves that explains the board and the touches.
    pub(super) fn search_sequence(
        &self,
        search: &mut SequenceSearch,
        view: Options<'_>,
        budget: &mut Budget,
    ) -> Progress<Option<Sequence>> {
        let begins_with = match self.looking {
            Looking::ForThis(ply) => Some(ply),
            _ => None,
        };
        let touches = TouchIndex::of(self.touches.iter().filter(|touch| touch.at >= search.since));
        let steps = ArrayVec::new();
        let mut part = Search { hand: self, state: search, budget, steps, begins_with, touches, has_advanced: false };
        if let Flow::Suspended = part.follow(view) {
            return Progress::Suspended;
        }
        let is_complete = search.positions < MAX_POSITIONS && !search.is_ambiguous;
        let mut found = search.found.take().filter(|_| is_complete).map(|(_, sequence)| sequence);
        // What the pawn of the last move becomes has to be asked.
        if let Some(sequence) = &mut found
            && sequence.last().is_some_and(|last| last.choice() != 0)
        {
            sequence.pop();
        }
        Progress::Done(found)
    }
}

/// Whether the search goes on in this scan.
enum Flow {
    Suspended,
    GoesOn,
}

impl Search<'_> {
    fn follow(&mut self, here: Options<'_>) -> Flow {
        let depth = self.steps.len();
        let resumed = self.state.path.get(depth).copied();
        if resumed.is_none() && self.is_hopeless() {
            return Flow::GoesOn;
        }
        let first = resumed.map_or(0, |(number, _)| usize::from(number));
        for (number, footprint) in here.footprints_touching(self.touches.lifted, self.touches.placed, first) {
            let ply = footprint.ply;
            if self.begins_with.is_some_and(|first| self.steps.is_empty() && ply != first) {
                continue;
            }
            // There are at most 512 plies.
            let number = number as u16;
            let landed_before = resumed.filter(|(resumed, _)| *resumed == number).and_then(|(_, landed)| landed);
            if landed_before.is_none() {
                self.state.path.truncate(depth);
                if self.has_advanced && self.budget.is_spent() {
                    let _ = self.state.path.try_push((number, None));
                    return Flow::Suspended;
                }
                self.has_advanced = true;
                self.budget.compare();
            }
            let Some(lifted) = self.touches.lift(ply.from(), self.came(ply.from())) else { continue };
            let mut after = lifted;
            if let Some(landed) = landed_before {
                after = landed;
                if let Flow::Suspended = self.step(here, number, Step { footprint, lifted, landed }) {
                    return Flow::Suspended;
                }
            }
            while let Some(landed) = self.touches.place(ply.to(), after) {
                after = landed;
                let step = Step { footprint, lifted, landed };
                if self.is_possible(&step)
                    && self.shows(&footprint, landed)
                    && let Flow::Suspended = self.step(here, number, step)
                {
                    return Flow::Suspended;
                }
            }
        }
        Flow::GoesOn
    }

    /// Whether no better sequence begins like this.
    fn is_hopeless(&self) -> bool {
        let so_far = self.rank();
        // A longer sequence is only searched for while one came down out of order.
        let is_worse = |best: Rank| if best.0 == 0 { best <= so_far } else { best.0 < so_far.0 };
        self.steps.is_full() || self.state.found.as_ref().is_some_and(|(best, _)| is_worse(*best))
    }

    fn step(&mut self, here: Options<'_>, number: u16, step: Step) -> Flow {
        let is_resumed = self.state.path.len() > self.steps.len();
        if self.steps.try_push(step).is_err() {
            return Flow::GoesOn;
        }
        let is_explained = step.footprint.after == self.hand.occupied;
        if self.steps.len() > 1 && is_explained {
            self.add();
        } else if self.may_follow(&step.footprint) {
            if !is_resumed {
                // There is room: it is as long as the steps.
                let _ = self.state.path.try_push((number, Some(step.landed)));
                if self.has_advanced && self.budget.is_spent() {
                    return Flow::Suspended;
                }
                self.state.positions = self.state.positions.saturating_add(1);
            }
            let flow = here.here.after(step.footprint.ply, |next| {
                let plies = next.plies();
                self.budget.enter(plies.len());
                self.follow(Options { here: next, plies: &plies })
            });
            if let Some(Flow::Suspended) = flow {
                return Flow::Suspended;
            }
            self.state.path.pop();
        }
        self.steps.pop();
        Flow::GoesOn
    }

    /// Whether further moves may complete the sequence.
    fn may_follow(&self, last: &Footprint) -> bool {
        let is_known = last.ply.choice() == 0 || self.begins_with == Some(last.ply);
        // A move changes at most four squares.
        let left = MAX_SEQUENCE.saturating_sub(self.steps.len()).saturating_mul(4);
        let changes = (last.after ^ self.hand.occupied).count() as usize;
        is_known && !self.steps.is_full() && changes <= left && self.state.positions < MAX_POSITIONS
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
            // There is room: it is as long as the steps.
            let _ = sequence.try_push(step.footprint.ply);
        }
        if let Some(last) = sequence.last_mut() {
            // All choices of a promotion look alike.
            *last = last.choosing(u8::from(last.choice() != 0));
        }
        match &self.state.found {
            Some((_, found)) if *found == sequence => {}
            // A slide that stops for a while looks like several moves.
            Some((best, _)) if *best == rank || (best.0 == rank.0 && rank.0 > 0) => self.state.is_ambiguous = true,
            Some((best, _)) if *best < rank => {}
            _ => {
                self.state.found = Some((rank, sequence));
                self.state.is_ambiguous = false;
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
        // A piece that is captured at once need not have stood for long.
        let stands = self.touches.lift(to, step.landed).is_none_or(|lifted| {
            let is_replaced = self.touches.place(to, lifted).is_some();
            lifted.since(step.landed) >= if is_replaced { STANDS_UNTIL_CAPTURED } else { STANDS }
        });
        let replaces = match (self.state.instead_of, self.steps.as_slice()) {
            (None, _) | (Some(_), [_, _, ..]) => true,
            (Some(last), []) => {
                let from = step.footprint.ply.from();
                let goes_on = from == last.from() && to != last.to();
                (goes_on || castles(&step.footprint, last)) && step.landed > self.hand.ply_read
            }
            // Either the piece has left the square where it was read, or another one was read there in its place.
            (Some(last), [first]) => match self.touches.lift(last.to(), self.hand.ply_read) {
                Some(left) => left < first.landed && to != last.to(),
                None if self.touches.place(step.footprint.ply.from(), step.lifted).is_some() => false,
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
        let gone = |square: Square| self.touches.lift(square, self.came(square));
        let is_taken = |square: Square| gone(square).is_some_and(|gone| square != to || gone < landed);
        let is_placed = |square: Square| {
            footprint
                .other_lifts()
                .squares()
                .any(|from| gone(from).is_some_and(|gone| self.touches.place(square, gone).is_some()))
        };
        footprint.captured.squares().all(is_taken) && footprint.other_places().squares().all(is_placed)
    }
}

/// Whether the other piece that moves with this one was read as a move of its own.
fn castles(footprint: &Footprint, last: Ply) -> bool {
    footprint.companion() == Some((last.from(), last.to()))
}
