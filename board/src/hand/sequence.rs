//! Several moves that were made before the board came to rest: all sequences of legal moves that the touches allow are searched.

use arrayvec::ArrayVec;
use chess::{Bitboard, Square};
use rules::{Footprint, Options, Ply, Situation};

use super::budget::Budget;
use super::evidence;
use super::pending::Progress;
use super::timing::{FLICKER, OVERLAP, PROBABLY_MOVED, SLIDE_OVERLAP, STANDS, STANDS_UNTIL_CAPTURED, WOBBLE};
use super::touch_index::TouchIndex;
use super::{Hand, Looking, View};
use crate::time::Instant;

/// The longest sequence that is searched.
pub(super) const MAX_SEQUENCE: usize = 5;

/// Moves in the order in which they were made.
pub(super) type Sequence = ArrayVec<Ply, MAX_SEQUENCE>;

/// A move of a sequence, and when its piece was lifted and put down.
#[derive(Clone, Copy)]
struct Step {
    footprint: Footprint,
    lifted: Instant,
    landed: Instant,
    /// Whether the piece stood elsewhere meanwhile until the opponent had replied.
    is_further: bool,
    /// Whether the captured piece was gone for so short a time that it may only have wobbled.
    is_doubtful: bool,
}

impl Step {
    const fn of(footprint: Footprint, lifted: Instant, landed: Instant) -> Self {
        Self { footprint, lifted, landed, is_further: false, is_doubtful: false }
    }
}

/// Maximum number of positions of a search. Only a board that was swept or set up again takes more.
const MAX_POSITIONS: u16 = 1_000;

/// How far the search for a sequence has come.
#[derive(Clone, Debug)]
pub(super) struct SequenceSearch {
    /// Only touches since then count.
    since: Instant,
    /// The last move that was read, if the sequence is to begin with another one of the same piece.
    instead_of: Option<Ply>,
    /// The moves with which the search goes on. The last one may not have been looked at.
    path: ArrayVec<Place, MAX_SEQUENCE>,
    /// The best sequence that explains the board, its rank, and whether there is another one as good.
    found: Option<(Rank, Explanation)>,
    is_ambiguous: bool,
    /// Whether a longer one leaves none.
    is_disputed: bool,
    /// How many positions were looked at.
    positions: u16,
    /// The last move that was read, if it may be corrected.
    after: Option<Ply>,
    /// Whether a sequence was rejected because the last move seems to be corrected.
    seems_corrected: bool,
}

/// A move of the path of a search.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Which part of the legal moves it is in.
    part: u8,
    /// Its number in the part.
    number: u16,
    /// When its piece was put down, if it was looked at.
    landed: Option<Instant>,
    /// What was found to speak against it, as in [`Step`].
    is_further: bool,
    is_doubtful: bool,
}

impl Place {
    const fn at(part: u8, number: u16) -> Self {
        Self { part, number, landed: None, is_further: false, is_doubtful: false }
    }
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

/// The penalty of a sequence: moves that came down before the one that they reply to or whose piece had stood elsewhere until the
/// opponent had replied, its length, and captures that may have been wobbles.
type Rank = (usize, usize, usize);

/// A sequence that explains the board.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    pub(super) sequence: Sequence,
    /// Where a piece was captured so quickly that it may only have wobbled: the players have to say it.
    pub(super) doubtful: Bitboard,
    /// When the last of the moves stood, if a promotion follows that is not read with them: what was touched later belongs to it.
    pub(super) stood: Option<Instant>,
    /// Whether something stood on a square for so long that it has probably moved there, and none of the moves brought it.
    is_incomplete: bool,
}

impl SequenceSearch {
    /// Whether several sequences explain the board equally well.
    pub(super) const fn is_ambiguous(&self) -> bool {
        self.is_ambiguous || self.is_disputed
    }

    /// Whether a sequence was rejected because the last move seems to be corrected.
    pub(super) const fn seems_corrected(&self) -> bool {
        self.seems_corrected
    }

    fn since(since: Instant, instead_of: Option<Ply>) -> Self {
        Self {
            since,
            instead_of,
            path: ArrayVec::new(),
            found: None,
            is_ambiguous: false,
            is_disputed: false,
            positions: 0,
            after: None,
            seems_corrected: false,
        }
    }
}

impl Hand {
    /// The search for the sequence since the board last matched the game.
    pub(super) fn recent_sequence(&self, view: &View<'_>) -> Option<SequenceSearch> {
        let search = SequenceSearch::since(self.touches.counting().next()?.at, None);
        Some(SequenceSearch { after: view.correctable(), ..search })
    }

    /// The same, after it was found that the last move is not corrected.
    pub(super) fn further_sequence(&self, view: &View<'_>) -> Option<SequenceSearch> {
        Some(SequenceSearch { after: None, ..self.recent_sequence(view)? })
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
    ) -> Progress<Option<Explanation>> {
        let Some((earlier, _)) = view.before else { return Progress::Done(None) };
        self.search(search, budget, |part| part.follow_all(earlier))
    }

    /// The one best sequence of at least two moves that explains the board and the touches.
    pub(super) fn search_sequence(
        &self,
        search: &mut SequenceSearch,
        view: Options<'_>,
        budget: &mut Budget,
    ) -> Progress<Option<Explanation>> {
        self.search(search, budget, |part| part.follow(view, 0))
    }

    fn search(
        &self,
        search: &mut SequenceSearch,
        budget: &mut Budget,
        follow: impl FnOnce(&mut Search<'_>) -> Flow,
    ) -> Progress<Option<Explanation>> {
        let begins_with = match self.looking {
            Looking::ForThis(ply) => Some(ply),
            _ => None,
        };
        let touches = TouchIndex::of(self.touches.iter().filter(|touch| touch.at >= search.since));
        let steps = ArrayVec::new();
        let mut part = Search { hand: self, state: search, budget, steps, begins_with, touches, has_advanced: false };
        if let Flow::Suspended = follow(&mut part) {
            return Progress::Suspended;
        }
        let is_complete = search.positions < MAX_POSITIONS && !search.is_ambiguous();
        let mut found = search.found.take().filter(|_| is_complete).map(|(_, found)| found);
        // What the pawn of the last move becomes has to be asked.
        if let Some(Explanation { sequence, doubtful, .. }) = &mut found
            && let Some(promotion) = sequence.last().copied().filter(|last| last.choice() != 0)
        {
            sequence.pop();
            *doubtful = doubtful.without(promotion.to().into());
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
    /// Follows all moves of a position, part by part.
    fn follow_all(&mut self, next: Situation<'_>) -> Flow {
        let depth = self.steps.len();
        let first = self.state.path.get(depth).map_or(0, |place| usize::from(place.part));
        for (part, start) in next.starts(self.touches.lifted).enumerate().skip(first) {
            // There is a part for each piece at most.
            let number = part as u8;
            if part > first {
                self.state.path.truncate(depth);
                if self.has_advanced && self.budget.is_spent() {
                    let _ = self.state.path.try_push(Place::at(number, 0));
                    return Flow::Suspended;
                }
                if self.is_hopeless() {
                    return Flow::GoesOn;
                }
                self.has_advanced = true;
            }
            let plies = next.plies_of(start);
            self.budget.enter(&plies);
            if let Flow::Suspended = self.follow(Options { here: next, plies: &plies }, number) {
                return Flow::Suspended;
            }
        }
        Flow::GoesOn
    }

    /// Follows the moves of one part.
    fn follow(&mut self, here: Options<'_>, part: u8) -> Flow {
        let depth = self.steps.len();
        let resumed = self.state.path.get(depth).copied();
        if resumed.is_none() && self.is_hopeless() {
            return Flow::GoesOn;
        }
        let first = resumed.map_or(0, |place| usize::from(place.number));
        for (number, footprint) in here.footprints_touching(self.touches.lifted, self.touches.placed, first) {
            let ply = footprint.ply;
            if self.begins_with.is_some_and(|first| self.steps.is_empty() && ply != first) {
                continue;
            }
            // There are at most 512 plies.
            let number = number as u16;
            let place = Place::at(part, number);
            let before = resumed.filter(|resumed| resumed.number == number && resumed.landed.is_some());
            if before.is_none() {
                self.state.path.truncate(depth);
                if self.has_advanced && self.budget.is_spent() {
                    let _ = self.state.path.try_push(place);
                    return Flow::Suspended;
                }
                self.has_advanced = true;
                self.budget.compare();
            }
            let Some(lifted) = self.touches.lift(ply.from(), self.came(ply.from())) else { continue };
            let mut after = lifted;
            if let Some(Place { landed: Some(landed), is_further, is_doubtful, .. }) = before {
                after = landed;
                let step = Step { footprint, lifted, landed, is_further, is_doubtful };
                if let Flow::Suspended = self.step(here, place, step) {
                    return Flow::Suspended;
                }
            }
            while let Some(landed) = self.touches.place(ply.to(), after) {
                after = landed;
                let step = Step::of(footprint, lifted, landed);
                if self.is_possible(&step) && self.shows(&footprint, landed) {
                    let step = self.weighed(here, step);
                    if let Flow::Suspended = self.step(here, place, step) {
                        return Flow::Suspended;
                    }
                }
            }
        }
        Flow::GoesOn
    }

    /// A possible step with what speaks against it.
    fn weighed(&self, here: Options<'_>, step: Step) -> Step {
        let Step { footprint, lifted, landed, .. } = step;
        let during = (lifted, landed);
        let others = (self.touches.placed & self.touches.lifted).without(here.occupied() | footprint.places);
        let stops = if others.any() { here.targets(footprint.ply.from()) & others } else { others };
        let is_further = stops.any()
            && (self.hand.was_answered_on(stops & self.hand.touches.left_between(during), here, &footprint, during)
                || stops.squares().any(|stop| self.stands_on(stop, &footprint, during)));
        Step { is_further, is_doubtful: self.is_doubtful(&footprint, lifted, landed), ..step }
    }

    /// Whether something stands on this target of the piece when it seems to land elsewhere: then it may be the piece itself, and this another one.
    fn stands_on(&self, stop: Square, footprint: &Footprint, (lifted, landed): (Instant, Instant)) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let overlap = if evidence::passes(from, stop, to) { SLIDE_OVERLAP } else { OVERLAP };
        self.touches.stands(stop, lifted, landed).is_some_and(|until| until.since(landed) >= overlap)
    }

    /// Whether no better sequence begins like this.
    fn is_hopeless(&self) -> bool {
        let so_far = self.rank();
        // A longer sequence is only searched for while one came down out of order, or a stop is not explained.
        let is_worse = |best: &Rank, found: &Explanation| {
            if best.0 == 0 && !found.is_incomplete {
                (best.0, best.1) <= (so_far.0, so_far.1)
            } else {
                best.0 < so_far.0
            }
        };
        self.steps.is_full() || self.state.found.as_ref().is_some_and(|(best, found)| is_worse(best, found))
    }

    fn step(&mut self, here: Options<'_>, place: Place, step: Step) -> Flow {
        let is_resumed = self.state.path.len() > self.steps.len();
        if self.steps.try_push(step).is_err() {
            return Flow::GoesOn;
        }
        let is_explained = step.footprint.after == self.hand.occupied;
        if self.steps.len() > 1 && is_explained && self.all_stand() {
            self.add();
        } else if self.may_follow(&step.footprint) {
            if !is_resumed {
                // There is room: it is as long as the steps.
                let _ = self.state.path.try_push(Place {
                    landed: Some(step.landed),
                    is_further: step.is_further,
                    is_doubtful: step.is_doubtful,
                    ..place
                });
                if self.has_advanced && self.budget.is_spent() {
                    return Flow::Suspended;
                }
                self.state.positions = self.state.positions.saturating_add(1);
            }
            self.budget.make(here.here);
            if let Some(Flow::Suspended) = here.after(step.footprint.ply, |next| self.follow_all(next)) {
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
        let further = self.steps.iter().filter(|step| step.is_further).count();
        let doubtful = self.steps.iter().filter(|step| step.is_doubtful).count();
        (late.saturating_add(further), self.steps.len(), doubtful)
    }

    /// Whether no piece passed its square only, but for one that was captured there.
    fn all_stand(&self) -> bool {
        let passed = |step: &Step| {
            let left = self.touches.lift(step.footprint.ply.to(), step.landed);
            left.is_some_and(|left| left.since(step.landed) < STANDS)
        };
        let is_captured = |to: Square| self.steps.iter().any(|step| step.footprint.captured.has(to));
        !self.steps.iter().any(|step| passed(step) && !is_captured(step.footprint.ply.to()))
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
        // A piece that has moved on since cannot be tapped.
        let is_left = |to: Square| self.steps.iter().any(|later| later.footprint.lifts.has(to));
        let doubtful = self.steps.iter().filter(|step| step.is_doubtful).map(|step| step.footprint.ply.to());
        let doubtful = doubtful.filter(|&to| !is_left(to)).collect();
        let is_incomplete = self.leaves_a_stand();
        match &self.state.found {
            Some((best, found)) if found.sequence == sequence && *best <= rank => {}
            // A slide that stops for a while looks like several moves, and so do several moves like such a slide.
            Some((best, found))
                if found.sequence != sequence
                    && best.0 == rank.0
                    && is_incomplete != found.is_incomplete
                    && (best.1 < rank.1) == found.is_incomplete =>
            {
                self.state.is_disputed = true;
            }
            // A slide that stops for a while looks like several moves.
            Some((best, found))
                if found.sequence != sequence && (*best == rank || (best.0 == rank.0 && rank.0 > 0)) =>
            {
                self.state.is_ambiguous = true;
            }
            Some((best, _)) if *best < rank => {}
            _ => {
                let stood = self.steps.split_last().filter(|(last, _)| last.footprint.ply.choice() != 0);
                let stood = stood.and_then(|(_, others)| others.iter().map(|step| step.landed).max());
                self.state.found = Some((rank, Explanation { sequence, doubtful, stood, is_incomplete }));
                self.state.is_ambiguous = false;
            }
        }
    }

    /// Whether something stood on a square for so long that it has probably moved there, and none of the steps brought it.
    fn leaves_a_stand(&self) -> bool {
        let explained = |square: Square| {
            self.steps
                .iter()
                .any(|step| (step.footprint.places | step.footprint.lifts | step.footprint.captured).has(square))
        };
        let touched = self.touches.placed & self.touches.lifted;
        touched.squares().any(|square| !explained(square) && self.touches.longest_stand(square) >= PROBABLY_MOVED)
    }

    /// When the piece on a square came there, if one of the steps brought it.
    fn came(&self, square: Square) -> Instant {
        let brought = |step: &&Step| step.footprint.places.has(square);
        self.steps.iter().rfind(brought).map_or(Instant::at(0), |step| step.landed)
    }

    /// Whether a step may follow the ones so far. A piece that is put down has to stand, and a reply is lifted or put down after the move
    /// before it.
    fn is_possible(&mut self, step: &Step) -> bool {
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
        // A piece that slides on after a pause has not moved twice, unless it was replied to meanwhile.
        let slid_on = |(before, reply): (&Step, &Step)| {
            let (from, over) = (before.footprint.ply.from(), before.footprint.ply.to());
            over == step.footprint.ply.from()
                && evidence::passes(from, over, to)
                && step.lifted.since(before.landed) < self.hand.settings.rest
                && (reply.landed < before.landed || step.lifted.since(reply.landed) < SLIDE_OVERLAP)
        };
        let stands = stands && !self.steps.iter().zip(self.steps.iter().skip(1)).any(slid_on);
        // The piece that moved last was in the air before the reply began: its move is being corrected, and is no further one.
        let is_corrected = matches!((self.state.after, self.steps.as_slice()), (Some(last), [first])
            if step.footprint.ply.from() == last.to() && first.lifted.since(step.lifted) >= OVERLAP
                && self.touches.place(last.to(), step.lifted).is_none_or(|back| back > first.lifted));
        // A piece that is captured in passing leaves no room for a reply.
        let in_order = self
            .steps
            .last()
            .is_none_or(|last| step.landed >= last.landed || (step.lifted >= last.lifted && !last.is_doubtful));
        // What was touched before all pieces were back at their places is over.
        let is_recent = step.landed > self.hand.put_back;
        let is_possible = stands && replaces && in_order && is_recent && self.is_free(step);
        self.state.seems_corrected |= is_possible && is_corrected;
        is_possible && !is_corrected
    }

    /// Whether a piece that one of the steps takes away from the target, or that is corrected, was gone for as long as a hand needs before this
    /// one came: one that only wobbles has not left.
    fn is_free(&self, step: &Step) -> bool {
        let to = step.footprint.ply.to();
        let left = self.steps.iter().rfind(|before| before.footprint.lifts.has(to)).map(|before| before.lifted);
        let is_corrected = self.state.instead_of.is_some_and(|last| last.to() == to);
        let left = left.or_else(|| self.touches.lift(to, self.hand.ply_read).filter(|_| is_corrected));
        left.is_none_or(|left| {
            self.touches.longest_open(to, Instant::at(left.milliseconds().saturating_sub(1)), step.landed) >= FLICKER
        })
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
        // A piece that wobbles twice on its square looks as if two others had captured there, one after the other.
        let gap = |since: Instant, landed: Instant| self.touches.longest_open(to, since, landed);
        let last = self.steps.last().filter(|last| last.footprint.ply.to() == to);
        let is_swapped = match last {
            Some(last) => {
                let others = self.steps.iter().rev().skip(1);
                let came = others.clone().find(|step| step.footprint.places.has(to)).map(|step| step.landed);
                let taken = !last.footprint.captured.has(to) || gap(came.unwrap_or_default(), last.landed) >= FLICKER;
                taken && gap(last.landed, landed) >= FLICKER
            }
            None => !footprint.captured.has(to) || gap(self.came(to), landed) >= WOBBLE,
        };
        is_swapped && footprint.captured.squares().all(is_taken) && footprint.other_places().squares().all(is_placed)
    }

    /// Whether a piece was captured on the target, and was gone for so short a time that it may only have wobbled: the piece that captures was
    /// not seen to slide up to it, and the players have not said it.
    fn is_doubtful(&self, footprint: &Footprint, lifted: Instant, landed: Instant) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let passed = |step: Square| self.touches.place(step, lifted).is_some_and(|at| at < landed);
        let slid = || {
            let steps = evidence::between(from, to);
            steps.any() && steps.squares().all(passed)
        };
        let is_expected = self.begins_with.is_some() && self.steps.is_empty();
        footprint.captured.has(to)
            && !is_expected
            && self.touches.longest_open(to, self.came(to), landed) < self.hand.settings.swap
            && !self.hand.has_answered(to)
            && !slid()
    }
}

/// Whether the other piece that moves with this one was read as a move of its own.
fn castles(footprint: &Footprint, last: Ply) -> bool {
    footprint.companion() == Some((last.from(), last.to()))
}
