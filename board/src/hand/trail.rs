use chess::{Bitboard, Square};

use super::touches::Touch;
use crate::time::Instant;

/// What hands have touched since the board last agreed with the game.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// Squares that were lifted from.
    pub(super) lifted: Bitboard,
    /// Squares that were placed on.
    pub(super) placed: Bitboard,
    /// Squares that were placed on more than once.
    pub(super) placed_again: Bitboard,
    /// Squares that were empty for long enough between a lift and a place that a hand must have been there:
    /// swapping two pieces takes longer than the wobble of one.
    pub(super) swapped: Bitboard,
    /// Squares of which that is true more than once.
    pub(super) swapped_again: Bitboard,
    /// The first lift and the last one: a piece leaves with the first, also if its square is touched again afterwards.
    first_lift_at: [Instant; 64],
    lift_at: [Instant; 64],
    first_place_at: [Instant; 64],
    place_at: [Instant; 64],
    swap_at: [Instant; 64],
}

impl Trail {
    pub(super) const NONE: Self = Self {
        lifted: Bitboard::EMPTY,
        placed: Bitboard::EMPTY,
        placed_again: Bitboard::EMPTY,
        swapped: Bitboard::EMPTY,
        swapped_again: Bitboard::EMPTY,
        first_lift_at: [Instant::at(0); 64],
        lift_at: [Instant::at(0); 64],
        first_place_at: [Instant::at(0); 64],
        place_at: [Instant::at(0); 64],
        swap_at: [Instant::at(0); 64],
    };

    /// What these touches amount to.
    pub(super) fn of<'a>(touches: impl Iterator<Item = &'a Touch>) -> Self {
        let mut trail = Self::NONE;
        for touch in touches {
            trail.add(touch.at, touch.square, touch.placed, touch.swapped);
        }
        trail
    }

    /// Adds a touch. `swapped` says of a square that was placed on whether it was empty for long enough before.
    pub(super) fn add(&mut self, at: Instant, square: Square, placed: bool, swapped: bool) {
        let set_of = Bitboard::of(square);
        if placed {
            if swapped && self.lifted.has(square) {
                self.swapped_again |= self.swapped & set_of;
                self.swapped |= set_of;
                set(&mut self.swap_at, square, at);
            }
            if !self.placed.has(square) {
                set(&mut self.first_place_at, square, at);
            }
            set(&mut self.place_at, square, at);
            self.placed_again |= self.placed & set_of;
            self.placed |= set_of;
        } else {
            if !self.lifted.has(square) {
                set(&mut self.first_lift_at, square, at);
            }
            set(&mut self.lift_at, square, at);
            self.lifted |= set_of;
        }
    }

    pub(super) fn first_lift_of(&self, square: Square) -> Instant {
        get(&self.first_lift_at, square)
    }

    pub(super) fn lift_of(&self, square: Square) -> Instant {
        get(&self.lift_at, square)
    }

    pub(super) fn first_place_of(&self, square: Square) -> Instant {
        get(&self.first_place_at, square)
    }

    pub(super) fn place_of(&self, square: Square) -> Instant {
        get(&self.place_at, square)
    }

    /// When a square was touched last.
    pub(super) fn touch_of(&self, square: Square) -> Instant {
        self.lift_of(square).max(self.place_of(square))
    }

    pub(super) fn swap_of(&self, square: Square) -> Instant {
        get(&self.swap_at, square)
    }

    /// Whether a piece may have gone from one square to another: it cannot arrive before it leaves, nor while it stands where it was.
    pub(super) fn went(&self, from: Square, to: Square) -> bool {
        let arrived = self.place_of(to);
        let is_later = self.lifted.has(from) && self.placed.has(to) && arrived >= self.first_lift_of(from);
        is_later && !self.stood_on(from, arrived)
    }

    /// Whether something was placed on this square before that, and lifted from it only afterwards.
    pub(super) fn stood_on(&self, square: Square, then: Instant) -> bool {
        (self.placed & self.lifted).has(square) && self.place_of(square) < then && self.lift_of(square) > then
    }

    /// Whether something was placed on this square while the other one was empty.
    pub(super) fn placed_while_empty(&self, square: Square, other: Square) -> bool {
        let placed = self.place_of(square);
        self.placed.has(square) && placed > self.lift_of(other) && placed < self.place_of(other)
    }

    /// Whether this square was lifted from and placed on since then, in either order, and at least this long apart.
    pub(super) fn tapped_since(&self, square: Square, since: Instant, apart: u64) -> bool {
        let (lift, place) = (self.lift_of(square), self.place_of(square));
        self.touched_since(square, since) && lift.since(place).max(place.since(lift)) >= apart
    }

    /// Whether this square was lifted from and placed on since then, and so is what it was.
    pub(super) fn touched_since(&self, square: Square, since: Instant) -> bool {
        let later = |moment: Instant| moment > since;
        self.lifted.has(square)
            && self.placed.has(square)
            && later(self.lift_of(square))
            && later(self.place_of(square))
    }
}

fn get(times: &[Instant; 64], square: Square) -> Instant {
    times.get(usize::from(square.index())).copied().unwrap_or_default()
}

fn set(times: &mut [Instant; 64], square: Square, now: Instant) {
    if let Some(time) = times.get_mut(usize::from(square.index())) {
        *time = now;
    }
}
