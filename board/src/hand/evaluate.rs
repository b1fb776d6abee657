//! What the board and the trail amount to.

use chess::{Bitboard, Move, Position, Square};

use super::footprint::{self, Footprint, Swap};
use super::reading::{Reading, Stance};
use super::{Hand, Looking, START, kings};
use crate::time::Instant;

/// A piece that was put where another had stood must rest for so long before it is called wrong. One that was only adjusted
/// while another is in the air looks the same, and nobody holds a piece still for that long with the other hand done; and
/// if somebody does, a light was wrong, and the next touch puts it out.
pub(super) const CONVINCED: u64 = 2000;

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
            // A square may just be touched to say what a pawn is to become, and with that very pawn.
            let rest = if self.choosing.is_some() { self.settings.rook_rest } else { 0 };
            return Verdict::Read(Reading::PutBack, rest);
        }
        if let Some(result) = kings::result(&self.position, self.occupied, &self.trail) {
            return Verdict::Read(Reading::Kings(result), self.settings.kings_rest);
        }
        let verdict = self.evaluate_moves(now).or_else(|| self.evaluate_past(now));
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
            let elsewhere = || self.was_elsewhere(&self.position, &self.legal, mv, self.trail.place_of(mv.to()));
            if swap == Swap::Doubtful || (footprint.victim.is_some() && elsewhere()) {
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
    pub(super) fn has_answered(&self, square: Square) -> bool {
        self.asked.is_some_and(|(squares, asked)| {
            (squares & self.trail.swapped).has(square) && self.trail.swap_of(square) > asked
        })
    }

    /// Whether the piece stood on another square that it may go to when something was placed where it ends: then that was
    /// something else.
    pub(super) fn was_elsewhere(&self, position: &Position, legal: &[Move], mv: Move, ended: Instant) -> bool {
        legal.iter().any(|other| {
            let empty = other.to() != mv.to() && !position.occupied().has(other.to());
            empty && other.from() == mv.from() && self.trail.stood_on(other.to(), ended)
        })
    }

    /// The board looks as it does after this move. Whatever was touched besides is where it was, and has not happened;
    /// unless a weak piece may just be lifting off.
    fn arrive(&mut self, mv: Move, swap: Swap, now: Instant) -> Verdict {
        if mv.promotion().is_some() {
            return self.evaluate_promotion(mv.from(), mv.to(), now);
        }
        // Nor has a pawn not arrived that waits to be told what it becomes: a weak piece that comes and goes meanwhile may
        // look as if it had gone there.
        let choosing = self.choosing.is_some();
        if !self.flicker.is_unsure() && !choosing {
            self.trail.forget_all_but(Footprint::of(&self.position, mv).squares());
        }
        // While it is not certain that a piece was taken, what is seen elsewhere may be that one on its way off the board.
        let takes = self.position.is_capture(mv);
        let unclear = swap == Swap::Pushed || choosing || (self.asked.is_some() && !takes);
        let rest = match unclear {
            true => self.settings.rest,
            // A piece that seems to take another may have flickered just when that was put back.
            false if takes => self.flicker.moment_left(mv.from(), now),
            false => 0,
        };
        Verdict::Read(Reading::Moved(mv), rest.max(self.rest_of(&self.position, &self.legal, mv)))
    }

    /// How long a complete move must rest before it is believed.
    pub(super) fn rest_of(&self, position: &Position, legal: &[Move], mv: Move) -> u64 {
        let castles = |&other: &Move| position.castling_rook(other) == Some((mv.from(), mv.to()));
        if legal.iter().any(castles) {
            // It may be the first half of castling.
            return self.settings.rook_rest;
        }
        let slides_on = |other: &Move| other.from() == mv.from() && footprint::passes(mv.from(), mv.to(), other.to());
        if !position.is_capture(mv) && legal.iter().any(slides_on) { self.settings.rest } else { 0 }
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
        if extra.is_empty()
            && let Some(illegal) = self.illegal_capture(missing, now)
        {
            return Stance::Disorder { fill: missing, clear: extra, illegal: Some(illegal) };
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

    /// The one own piece that is missing stands where it has taken something that it may not take.
    fn illegal_capture(&self, missing: Bitboard, now: Instant) -> Option<(Square, Square)> {
        let ours = self.position.of_color(self.position.turn());
        let from =
            missing.first().filter(|&from| !missing.several() && ours.has(from) && self.trail.lifted.has(from))?;
        if now.since(self.trail.last) < CONVINCED {
            return None;
        }
        let legal = |to: Square| self.legal.iter().any(|mv| (mv.from(), mv.to()) == (from, to));
        let since = self.trail.first_lift_of(from);
        let swapped = self.trail.swapped & self.position.occupied() & self.occupied;
        let taken = swapped.squares().filter(|&to| self.trail.swap_of(to) >= since && !legal(to));
        taken.max_by_key(|&to| self.trail.swap_of(to)).map(|to| (from, to))
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
