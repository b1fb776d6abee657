//! The last move, taken back or corrected by hand.

use chess::{Bitboard, Square};
use rules::{Footprint, Options, Ply, Situation};

use super::budget::Budget;
use super::evaluate::Evaluation;
use super::reading::{Reading, Stance};
use super::timing::{TAKEBACK_HALVES, WITHDRAW_REST};
use super::touches::Touch;
use super::{Hand, Looking, View};
use crate::time::Instant;

impl Hand {
    /// The last move taken back, or corrected, where that may be done by hand.
    pub(super) fn evaluate_correction(&self, view: &View<'_>, now: Instant, budget: &mut Budget) -> Option<Evaluation> {
        let (earlier, last) = view.last()?;
        if self.looking == Looking::ForWithdrawal {
            return self.evaluate_withdrawal(earlier, &last, budget);
        }
        let halved = self.swapped_back.is_some_and(|back| now.since(back) < TAKEBACK_HALVES);
        let (last_from, last_to) = (last.ply.from(), last.ply.to());
        // The piece that seems to have captured comes back, and the other one has not left: it was only touched.
        let uncaptured = last.captured.has(last_to) && !self.trail.lifted.has(last_to);
        let undone = self.trail.shows_undone(&last)
            || (halved && self.trail.shows_rest_of_undone(&last))
            || (uncaptured && self.trail.placed.has(last_from));
        if earlier.occupied() == self.occupied && undone {
            // A promotion square may be about to be tapped.
            let rest = if self.choosing.is_some() { self.settings.rook_rest } else { self.settings.rest };
            return Some(Evaluation::Read(Reading::TakenBack, rest));
        }
        // The opponent had replied before the piece was lifted again: that is a further move.
        let left = self.trail.first_lift_of(last_to);
        let is_reply = |touch: &Touch| touch.placed && !view.here.occupied().has(touch.square) && touch.at < left;
        let replied = self.trail.lifted.has(last_to) && self.touches.counting().any(is_reply);
        let may_differ = uncaptured || !last.is_capture();
        if !matches!(self.looking, Looking::ForMoves | Looking::ForCorrection)
            || self.choosing.is_some()
            || !may_differ
            || last.ply.choice() != 0
        {
            return None;
        }
        let mut found: Option<Footprint> = None;
        let mut doubtful = Bitboard::EMPTY;
        // Only castling is a ply of another piece.
        let plies = earlier.plies_of(last_from.into());
        budget.enter(&plies);
        let options = Options { here: earlier, plies: &plies };
        for (_, footprint) in options.footprints_touching(Bitboard::ALL, self.trail.placed, 0) {
            let ply = footprint.ply;
            if footprint.after != self.occupied || ply.choice() != 0 {
                continue;
            }
            // The piece goes on from where it paused, comes down only now, or the king follows a rook that moved first.
            let companion = footprint.companion();
            let followed = companion.is_none_or(|(from, to)| self.trail.went(from, to));
            let arrived = if uncaptured { self.trail.placed.has(ply.to()) } else { self.trail.went(last_to, ply.to()) };
            let went_on = ply.from() == last_from && ply.to() != last_to && arrived && followed && !replied;
            let castled = companion.is_some_and(|(from, to)| {
                from == last_from
                    && (to == last_to || (self.trail.went(last_to, to) && !replied))
                    && self.trail.went(ply.from(), ply.to())
            });
            if !went_on && !castled {
                continue;
            }
            let taken = footprint.captured.without(self.trail.swapped).is_empty();
            let touched = footprint.captured.without(self.trail.lifted & self.trail.placed).is_empty();
            if touched && !taken {
                doubtful |= ply.to().into();
            }
            if taken && found.replace(footprint).is_some() {
                return None;
            }
        }
        if found.is_none() && doubtful.any() {
            return Some(Evaluation::Not(Stance::Asking(doubtful)));
        }
        // A correction that captures looks as if the opponent had lifted both pieces and put back one: the other may follow soon.
        let rest = |found: &Footprint| if found.is_capture() { self.settings.rook_rest } else { self.settings.rest };
        found.map(|found| Evaluation::Read(Reading::Corrected(found.ply), rest(&found)))
    }

    /// A correction that rests, if these lifts confirm it: the opponent begins to reply. A piece that could be captured instead may have been
    /// lifted by the mover.
    pub(super) fn confirmed_correction(&self, lifted: Bitboard, view: &View<'_>) -> Option<Reading> {
        let waiting = self.waiting.filter(|waiting| waiting.unsupported_since.is_none())?;
        let Reading::Corrected(ply) = waiting.reading else { return None };
        let replies = self.surely_lifted(lifted & view.here.turn().own(), waiting.read_at);
        if self.looking != Looking::ForMoves || replies.is_empty() {
            return None;
        }
        let (earlier, _) = view.before?;
        let could_capture = |other: &Ply| other.from() == ply.from() && replies.has(other.to());
        (!earlier.plies_of(ply.from().into()).iter().any(could_capture)).then_some(waiting.reading)
    }

    /// Those of these squares whose pieces were lifted after a moment, by a hand as far as can be known at once: the others have flickered before.
    pub(super) fn surely_lifted(&self, lifted: Bitboard, since: Instant) -> Bitboard {
        let is_sure = |&square: &Square| self.flicker.lift_of(square) >= since && !self.flicker.has_flickered(square);
        lifted.squares().filter(is_sure).collect()
    }

    /// The last move, which was sent to the remote opponent: its piece is lifted again, or comes down only now, because the capture that was
    /// read did not happen.
    fn evaluate_withdrawal(&self, earlier: Situation<'_>, last: &Footprint, budget: &mut Budget) -> Option<Evaluation> {
        let (from, to) = (last.ply.from(), last.ply.to());
        let lifted = self.trail.lifted.has(to) && last.after.without(self.occupied) == to.into();
        let mut comes_down = || {
            let plies = earlier.plies_of(from.into());
            budget.enter(&plies);
            let options = Options { here: earlier, plies: &plies };
            let mut others = options.footprints_touching(from.into(), self.trail.placed, 0);
            others.any(|(_, other)| {
                other.ply.from() == from && other.after == self.occupied && self.trail.placed.has(other.ply.to())
            })
        };
        let uncaptured = last.captured.has(to) && !self.trail.lifted.has(to) && comes_down();
        (lifted || uncaptured || self.is_castling(earlier, last, budget))
            .then_some(Evaluation::Read(Reading::Withdrawn, WITHDRAW_REST))
    }

    /// Whether the last move was that of a rook, and the king is lifted now with which it can castle.
    fn is_castling(&self, earlier: Situation<'_>, last: &Footprint, budget: &mut Budget) -> bool {
        let king = last.after.without(self.occupied);
        let is_one = king.any() && !king.several() && self.occupied.without(last.after).is_empty();
        if !is_one || earlier.chess().is_none() {
            return false;
        }
        let rook = (last.ply.from(), last.ply.to());
        let plies = earlier.plies_of(king);
        budget.enter(&plies);
        let options = Options { here: earlier, plies: &plies };
        let mut castles = options.footprints_touching(king, Bitboard::ALL, 0);
        castles.any(|(_, other)| !king.has(rook.1) && other.companion() == Some(rook))
    }

    /// Whether the piece that captured last was gone from its square for as long as a hand needs to swap the two.
    pub(super) fn has_swapped_back(&self, view: &View<'_>) -> bool {
        view.last().is_some_and(|(_, last)| {
            let to = last.ply.to();
            last.captured.has(to) && self.trail.tapped_since(to, Instant::default(), self.settings.swap)
        })
    }
}
