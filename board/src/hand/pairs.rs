//! A move and its answer, where two players share the board and are quicker than the rest times.

use chess::{Bitboard, Square};
use rules::{Footprint, Options, Ply, Situation};

use super::budget::Budget;
use super::evaluate::Evaluation;
use super::evidence::{self, Swap};
use super::pending::Progress;
use super::reading::{Reading, Stance};
use super::timing::{CAPTURED_BY, PROBABLY_MOVED, RECAPTURE, SHORTEST_FLIGHT, SLIDES_OVER};
use super::{Hand, Looking, View, kings};
use crate::time::Instant;

/// A move and an answer that explain the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    first: Ply,
    /// If it is a promotion, it stands for all choices.
    second: Ply,
    rest: u64,
}

/// What supports a pair, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Both moves are certain, and the answer was made last.
    InOrder,
    /// Both moves are certain, but the piece that moved first was touched again after the answer.
    Certain,
    /// It is doubtful whether the first move captured. The answer supports it, unless another move is still under way.
    Doubtful,
}

impl Evidence {
    /// The next weaker one.
    const fn next(self) -> Option<Self> {
        match self {
            Self::InOrder => Some(Self::Certain),
            Self::Certain => Some(Self::Doubtful),
            Self::Doubtful => None,
        }
    }
}

/// How far the search for pairs has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairSearch {
    evidence: Evidence,
    /// The number of the first move at which it goes on.
    first: usize,
    /// The part of its answers at which it goes on.
    part: usize,
    found: Found,
}

impl PairSearch {
    pub(super) const NEW: Self =
        Self { evidence: Evidence::InOrder, first: 0, part: 0, found: Found { pair: None, squares: Bitboard::EMPTY } };
}

/// The pairs that explain the board.
enum Pairs {
    None,
    One(Pair),
    /// It is not clear on which of these squares a piece was captured.
    Asking(Bitboard),
    /// Too many to ask the players about.
    Many,
}

impl Hand {
    /// A complete move, after which the opponent has already lifted a piece to answer.
    ///
    /// - If the mover could have captured the lifted piece instead, the mover's hand may have lifted it: that takes a longer rest.
    /// - If the player was asked about that very square after the move was complete, the lift is the reply to the question, not an
    ///   answer.
    /// - If a king was lifted while a piece came to the centre, the kings may be about to show a result.
    ///
    /// If the piece of the answer may have stood somewhere since, that is only the last resort.
    pub(super) fn evaluate_early_answer(
        &self,
        view: &View<'_>,
        is_last_resort: bool,
        budget: &mut Budget,
    ) -> Option<Evaluation> {
        if is_last_resort && let Looking::ForThis(ply) = self.looking {
            return self.evaluate_early_own(&view.expected(ply)?, view, true);
        }
        if !self.may_be_answered(view) {
            return None;
        }
        let turn = view.here.turn();
        let theirs = turn.of(!turn.to_move);
        let is_asked = |lifted: Bitboard, ply: Ply| {
            self.asked.is_some_and(|(squares, at)| (squares & lifted).any() && self.trail.place_of(ply.to()) <= at)
        };
        let mut found = None;
        for footprint in self.shown_footprints(view.here) {
            let ply = footprint.ply;
            let lifted = footprint.after.without(self.occupied);
            let is_answer = (self.occupied | lifted) == footprint.after
                && lifted.any()
                && !lifted.several()
                && lifted.without(theirs).is_empty()
                && !lifted.has(ply.to());
            if !is_answer
                || !self.trail.shows(&footprint)
                || self.trail.swap(&footprint) == Swap::Doubtful
                // The piece had moved elsewhere before another one came here.
                || self.was_elsewhere(view.here, &footprint, self.trail.place_of(ply.to()))
                || self.paused_until_answered(view.here, &footprint)
            {
                continue;
            }
            let has_gone_on = |since: Instant| self.may_have_answered(lifted, &footprint, view.here, since);
            // Where another piece has left its square and one has come back there, several moves may have been made. They are read at rest.
            let is_unexplained = || {
                self.trail.swapped.without(evidence::squares(&footprint) | lifted | footprint.ply.from().into()).any()
            };
            if !is_last_resort
                && (is_unexplained() || self.has_paused(lifted, &footprint) || has_gone_on(Instant::default()))
            {
                continue;
            }
            // The piece that moved last is in the air again, and was before this one: its move is being corrected.
            if view.correctable().is_some_and(|last| lifted.has(last.to()))
                && lifted
                    .squares()
                    .any(|square| self.trail.first_lift_of(square) < self.trail.first_lift_of(ply.from()))
            {
                return None;
            }
            let shows_result = kings::CENTRE.has(ply.to()) && (lifted & turn.royal).any();
            if ply.choice() != 0 || found.is_some() || shows_result || is_asked(lifted, ply) {
                return None;
            }
            let could_capture = (view.here.targets(ply.from()) & lifted).any();
            // A piece that was seen elsewhere after this one came does not stand in its place.
            let is_elsewhere = || is_last_resort && has_gone_on(self.trail.place_of(ply.to()).after(1));
            let may_be_other = self.may_be_the_answer(lifted, ply, view, budget) && !is_elsewhere();
            if could_capture && self.was_lifted_first(lifted, ply) || may_be_other {
                return None;
            }
            found = Some((footprint, if could_capture { self.settings.rook_rest } else { self.settings.rest }));
        }
        let (footprint, rest) = found?;
        Some(Evaluation::Read(Reading::Moved(footprint.ply), rest.max(self.rest_of(view.here, &footprint))))
    }

    /// Whether this piece was lifted before the one that seems to have moved. If that one could have captured it, the mover's hand has lifted
    /// it, and the capture is not complete.
    fn was_lifted_first(&self, lifted: Bitboard, ply: Ply) -> bool {
        lifted.squares().any(|square| self.trail.first_lift_of(square) < self.trail.first_lift_of(ply.from()))
    }

    /// Whether the piece that was lifted to answer a move may be the one that stands on the target of the move: it was lifted after the piece
    /// of the move and before anything came there, and it can go there if the move was another one. Then the piece of the move may stand
    /// where its switch does not feel it. What is touched next distinguishes them.
    fn may_be_the_answer(&self, lifted: Bitboard, ply: Ply, view: &View<'_>, budget: &mut Budget) -> bool {
        let to = ply.to();
        // Something that passed the square before has not come to stand there.
        let has_stood = self.touches.longest_stand(to) >= PROBABLY_MOVED;
        let came = if has_stood { self.trail.first_place_of(to) } else { self.trail.place_of(to) };
        let has_time = |from: &Square| {
            let left = self.trail.lift_of(*from);
            came > left && (came.since(left) >= SHORTEST_FLIGHT || evidence::is_beside(*from, to))
        };
        let Some(answering) = lifted.first().filter(has_time) else { return false };
        let is_answer = |answer: &Ply| answer.from() == answering && answer.to() == to;
        let is_other = |other: &&Ply| other.from() == ply.from() && other.to() != to && other.to() != answering;
        let others = || view.here.plies.iter().filter(is_other);
        // A capture is missed most often. A few moves are enough: most of them neither give check nor block the way.
        let captures = others().filter(|other| view.here.occupied().has(other.to())).take(2);
        let mut some = captures.chain(others().next()).chain(others().next_back());
        // In GMO chess one piece can take most of a scan.
        let is_long = matches!(view.here.here, Situation::Genome(_));
        some.any(|&other| {
            if is_long && budget.is_spent() {
                return false;
            }
            let can_answer = view.here.after(other, |next| {
                let plies = next.plies_of(answering.into());
                budget.enter(&plies);
                plies.iter().any(is_answer)
            });
            can_answer == Some(true)
        })
    }

    /// The repeated ply of the remote opponent is complete, and the player has already lifted a piece for the own one.
    pub(super) fn evaluate_early_own(
        &self,
        made: &Footprint,
        view: &View<'_>,
        is_last_resort: bool,
    ) -> Option<Evaluation> {
        let turn = view.here.turn();
        let lifted = made.after.without(self.occupied);
        let is_own = lifted.without(turn.of(!turn.to_move)).is_empty() && lifted.any() && !lifted.several();
        let complete =
            (self.occupied | lifted) == made.after && !lifted.has(made.ply.to()) && self.trail.shows_made(made);
        let certain = self.trail.swap(made) != Swap::Doubtful;
        // This is looked at last: it generates the plies of the lifted piece, which takes long in GMO chess.
        let is_likely = || is_last_resort || !self.may_have_answered(lifted, made, view.here, Instant::default());
        (is_own && complete && certain && is_likely())
            .then_some(Evaluation::Read(Reading::Moved(made.ply), self.settings.rest))
    }

    /// Whether the piece that was lifted from this square to answer a move may have captured or stood somewhere since it was lifted, and since
    /// this moment: then it is not in the air, and its touches would be forgotten if only the move before it was read.
    fn may_have_answered(&self, lifted: Bitboard, made: &Footprint, here: Options<'_>, since: Instant) -> bool {
        let Some(from) = lifted.first() else { return false };
        let (to, since) = (made.ply.to(), self.trail.first_lift_of(from).max(since));
        let captured = |square: Square| {
            let swap = self.trail.swap_of(square);
            // The piece that has just moved was placed there first.
            let is_own = square == to && swap <= self.trail.first_place_of(to);
            self.trail.swapped.has(square) && swap >= since && !is_own
        };
        // Another piece may have captured it there at once.
        let stood = |square: Square| {
            let placed = self.trail.place_of(square);
            square != to && !made.after.has(square) && placed >= since && self.trail.lift_of(square) > placed
        };
        let others = evidence::squares(made).without(to.into());
        let touched = (self.trail.lifted & self.trail.placed).without(others);
        let answered: Bitboard = touched.squares().filter(|&square| captured(square) || stood(square)).collect();
        let is_answer = |ply: &Ply| ply.from() == from && answered.has(ply.to());
        answered.any() && here.after(made.ply, |next| next.plies_of(lifted).iter().any(is_answer)) == Some(true)
    }

    /// The one pair of moves, one of each player, that explains the board. The first is a promotion only if its choice is
    /// made; if the second is one, its choice is offered.
    pub(super) fn evaluate_pair(
        &mut self,
        search: &mut PairSearch,
        view: &View<'_>,
        now: Instant,
        budget: &mut Budget,
    ) -> Progress<Option<Evaluation>> {
        if !self.may_be_answered(view) {
            return Progress::Done(None);
        }
        // The same board after a flicker is the same pair.
        if let Some(waiting) = self.waiting
            && let Reading::MovedTwice(..) = waiting.reading
            && waiting.seen == self.occupied
            && waiting.unsupported_since.is_some_and(|gone| gone < now && now.since(gone) < self.settings.swap)
        {
            return Progress::Done(Some(Evaluation::Read(waiting.reading, waiting.rest)));
        }
        match self.search_pairs(search, view, budget) {
            Progress::Suspended => Progress::Suspended,
            Progress::Done(pairs) => Progress::Done(self.evaluate_pairs(&pairs, view, now)),
        }
    }

    fn evaluate_pairs(&mut self, pairs: &Pairs, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        let pair = match *pairs {
            Pairs::None => return None,
            Pairs::One(pair) => pair,
            Pairs::Asking(squares) => return Some(Evaluation::Not(Stance::Asking(squares))),
            Pairs::Many => return Some(Evaluation::Not(self.judge(view, now))),
        };
        if pair.second.choice() == 0 {
            return Some(Evaluation::Read(Reading::MovedTwice(pair.first, pair.second), pair.rest));
        }
        Some(match self.evaluate_promotion(pair.second, view, now) {
            Evaluation::Read(Reading::Moved(chosen), rest) => {
                Evaluation::Read(Reading::MovedTwice(pair.first, chosen), rest)
            }
            evaluation => evaluation,
        })
    }

    /// The pairs that have the strongest evidence.
    fn search_pairs(&self, search: &mut PairSearch, view: &View<'_>, budget: &mut Budget) -> Progress<Pairs> {
        loop {
            // A piece that is tapped to answer a question is out of order.
            let applies = search.evidence != Evidence::InOrder || self.asked.is_none();
            if applies {
                match self.pairs(search, view, budget) {
                    Progress::Done(Pairs::None) => {}
                    progress => return progress,
                }
            }
            match search.evidence.next() {
                Some(evidence) => *search = PairSearch { evidence, ..PairSearch::NEW },
                None => return Progress::Done(Pairs::None),
            }
        }
    }

    /// The pairs that have this much evidence.
    fn pairs(&self, search: &mut PairSearch, view: &View<'_>, budget: &mut Budget) -> Progress<Pairs> {
        let here = view.here;
        let PairSearch { evidence, first, .. } = *search;
        let doubtful = evidence == Evidence::Doubtful;
        for (number, first) in here.footprints_touching(self.trail.lifted, self.trail.placed, first) {
            let wanted = self.trail.shows(&first) && (self.trail.swap(&first) == Swap::Doubtful) == doubtful;
            let came = self.trail.first_place_of(first.ply.to());
            let unchosen = first.ply.choice() != 0 && !self.chosen(first.ply);
            if !wanted || unchosen || self.was_elsewhere(here, &first, came) {
                continue;
            }
            if budget.is_spent() {
                search.first = number;
                return Progress::Suspended;
            }
            budget.make(here.here);
            match here.after(first.ply, |next| self.all_answers((view, &first), next, search, budget)) {
                Some(Progress::Suspended) => {
                    search.first = number;
                    return Progress::Suspended;
                }
                Some(Progress::Done(Some(pairs))) => return Progress::Done(pairs),
                Some(Progress::Done(None)) | None => {}
            }
        }
        Progress::Done(match search.found.pair {
            None => Pairs::None,
            Some(_) if search.found.squares.any() => Pairs::Asking(search.found.squares),
            Some(pair) => Pairs::One(pair),
        })
    }

    /// Whether something has stood for long on a square that should be empty since the piece of the answer was lifted: several moves may have
    /// been made, which are read when the board rests.
    fn has_paused(&self, lifted: Bitboard, made: &Footprint) -> bool {
        let Some(from) = lifted.first() else { return false };
        let since = self.trail.first_lift_of(from);
        let paused = |square: Square| {
            let placed = self.trail.place_of(square);
            placed >= since && self.trail.lift_of(square).since(placed) >= self.settings.rest
        };
        let others = (self.trail.lifted & self.trail.placed).without(evidence::squares(made) | made.after);
        others.squares().any(paused)
    }

    /// Collects the answers to a move that explain the board, as many pieces in a scan as the budget allows. Returns a result if there is no
    /// need to look further.
    fn all_answers(
        &self,
        first: (&View<'_>, &Footprint),
        next: Situation<'_>,
        search: &mut PairSearch,
        budget: &mut Budget,
    ) -> Progress<Option<Pairs>> {
        for (part, start) in next.starts(self.trail.lifted).enumerate().skip(search.part) {
            if part > search.part && budget.is_spent() {
                search.part = part;
                return Progress::Suspended;
            }
            let plies = next.plies_of(start);
            budget.enter(&plies);
            let next = Options { here: next, plies: &plies };
            if let Some(pairs) = self.answers(first, next, search.evidence, &mut search.found, budget) {
                return Progress::Done(Some(pairs));
            }
        }
        search.part = 0;
        Progress::Done(None)
    }

    /// Collects the answers to a move that are among these plies. Returns a result if there is no need to look further.
    fn answers(
        &self,
        (view, first): (&View<'_>, &Footprint),
        next: Options<'_>,
        evidence: Evidence,
        found: &mut Found,
        budget: &mut Budget,
    ) -> Option<Pairs> {
        for answer in self.shown_footprints(next) {
            if answer.after != self.occupied || !self.has_answer(first, &answer, evidence) {
                continue;
            }
            // The piece that moved last was in the air before the other one: its move is being corrected.
            let from = answer.ply.from();
            if view.correctable().is_some_and(|last| last.to() == from)
                && self.trail.lift_of(from) < self.trail.first_lift_of(first.ply.from())
            {
                continue;
            }
            // The piece of the answer, or that of the move, stood elsewhere when the answer came.
            let answered = self.trail.place_of(answer.ply.to());
            if self.paused_until_answered(view.here, first) || self.paused_until_answered(next, &answer) {
                continue;
            }
            if self.was_elsewhere(next, &answer, answered) || self.was_elsewhere(view.here, first, answered) {
                continue;
            }
            let doubtful = evidence == Evidence::Doubtful;
            let rest = if doubtful { self.settings.rook_rest } else { self.settings.rest };
            let rest = rest.max(self.rest_of(next, &answer));
            budget.enter(next.plies);
            let second = answer.ply.choosing(u8::from(answer.ply.choice() != 0));
            let pair = Pair { first: first.ply, second, rest };
            if self.has_answered(first.ply.to()) || self.has_answered(second.to()) {
                return Some(Pairs::One(pair));
            }
            if !found.add(pair) {
                return Some(Pairs::Many);
            }
        }
        None
    }

    /// Whether the touches show an answer to a move that they show: it comes after the move, and has a place of its own.
    fn has_answer(&self, first: &Footprint, answer: &Footprint, evidence: Evidence) -> bool {
        let (to, answered) = (first.ply.to(), self.trail.place_of(answer.ply.to()));
        let came = match evidence {
            Evidence::InOrder => self.trail.place_of(to),
            Evidence::Certain | Evidence::Doubtful => self.trail.first_place_of(to),
        };
        self.shows(answer)
            && self.trail.swap(answer) != Swap::Doubtful
            && answered >= came
            && (answer.ply.to() != to || self.was_recaptured(first, answer.ply.from()))
    }

    /// Whether the piece that came to a square was gone again so soon, and so long before the other one was lifted that came there later, that it
    /// only slid over it.
    fn slid_over(&self, square: Square, later: Square) -> bool {
        let came = self.trail.first_place_of(square);
        let left = self.touches.lift_after(square, came);
        left.is_some_and(|left| {
            self.touches.longest_stand(square) < SLIDES_OVER && self.trail.lift_of(later).since(left) >= CAPTURED_BY
        })
    }

    /// Whether the piece that a move brought to its square was captured there by one that was lifted from another square.
    fn was_recaptured(&self, first: &Footprint, by: Square) -> bool {
        let to = first.ply.to();
        // If it was asked whether the first one captured, the piece that came later has not answered that.
        let is_asked = self
            .asked
            .is_some_and(|(squares, asked)| squares.has(to) && self.trail.lift_of(to).since(asked) >= RECAPTURE);
        // A pawn that was tapped to choose what it becomes looks the same.
        let is_tapped = self.has_tapped_itself(to);
        let twice = (first.captured.has(to) && !is_asked) || is_tapped;
        let taken = if twice { self.trail.swapped_again } else { self.trail.swapped };
        (taken & self.trail.placed_again).has(to) && (is_tapped || !self.slid_over(to, by))
    }
}

/// The pairs found so far.
#[derive(Clone, Copy, Debug)]
struct Found {
    pair: Option<Pair>,
    /// The squares in which they differ.
    squares: Bitboard,
}

impl Found {
    /// Adds a pair. Returns whether the players can still be asked: pairs that differ in one square only can be distinguished.
    fn add(&mut self, pair: Pair) -> bool {
        let Pair { first, second, .. } = pair;
        let differ = match self.pair {
            None => Bitboard::EMPTY,
            Some(other) if other.first == first && other.second == second => Bitboard::EMPTY,
            Some(other) if other.first == first && other.second.from() == second.from() => {
                Bitboard::of(other.second.to()) | second.to().into()
            }
            Some(other) if other.second == second && other.first.from() == first.from() => {
                Bitboard::of(other.first.to()) | first.to().into()
            }
            Some(_) => return false,
        };
        self.squares |= differ;
        self.pair = Some(pair);
        true
    }
}
