//! What the board and the trail amount to.

use chess::{Bitboard, Move, Position, Promotion, Role, Square};

use super::footprint::{self, Footprint, Swap};
use super::reading::{Reading, Stance};
use super::{Hand, Looking, START, kings};
use crate::time::Instant;

/// What an evaluation has come to.
pub(super) enum Verdict {
    /// Something was read, and stands once the board has rested for so long.
    Read(Reading, u64),
    /// Nothing was, and this is how things are.
    Not(Stance),
}

impl Hand {
    /// Makes of the board and the trail whatever can be made of them, the likeliest thing first.
    pub(super) fn evaluate(&mut self, now: Instant) -> Verdict {
        if self.occupied == self.position.occupied() {
            return Verdict::Read(Reading::PutBack, 0);
        }
        if let Some(result) = kings::result(&self.position, self.occupied, &self.trail) {
            return Verdict::Read(Reading::Kings(result), self.settings.kings_rest);
        }
        let verdict = self.evaluate_moves(now).or_else(|| self.evaluate_past());
        if let Some(verdict) = verdict {
            return verdict;
        }
        if self.occupied == START {
            // In the middle of a game somebody may just be looking at how it began.
            let rest = match self.looking {
                Looking::ForNothing => self.settings.kings_rest,
                _ => self.settings.restart_rest,
            };
            return Verdict::Read(Reading::StartPosition, rest);
        }
        Verdict::Not(self.judge(now))
    }

    /// The moves that may be made now: one, or two where people share the board.
    pub(super) fn evaluate_moves(&mut self, now: Instant) -> Option<Verdict> {
        match self.looking {
            Looking::ForNothing => None,
            Looking::ForThis(mv) => {
                let footprint = Footprint::of(&self.position, mv);
                let complete = footprint.after == self.occupied && footprint.is_in(&self.trail);
                // A piece that is to be taken may only have wobbled.
                let doubtful = footprint.swap(&self.trail) == Swap::Doubtful;
                complete.then_some(Verdict::Read(Reading::Moved(mv), if doubtful { self.settings.rest } else { 0 }))
            }
            Looking::ForOwnMove => self.evaluate_single(now),
            Looking::ForMoves => match self.evaluate_single(now) {
                // An answer that is complete comes before one that has only begun: what it swapped would be forgotten.
                None => self.evaluate_pair(now).or_else(|| self.evaluate_early_answer()),
                verdict => verdict,
            },
        }
    }

    fn evaluate_single(&mut self, now: Instant) -> Option<Verdict> {
        let mut found: Option<(Move, Swap)> = None;
        let (mut certain, mut doubtful) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for &mv in &self.legal {
            let footprint = Footprint::of(&self.position, mv);
            if footprint.after != self.occupied || !footprint.is_in(&self.trail) {
                continue;
            }
            let swap = footprint.swap(&self.trail);
            if swap == Swap::Doubtful || (footprint.victim.is_some() && self.was_elsewhere(mv)) {
                doubtful |= mv.to().into();
                continue;
            }
            // Where several pieces may have been taken from one square, the player is asked, and touches one again.
            if footprint.victim.is_some() && self.has_answered(mv.to()) {
                return Some(self.arrive(mv, swap, now));
            }
            certain |= mv.to().into();
            found = Some((mv, swap));
        }
        let taken =
            if found.is_some_and(|(mv, _)| self.position.is_capture(mv)) { certain | doubtful } else { certain };
        match found {
            None => doubtful.any().then_some(Verdict::Not(Stance::Asking(doubtful))),
            Some(_) if taken.several() => Some(Verdict::Not(Stance::Asking(taken))),
            Some((mv, swap)) => Some(self.arrive(mv, swap, now)),
        }
    }

    /// Whether the player was asked about this square, and has touched it since.
    fn has_answered(&self, square: Square) -> bool {
        self.asked.is_some_and(|(squares, asked)| {
            (squares & self.trail.swapped).has(square) && self.trail.swap_of(square) > asked
        })
    }

    /// Whether the piece stood on another square that it may go to when something was placed where it ends: then it was
    /// somebody else who put that back.
    fn was_elsewhere(&self, mv: Move) -> bool {
        let ended = self.trail.place_of(mv.to());
        self.legal
            .iter()
            .any(|other| other.from() == mv.from() && other.to() != mv.to() && self.trail.stood_on(other.to(), ended))
    }

    fn arrive(&mut self, mv: Move, swap: Swap, now: Instant) -> Verdict {
        if mv.promotion().is_some() {
            return self.evaluate_promotion(mv.from(), mv.to(), now);
        }
        // While it is not certain that a piece was taken, what is seen elsewhere may be that one on its way off the board.
        let unclear = swap == Swap::Pushed || (self.asked.is_some() && !self.position.is_capture(mv));
        let rest = if unclear { self.settings.rest } else { 0 };
        Verdict::Read(Reading::Moved(mv), rest.max(self.rest_of(&self.position, &self.legal, mv)))
    }

    /// How long a complete move must rest before it is believed.
    fn rest_of(&self, position: &Position, legal: &[Move], mv: Move) -> u64 {
        let castles = |&other: &Move| position.castling_rook(other) == Some((mv.from(), mv.to()));
        if legal.iter().any(castles) {
            // It may be the first half of castling.
            return self.settings.rook_rest;
        }
        let slides_on = |other: &Move| other.from() == mv.from() && footprint::passes(mv.from(), mv.to(), other.to());
        if !position.is_capture(mv) && legal.iter().any(slides_on) { self.settings.rest } else { 0 }
    }

    /// A complete move, but the other player has lifted a piece to answer it already.
    ///
    /// If it is one that the mover could have taken instead, it may be the mover's hand that lifted it, and that takes more
    /// patience; unless that was the very question, and the hand is about to answer it. Nor is a king an answer that was lifted while something came to the centre: it may stand there itself.
    fn evaluate_early_answer(&self) -> Option<Verdict> {
        let theirs = self.position.of_color(!self.position.turn());
        let kings = self.position.of_role(Role::King);
        let asked = self.asked.map_or(Bitboard::EMPTY, |(squares, _)| squares);
        let mut found = None;
        for &mv in &self.legal {
            let footprint = Footprint::of(&self.position, mv);
            let lifted = footprint.after.without(self.occupied);
            let is_answer = (self.occupied | lifted) == footprint.after
                && lifted.any()
                && lifted.without(theirs).is_empty()
                && !lifted.has(mv.to());
            if !is_answer || !footprint.is_in(&self.trail) || footprint.swap(&self.trail) == Swap::Doubtful {
                continue;
            }
            let takes = |other: &Move| other.from() == mv.from() && lifted.has(other.to());
            let shows_result = kings::CENTRE.has(mv.to()) && (lifted & kings).any();
            if mv.promotion().is_some() || found.is_some() || shows_result || (lifted & asked).any() {
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
    fn evaluate_pair(&mut self, now: Instant) -> Option<Verdict> {
        let mut found: Option<(Move, Move)> = None;
        let mut rest = self.settings.rest;
        for &first in &self.legal {
            let footprint = Footprint::of(&self.position, first);
            if !footprint.is_in(&self.trail) || first.promotion().is_some() {
                continue;
            }
            let Ok(next) = self.position.play(first) else { continue };
            let answers = next.legal_moves();
            for &second in &answers {
                let answer = Footprint::of(&next, second);
                let complete = answer.after == self.occupied
                    && answer.is_in(&self.trail)
                    && answer.swap(&self.trail) != Swap::Doubtful
                    // An answer comes after what it answers, and takes a place of its own.
                    && self.trail.place_of(second.to()) >= self.trail.first_place_of(first.to())
                    && (second.to() != first.to() || self.trail.placed_again.has(first.to()));
                if !complete {
                    continue;
                }
                // That there is an answer says that the move was made, if nobody is still about to make another.
                let doubtful = footprint.swap(&self.trail) == Swap::Doubtful;
                let patience = if doubtful { self.settings.rook_rest } else { self.settings.rest };
                rest = rest.max(patience).max(self.rest_of(&next, &answers, second));
                let second = second.promoting(second.promotion().and(Some(Promotion::Queen)));
                if found.replace((first, second)).is_some_and(|other| other != (first, second)) {
                    return Some(Verdict::Not(self.judge(now)));
                }
            }
        }
        let (first, second) = found?;
        if second.promotion().is_none() {
            return Some(Verdict::Read(Reading::MovedTwice(first, second), rest));
        }
        Some(match self.evaluate_promotion(second.from(), second.to(), now) {
            Verdict::Read(Reading::Moved(chosen), rest) => Verdict::Read(Reading::MovedTwice(first, chosen), rest),
            verdict => verdict,
        })
    }

    /// The last move taken back, or put right, where that may be done by hand.
    fn evaluate_past(&self) -> Option<Verdict> {
        let (earlier, last) = self.before.as_ref()?;
        let undo = Footprint::undone(earlier, *last);
        if undo.after == self.occupied && undo.is_in(&self.trail) {
            return Some(Verdict::Read(Reading::TakenBack, self.settings.rest));
        }
        if self.looking != Looking::ForMoves || earlier.is_capture(*last) {
            return None;
        }
        let mut found = None;
        for &mv in &earlier.legal_moves() {
            let footprint = Footprint::of(earlier, mv);
            if footprint.after != self.occupied || mv.promotion().is_some() {
                continue;
            }
            // The piece goes on from where it came to rest, or the king follows the rook that went first.
            let followed = footprint.rook.is_none_or(|(from, to)| self.trail.went(from, to));
            let on_the_way = mv.from() == last.from() && footprint::passes(mv.from(), last.to(), mv.to());
            let slid_on = on_the_way && self.trail.went(last.to(), mv.to()) && followed;
            let castled = footprint.rook == Some((last.from(), last.to())) && self.trail.went(mv.from(), mv.to());
            let taken = footprint.victim.is_none_or(|victim| self.trail.swapped.has(victim) || victim != mv.to());
            if (slid_on || castled) && taken && found.replace(mv).is_some() {
                return None;
            }
        }
        // If it takes something there, it looks as if the other player had lifted both pieces and put back the own one:
        // then the other may soon be put back as well.
        let rest = |mv| if earlier.is_capture(mv) { self.settings.rook_rest } else { self.settings.rest };
        found.map(|mv| Verdict::Read(Reading::Corrected(mv), rest(mv)))
    }

    /// How things are when nothing can be read.
    pub(super) fn judge(&self, now: Instant) -> Stance {
        let right = self.position.occupied();
        let (missing, extra) = (right.without(self.occupied), self.occupied.without(right));
        if (missing | extra).is_empty() {
            return Stance::Settled;
        }
        if let Some(stance) = self.half_done(missing, extra) {
            return stance;
        }
        if extra.is_empty() || now.since(self.trail.last) < self.settings.rest {
            return Stance::InHand { missing };
        }
        let ours = self.position.of_color(self.position.turn());
        let illegal = match (missing.first(), extra.first()) {
            (Some(from), Some(to)) if !missing.several() && !extra.several() && ours.has(from) => Some((from, to)),
            _ => None,
        };
        Stance::Disorder { fill: missing, clear: extra, illegal }
    }

    /// A move that takes more than one piece off the board or across it, and is not done yet: castling, en passant, or
    /// the move that is expected.
    fn half_done(&self, missing: Bitboard, extra: Bitboard) -> Option<Stance> {
        let on_the_way = |mv: Move| {
            let footprint = Footprint::of(&self.position, mv);
            let changes = self.position.occupied() ^ footprint.after;
            let swaps = footprint.victim.map_or(Bitboard::EMPTY, Bitboard::of);
            let rest = self.occupied ^ footprint.after;
            ((missing | extra).without(changes | swaps).is_empty() && footprint.explains(extra, &self.trail))
                .then_some(Stance::HalfDone { fill: footprint.after & rest, clear: rest.without(footprint.after) })
        };
        match self.looking {
            Looking::ForThis(mv) => on_the_way(mv),
            Looking::ForNothing => None,
            Looking::ForMoves | Looking::ForOwnMove => {
                let takes_two_hands = |&&mv: &&Move| {
                    let victim = self.position.victim(mv);
                    extra.any() && (self.position.castling_rook(mv).is_some() || victim.is_some_and(|at| at != mv.to()))
                };
                self.legal.iter().filter(takes_two_hands).find_map(|&mv| on_the_way(mv))
            }
        }
    }
}
