//! A pawn has arrived, and the player says on the board what it becomes.

use chess::{Bitboard, Move, Promotion, Rank, Square};

use super::Hand;
use super::evaluate::Verdict;
use super::reading::{Reading, Stance};
use crate::time::Instant;

/// Which piece each of four squares stands for: the pawn's own square, where most hands put a queen at once, and the
/// three behind it.
#[must_use]
pub fn choices(to: Square) -> [(Square, Promotion); 4] {
    let behind = |steps: u8| {
        let rank = to.rank().index();
        let rank = if to.rank() == Rank::Eighth { rank.wrapping_sub(steps) } else { rank.wrapping_add(steps) };
        Square::new(to.file(), Rank::from_index(rank))
    };
    [
        (to, Promotion::Queen),
        (behind(1), Promotion::Knight),
        (behind(2), Promotion::Rook),
        (behind(3), Promotion::Bishop),
    ]
}

/// So long a piece must be gone from a square of the choice to have been touched: a magnet that lets go of its switch twice
/// in a row is back sooner.
const TAP: u64 = 140;

/// The same where that has happened often.
const WEAK_TAP: u64 = 200;

/// A pawn that waits to become something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    from: Square,
    to: Square,
    /// What was occupied when it had arrived.
    arrived: Bitboard,
    since: Instant,
}

impl Hand {
    /// The pawn stands on its last square. Touching one of four squares, that is lifting and placing there in either
    /// order, chooses; nothing is guessed, however long it takes. A touch takes as long as hands need: a pawn that wobbles
    /// when it lands, or a magnet that flickers, has chosen nothing.
    pub(super) fn evaluate_promotion(&mut self, from: Square, to: Square, now: Instant) -> Verdict {
        let same = |choice: &Choice| (choice.from, choice.to) == (from, to);
        let new = Choice { from, to, arrived: self.occupied, since: now };
        let asked = self.choosing.filter(same).unwrap_or(new);
        self.choosing = Some(asked);
        let is_tapped = |(square, _): &(Square, Promotion)| {
            let apart = match asked.arrived.has(*square) {
                true if self.flicker.weak().has(*square) => WEAK_TAP,
                true => TAP,
                false => self.settings.swap,
            };
            self.trail.tapped_since(*square, asked.since, apart)
        };
        // The pawn itself may have been used to touch another square, and then its own was touched as well. If it was too
        // quick there, it has chosen nothing.
        let brushed = |(square, _): &(Square, Promotion)| {
            !asked.arrived.has(*square) && self.trail.placed_while_empty(*square, to)
        };
        let touched = choices(to).into_iter().rev().find(is_tapped);
        let touched = touched.filter(|&(square, _)| square != to || !choices(to).iter().any(brushed));
        match touched {
            Some((_, promotion)) => Verdict::Read(Reading::Moved(Move::new(from, to).promoting(Some(promotion))), 0),
            None => Verdict::Not(Stance::Choosing { to }),
        }
    }

    /// Whether a pawn still waits, and nothing has changed since it arrived but on the squares of the choice: then one of
    /// them is being touched, perhaps with the pawn itself, and the question stands.
    pub(super) fn still_choosing(&self) -> Option<Stance> {
        let Choice { to, arrived, .. } = self.choosing?;
        let squares: Bitboard = choices(to).iter().map(|(square, _)| *square).collect();
        (self.occupied ^ arrived).without(squares).is_empty().then_some(Stance::Choosing { to })
    }
}
