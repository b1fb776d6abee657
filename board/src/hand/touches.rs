use chess::{Bitboard, Square};

use super::evidence;
use super::timing::{OVERLAP, SLIDE_OVERLAP};
use super::trail::Trail;
use crate::time::Instant;

/// A square that was lifted from or placed on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) at: Instant,
    pub(super) square: Square,
    pub(super) placed: bool,
    /// Whether the square was empty for long enough before something was placed on it that a hand must have been there.
    pub(super) swapped: bool,
    /// Whether it still counts for the next move.
    counts: bool,
}

/// How many touches are remembered: five quick moves with captures take less than half of them.
pub(super) const REMEMBERED: usize = 64;

/// The last touches in the order of time. The [`Trail`] is what those that still count amount to.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    ring: [Option<Touch>; REMEMBERED],
    /// Where the next one goes.
    next: usize,
}

impl Touches {
    pub(super) const NONE: Self = Self { ring: [None; REMEMBERED], next: 0 };

    pub(super) fn add(&mut self, at: Instant, square: Square, placed: bool, swapped: bool) {
        if let Some(slot) = self.ring.get_mut(self.next) {
            *slot = Some(Touch { at, square, placed, swapped, counts: true });
        }
        self.next = if self.next < REMEMBERED.saturating_sub(1) { self.next.saturating_add(1) } else { 0 };
    }

    /// All of them, the oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Touch> {
        let (newer, older) = self.ring.split_at_checked(self.next).unwrap_or((&self.ring, &[]));
        older.iter().chain(newer).flatten()
    }

    /// Those that still count, the oldest first.
    pub(super) fn counting(&self) -> impl DoubleEndedIterator<Item = &Touch> {
        self.iter().filter(|touch| touch.counts)
    }

    /// Forgets all touches up to a moment, but for those of these squares.
    pub(super) fn forget(&mut self, until: Instant, but: Bitboard) {
        for touch in self.ring.iter_mut().flatten() {
            touch.counts = touch.counts && (touch.at > until || but.has(touch.square));
        }
    }

    /// The squares that were lifted from between two moments.
    pub(super) fn left_between(&self, (since, until): (Instant, Instant)) -> Bitboard {
        let is_left = |touch: &&Touch| !touch.placed && touch.at > since && touch.at <= until;
        self.iter().filter(is_left).map(|touch| touch.square).collect()
    }

    /// Whether a piece that was lifted from one square stood on another one, between two moments, while something came down on none of these
    /// squares: the opponent has replied, so the stop was a move.
    pub(super) fn was_answered(
        &self,
        (from, stop): (Square, Square),
        (since, until): (Instant, Instant),
        no_reply: Bitboard,
    ) -> bool {
        let mut answered_at: Option<Instant> = None;
        let mut stands = false;
        for touch in self.iter().filter(|touch| touch.at > since && touch.at <= until) {
            if touch.square == stop {
                if !touch.placed && answered_at.is_some_and(|at| touch.at.since(at) >= OVERLAP) {
                    return true;
                }
                (stands, answered_at) = (touch.placed, None);
            } else if touch.placed && stands && !no_reply.has(touch.square) {
                // A piece that slides on may close the next switch before it leaves this one.
                let slides_on = evidence::passes(from, stop, touch.square);
                let at = if slides_on { touch.at.after(SLIDE_OVERLAP) } else { touch.at };
                answered_at = Some(answered_at.map_or(at, |before| before.min(at)));
            }
        }
        false
    }

    /// When a square was lifted from first after a moment, of the touches that still count.
    pub(super) fn lift_after(&self, square: Square, after: Instant) -> Option<Instant> {
        let is_left = |touch: &&Touch| touch.square == square && !touch.placed && touch.at > after;
        self.counting().find(is_left).map(|touch| touch.at)
    }

    /// The longest time for which something stood on a square before it was lifted, of the touches that still count, in milliseconds.
    pub(super) fn longest_stand(&self, square: Square) -> u64 {
        let (mut longest, mut placed) = (0, None::<Instant>);
        for touch in self.counting().filter(|touch| touch.square == square) {
            if touch.placed {
                placed = Some(touch.at);
            } else if let Some(placed) = placed.take() {
                longest = touch.at.since(placed).max(longest);
            }
        }
        longest
    }

    /// Lets all touches since a moment count again.
    pub(super) fn recall(&mut self, since: Instant) {
        for touch in self.ring.iter_mut().flatten() {
            touch.counts = touch.counts || touch.at >= since;
        }
    }

    /// What those that still count amount to.
    pub(super) fn trail(&self) -> Trail {
        Trail::of(self.counting())
    }
}
