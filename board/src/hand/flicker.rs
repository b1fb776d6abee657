use chess::{Bitboard, Square};

use super::timing::{FLICKER, PASSING, STANDING, TRUSTED_AGAIN};
use crate::debounce::Scan;
use crate::time::Instant;

/// Finds squares that open and close without being touched (a weak magnet, or a failing switch), and filters out their short
/// absences.
#[derive(Clone, Debug)]
pub(super) struct Flicker {
    /// How often each square has flickered lately.
    counts: [u8; 64],
    lift_at: [Instant; 64],
    place_at: [Instant; 64],
    /// When each square flickered last.
    last: [Instant; 64],
    weak: Bitboard,
    /// Weak squares that are open, but not for long enough to count as lifted.
    held: Bitboard,
}

/// A square that has flickered this often is weak.
const WEAK_COUNT: u8 = 3;

impl Flicker {
    pub(super) const NONE: Self = Self {
        counts: [0; 64],
        lift_at: [Instant::at(0); 64],
        place_at: [Instant::at(0); 64],
        last: [Instant::at(0); 64],
        weak: Bitboard::EMPTY,
        held: Bitboard::EMPTY,
    };

    pub(super) const fn weak(&self) -> Bitboard {
        self.weak
    }

    /// The scan without flicker: a lift from a weak square is delayed until it has lasted.
    pub(super) fn filter(&mut self, scan: &Scan, now: Instant) -> Scan {
        if (scan.lifted | scan.placed | self.held).is_empty() {
            return *scan;
        }
        for square in scan.lifted {
            self.trust_again(square, now);
            if let Some(at) = self.lift_at.get_mut(index(square)) {
                *at = now;
            }
        }
        for square in scan.placed {
            let stood = self.lift_of(square).since(self.place_of(square));
            if self.gone(square, now) < FLICKER && stood >= STANDING {
                self.count(square, now);
            }
            // A piece that only flickered has stood there all the time.
            if !self.held.has(square)
                && let Some(at) = self.place_at.get_mut(index(square))
            {
                *at = now;
            }
        }
        let back = self.held & scan.placed;
        let stood = |square: &Square| self.lift_of(*square).since(self.place_of(*square)) >= PASSING;
        let delayed: Bitboard = (scan.lifted & self.weak).squares().filter(stood).collect();
        self.held = (self.held | delayed).without(back);
        let due: Bitboard = self.held.squares().filter(|&square| self.gone(square, now) >= FLICKER).collect();
        let lifted = scan.lifted.without(self.held) | due;
        self.held = self.held.without(due);
        Scan { lifted, placed: scan.placed.without(back), wavered: scan.wavered }
    }

    /// Whether a weak square is open, and it is not known yet whether its piece was lifted.
    pub(super) const fn is_unsure(&self) -> bool {
        self.held.any()
    }

    /// Whether a square has opened and closed without being touched, as far as it is known, lately.
    pub(super) fn has_flickered(&self, square: Square) -> bool {
        self.counts.get(index(square)).is_some_and(|&count| count > 0)
    }

    /// How long a square has been empty, or was until just now.
    pub(super) fn gone(&self, square: Square, now: Instant) -> u64 {
        now.since(self.lift_of(square))
    }

    /// How much longer a square has to stay empty until it is no flicker.
    pub(super) fn flicker_left(&self, square: Square, now: Instant) -> u64 {
        FLICKER.saturating_sub(self.gone(square, now))
    }

    /// When a square was last lifted from, also if the lift was delayed.
    pub(super) fn lift_of(&self, square: Square) -> Instant {
        self.lift_at.get(index(square)).copied().unwrap_or_default()
    }

    fn place_of(&self, square: Square) -> Instant {
        self.place_at.get(index(square)).copied().unwrap_or_default()
    }

    /// Trusts a square again that has not flickered for long. A flicker right before a lift belonged to the lift, and is not counted.
    fn trust_again(&mut self, square: Square, now: Instant) {
        let (Some(count), Some(last)) = (self.counts.get_mut(index(square)), self.last.get(index(square))) else {
            return;
        };
        if now.since(*last) > TRUSTED_AGAIN {
            *count = 0;
            self.weak = self.weak.without(square.into());
        } else if now.since(*last) < FLICKER && !self.weak.has(square) {
            *count = count.saturating_sub(1);
        }
    }

    fn count(&mut self, square: Square, now: Instant) {
        let (Some(count), Some(last)) = (self.counts.get_mut(index(square)), self.last.get_mut(index(square))) else {
            return;
        };
        *last = now;
        *count = count.saturating_add(1);
        if *count >= WEAK_COUNT {
            self.weak |= square.into();
        }
    }
}

fn index(square: Square) -> usize {
    usize::from(square.index())
}
