//! Two taps of the own king ask for a hint: it is lifted and put back at once, twice.

use chess::Bitboard;
use wire::link::Seat;

use super::Referee;
use crate::time::Instant;

/// The longest time that the king is in the air in a tap, in milliseconds.
const LONGEST_TAP: u64 = 700;
/// The longest time from the end of one tap to the end of the next, in milliseconds.
const LONGEST_PAIR: u64 = 1_500;

#[derive(Clone, Copy, Debug)]
pub(super) struct Taps {
    /// What was occupied at the last look.
    seen: Bitboard,
    lifted_at: Option<Instant>,
    /// When the first of two taps ended.
    first: Option<Instant>,
}

impl Taps {
    pub(super) const NONE: Self = Self { seen: Bitboard::EMPTY, lifted_at: None, first: None };
}

impl Referee {
    /// Counts the taps of the king.
    pub(super) fn watch_taps(&mut self, now: Instant) {
        let occupied = self.hand.occupied();
        // An idle scan ends here.
        if occupied == self.taps.seen {
            return;
        }
        let Taps { lifted_at, first, .. } = core::mem::replace(&mut self.taps, Taps { seen: occupied, ..Taps::NONE });
        let turn = self.play.turn();
        if self.seat != Seat::Both || self.to_make.is_some() || !self.arranged || !self.hands().has(turn.to_move) {
            return;
        }
        let (right, king) = (turn.occupied(), turn.royal_of(turn.to_move));
        if occupied == right.without(king) {
            self.taps.lifted_at = Some(now);
            self.taps.first = first.filter(|&first| now.since(first) < LONGEST_PAIR);
        } else if occupied == right && lifted_at.is_some_and(|lifted| now.since(lifted) <= LONGEST_TAP) {
            if first.is_some_and(|first| now.since(first) <= LONGEST_PAIR) {
                self.ask_for_hint();
            } else {
                self.taps.first = Some(now);
            }
        }
    }
}
