//! A move and the answer to it, where people share the board and are quicker than the board is patient.

use chess::{Bitboard, Move, Promotion, Role};

use super::evaluate::Verdict;
use super::footprint::{Footprint, Swap};
use super::reading::{Reading, Stance};
use super::{Hand, kings};
use crate::time::Instant;

/// A move and an answer that explain the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    first: Move,
    /// If it is a promotion, it stands for all four.
    second: Move,
    rest: u64,
}

/// What speaks for a pair, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Both moves are certain, and the answer was the last thing that happened.
    InOrder,
    /// Both moves are certain, but the piece that moved first was touched again after the answer.
    Certain,
    /// The first move took something, or that only wobbled. That there is an answer says that it was made, if nobody is
    /// still about to make another.
    Doubtful,
}

/// The pairs that explain the board.
enum Pairs {
    None,
    One(Pair),
    /// It is not clear which of these squares was taken on.
    Asking(Bitboard),
    /// More than the player could be asked about.
    Many,
}

impl Hand {
    /// A complete move, but the other player has lifted a piece to answer it already.
    ///
    /// If it is one that the mover could have taken instead, it may be the mover's hand that lifted it, and that takes more
    /// patience; unless that was the very question, asked when the move was complete already, and the hand is about to
    /// answer it. Nor is a king an answer that was
    /// lifted while something came to the centre: it may stand there itself.
    pub(super) fn evaluate_early_answer(&self) -> Option<Verdict> {
        let theirs = self.position.of_color(!self.position.turn());
        let kings = self.position.of_role(Role::King);
        let is_asked = |lifted: Bitboard, mv: Move| {
            self.asked.is_some_and(|(squares, at)| (squares & lifted).any() && self.trail.place_of(mv.to()) <= at)
        };
        let mut found = None;
        for &mv in &self.legal {
            let footprint = Footprint::of(&self.position, mv);
            let lifted = footprint.after.without(self.occupied);
            let is_answer = (self.occupied | lifted) == footprint.after
                && lifted.any()
                && !lifted.several()
                && lifted.without(theirs).is_empty()
                && !lifted.has(mv.to());
            if !is_answer || !footprint.is_in(&self.trail) || footprint.swap(&self.trail) == Swap::Doubtful {
                continue;
            }
            let takes = |other: &Move| other.from() == mv.from() && lifted.has(other.to());
            let shows_result = kings::CENTRE.has(mv.to()) && (lifted & kings).any();
            if mv.promotion().is_some() || found.is_some() || shows_result || is_asked(lifted, mv) {
                return None;
            }
            let patience = if self.legal.iter().any(takes) { self.settings.rook_rest } else { self.settings.rest };
            found = Some((mv, patience));
        }
        let (mv, patience) = found?;
        Some(Verdict::Read(Reading::Moved(mv), patience.max(self.rest_of(&self.position, &self.legal, mv))))
    }

    /// The one pair of moves, one of each player, that explains the board. The first is no promotion, where a question has
    /// to be answered before anybody goes on; if the second is one, its question is asked.
    pub(super) fn evaluate_pair(&mut self, now: Instant) -> Option<Verdict> {
        let mut pairs = Pairs::None;
        for evidence in [Evidence::InOrder, Evidence::Certain, Evidence::Doubtful] {
            // A piece that is touched to answer a question is out of order.
            let applies = evidence != Evidence::InOrder || self.asked.is_none();
            if applies && matches!(pairs, Pairs::None) {
                pairs = self.pairs(evidence);
            }
        }
        let pair = match pairs {
            Pairs::None => return None,
            Pairs::One(pair) => pair,
            Pairs::Asking(squares) => return Some(Verdict::Not(Stance::Asking(squares))),
            Pairs::Many => return Some(Verdict::Not(self.judge(now))),
        };
        if pair.second.promotion().is_none() {
            return Some(Verdict::Read(Reading::MovedTwice(pair.first, pair.second), pair.rest));
        }
        Some(match self.evaluate_promotion(pair.second.from(), pair.second.to(), now) {
            Verdict::Read(Reading::Moved(chosen), rest) => Verdict::Read(Reading::MovedTwice(pair.first, chosen), rest),
            verdict => verdict,
        })
    }

    /// The pairs that there is this much evidence for.
    fn pairs(&self, evidence: Evidence) -> Pairs {
        let doubtful = evidence == Evidence::Doubtful;
        let mut found: Option<Pair> = None;
        let mut squares = Bitboard::EMPTY;
        for &first in &self.legal {
            let footprint = Footprint::of(&self.position, first);
            let wanted = footprint.is_in(&self.trail) && (footprint.swap(&self.trail) == Swap::Doubtful) == doubtful;
            let came = self.trail.first_place_of(first.to());
            let elsewhere = || self.was_elsewhere(&self.position, &self.legal, first, came);
            if !wanted || first.promotion().is_some() || elsewhere() {
                continue;
            }
            let Ok(next) = self.position.play(first) else { continue };
            let answers = next.legal_moves();
            for &second in &answers {
                let answer = Footprint::of(&next, second);
                if answer.after != self.occupied || !self.has_answer(&footprint, &answer, evidence) {
                    continue;
                }
                if self.was_elsewhere(&next, &answers, second, self.trail.place_of(second.to())) {
                    continue;
                }
                let patience = if doubtful { self.settings.rook_rest } else { self.settings.rest };
                let rest = patience.max(self.rest_of(&next, &answers, second));
                let second = second.promoting(second.promotion().and(Some(Promotion::Queen)));
                let pair = Pair { first, second, rest };
                if self.has_answered(first.to()) || self.has_answered(second.to()) {
                    return Pairs::One(pair);
                }
                // Pairs that differ in one square only can be told apart by the player.
                squares |= match found {
                    None => Bitboard::EMPTY,
                    Some(other) if other.first == first && other.second == second => Bitboard::EMPTY,
                    Some(other) if other.first == first && other.second.from() == second.from() => {
                        Bitboard::of(other.second.to()) | second.to().into()
                    }
                    Some(other) if other.second == second && other.first.from() == first.from() => {
                        Bitboard::of(other.first.to()) | first.to().into()
                    }
                    Some(_) => return Pairs::Many,
                };
                found = Some(pair);
            }
        }
        match found {
            None => Pairs::None,
            Some(_) if squares.any() => Pairs::Asking(squares),
            Some(pair) => Pairs::One(pair),
        }
    }

    /// Whether the trail has an answer to a move that it has: it comes after what it answers, and takes a place of its own.
    fn has_answer(&self, first: &Footprint, answer: &Footprint, evidence: Evidence) -> bool {
        let (to, answered) = (first.way.1, self.trail.place_of(answer.way.1));
        let came = match evidence {
            Evidence::InOrder => self.trail.place_of(to),
            Evidence::Certain | Evidence::Doubtful => self.trail.first_place_of(to),
        };
        answer.is_in(&self.trail)
            && answer.swap(&self.trail) != Swap::Doubtful
            && answered >= came
            && (answer.way.1 != to || self.was_taken_again(first))
    }

    /// Whether what came to its place with a move was taken there.
    fn was_taken_again(&self, first: &Footprint) -> bool {
        let (_, to) = first.way;
        let taken = if first.victim == Some(to) { self.trail.swapped_again } else { self.trail.swapped };
        (taken & self.trail.placed_again).has(to)
    }
}
