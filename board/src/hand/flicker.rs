use chess::{Bitboard, Square};

use crate::debounce::Scan;
use crate::time::Instant;

/// Notices squares that come and go while nobody touches them (a weak magnet, or a switch that goes bad), and stops
/// believing their shorter absences.
#[derive(Clone, Debug)]
pub(super) struct Flicker {
    /// How often each square has been gone for a moment lately.
    counts: [u8; 64],
    lift_at: [Instant; 64],
    place_at: [Instant; 64],
    /// When that was the last time.
    last: [Instant; 64],
    weak: Bitboard,
    /// Squares of weak pieces that are gone, but not for long enough to be believed.
    held: Bitboard,
}

/// An absence as short as this is no hand.
const MOMENT: u64 = 80;
/// A piece that has stood for less than this is still in somebody's hand, and wobbles.
const STANDS: u64 = 1000;
/// One that has stood for less than this only slides over a square, and leaves it as it came.
const PASSES: u64 = 300;
/// So many of them make a square suspicious.
const SUSPICIOUS: u8 = 3;
/// After so long without any, a square is trusted again.
const FORGIVEN: u64 = 30_000;

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

    /// What is to be believed of a scan.
    pub(super) fn soften(&mut self, scan: &Scan, now: Instant) -> Scan {
        if (scan.lifted | scan.placed | self.held).is_empty() {
            return *scan;
        }
        for square in scan.lifted {
            self.forgive(square, now);
            if let Some(at) = self.lift_at.get_mut(index(square)) {
                *at = now;
            }
        }
        for square in scan.placed {
            let stood = self.lift_of(square).since(self.place_of(square));
            if self.gone(square, now) < MOMENT && stood >= STANDS {
                self.count(square, now);
            }
            // What only flickered has stood there all the time.
            if !self.held.has(square)
                && let Some(at) = self.place_at.get_mut(index(square))
            {
                *at = now;
            }
        }
        let back = self.held & scan.placed;
        let stood = |square: &Square| self.lift_of(*square).since(self.place_of(*square)) >= PASSES;
        let doubted: Bitboard = (scan.lifted & self.weak).squares().filter(stood).collect();
        self.held = (self.held | doubted).without(back);
        let due: Bitboard = self.held.squares().filter(|&square| self.gone(square, now) >= MOMENT).collect();
        let lifted = scan.lifted.without(self.held) | due;
        self.held = self.held.without(due);
        Scan { lifted, placed: scan.placed.without(back), wavered: scan.wavered }
    }

    /// Whether a weak piece is gone, and it is not known yet whether a hand has it.
    pub(super) const fn is_unsure(&self) -> bool {
        self.held.any()
    }

    /// How long a square has been empty, or was until just now.
    pub(super) fn gone(&self, square: Square, now: Instant) -> u64 {
        now.since(self.lift_of(square))
    }

    /// How much longer a square has to be empty until that is no flicker.
    pub(super) fn moment_left(&self, square: Square, now: Instant) -> u64 {
        MOMENT.saturating_sub(self.gone(square, now))
    }

    /// When a square was last lifted from, whether or not that was believed then.
    pub(super) fn lift_of(&self, square: Square) -> Instant {
        self.lift_at.get(index(square)).copied().unwrap_or_default()
    }

    fn place_of(&self, square: Square) -> Instant {
        self.place_at.get(index(square)).copied().unwrap_or_default()
    }

    /// Trusts a square again that has not flickered for long, and one that was only about to be lifted.
    fn forgive(&mut self, square: Square, now: Instant) {
        let (Some(count), Some(last)) = (self.counts.get_mut(index(square)), self.last.get(index(square))) else {
            return;
        };
        if now.since(*last) > FORGIVEN {
            *count = 0;
            self.weak = self.weak.without(square.into());
        } else if now.since(*last) < MOMENT && !self.weak.has(square) {
            *count = count.saturating_sub(1);
        }
    }

    fn count(&mut self, square: Square, now: Instant) {
        let (Some(count), Some(last)) = (self.counts.get_mut(index(square)), self.last.get_mut(index(square))) else {
            return;
        };
        *last = now;
        *count = count.saturating_add(1);
        if *count >= SUSPICIOUS {
            self.weak |= square.into();
        }
    }
}

fn index(square: Square) -> usize {
    usize::from(square.index())
}
