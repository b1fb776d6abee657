use chess::{Bitboard, Square};

use super::touches::{REMEMBERED, Touch};
use crate::time::Instant;

/// The touches since a moment, each with the next one of its kind on its square: a search asks for them hundreds of times.
pub(super) struct TouchIndex {
    at: [Instant; REMEMBERED],
    next: [u8; REMEMBERED],
    first_lift: [u8; 64],
    first_place: [u8; 64],
    pub(super) lifted: Bitboard,
    pub(super) placed: Bitboard,
}

/// There is no further one.
const NONE: u8 = u8::MAX;

impl TouchIndex {
    /// Touches in the order of time.
    pub(super) fn of<'a>(touches: impl DoubleEndedIterator<Item = &'a Touch>) -> Self {
        let mut index = Self {
            at: [Instant::at(0); REMEMBERED],
            next: [NONE; REMEMBERED],
            first_lift: [NONE; 64],
            first_place: [NONE; 64],
            lifted: Bitboard::EMPTY,
            placed: Bitboard::EMPTY,
        };
        let mut number = 0_u8;
        for (touch, (at, next)) in touches.rev().zip(index.at.iter_mut().zip(&mut index.next)) {
            let (first, squares) = if touch.placed {
                (&mut index.first_place, &mut index.placed)
            } else {
                (&mut index.first_lift, &mut index.lifted)
            };
            *squares |= touch.square.into();
            *at = touch.at;
            if let Some(first) = first.get_mut(usize::from(touch.square.index())) {
                *next = core::mem::replace(first, number);
            }
            number = number.wrapping_add(1);
        }
        index
    }

    /// The first lift from a square after a moment.
    pub(super) fn lift(&self, square: Square, after: Instant) -> Option<Instant> {
        self.first_after(&self.first_lift, square, after)
    }

    /// The first time after a moment that something was placed on a square.
    pub(super) fn place(&self, square: Square, after: Instant) -> Option<Instant> {
        self.first_after(&self.first_place, square, after)
    }

    /// The longest time for which a square was open between two moments, in milliseconds, if it was closed at the first one.
    pub(super) fn longest_open(&self, square: Square, since: Instant, until: Instant) -> u64 {
        let (mut longest, mut closed) = (0, since);
        while let Some(gone) = self.lift(square, closed).filter(|&gone| gone < until) {
            closed = self.place(square, gone).map_or(until, |back| back.min(until));
            longest = longest.max(closed.since(gone));
        }
        longest
    }

    /// The longest time for which something stood on a square before it was lifted, in milliseconds.
    pub(super) fn longest_stand(&self, square: Square) -> u64 {
        let (mut longest, mut since) = (0, Instant::at(0));
        while let Some(came) = self.place(square, since)
            && let Some(left) = self.lift(square, came)
        {
            longest = longest.max(left.since(came));
            since = left;
        }
        longest
    }

    /// Until when something stands on a square that came there between two moments and is lifted again after the second one.
    pub(super) fn stands(&self, square: Square, since: Instant, then: Instant) -> Option<Instant> {
        let left = self.lift(square, then)?;
        let mut came = self.place(square, since).filter(|&came| came < then)?;
        while let Some(again) = self.place(square, came).filter(|&again| again < then) {
            came = again;
        }
        self.lift(square, came).is_some_and(|lifted| lifted == left).then_some(left)
    }

    fn first_after(&self, first: &[u8; 64], square: Square, after: Instant) -> Option<Instant> {
        let mut number = *first.get(usize::from(square.index()))?;
        // No touch that is not there has a moment.
        while let Some(&at) = self.at.get(usize::from(number)) {
            if at > after {
                return Some(at);
            }
            number = *self.next.get(usize::from(number))?;
        }
        None
    }
}
