use chess::{Bitboard, Square};

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

/// A touch in eight bytes: its time above, then the square, and three bits; 0 for none.
#[derive(Clone, Copy, Debug)]
struct Packed(u64);

const PLACED: u64 = 1;
const SWAPPED: u64 = 2;
const COUNTS: u64 = 4;
const PRESENT: u64 = 8;

impl Packed {
    const NONE: Self = Self(0);

    fn of(touch: &Touch) -> Self {
        let bit = |is: bool, bit: u64| if is { bit } else { 0 };
        let bits = bit(touch.placed, PLACED) | bit(touch.swapped, SWAPPED) | bit(touch.counts, COUNTS) | PRESENT;
        Self(touch.at.milliseconds() << 16 | u64::from(touch.square.index()) << 8 | bits)
    }

    fn touch(self) -> Option<Touch> {
        let has = |bit: u64| self.0 & bit != 0;
        has(PRESENT).then(|| Touch {
            at: Instant::at(self.0 >> 16),
            square: Square::from_index((self.0 >> 8) as u8 & 63),
            placed: has(PLACED),
            swapped: has(SWAPPED),
            counts: has(COUNTS),
        })
    }
}

/// So many touches are remembered: five quick moves with captures take less than half of them.
const REMEMBERED: usize = 64;

/// The last touches in the order of time. The [`Trail`] is what those that still count amount to.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    ring: [Packed; REMEMBERED],
    /// Where the next one goes.
    next: usize,
}

impl Touches {
    pub(super) const NONE: Self = Self { ring: [Packed::NONE; REMEMBERED], next: 0 };

    pub(super) fn add(&mut self, at: Instant, square: Square, placed: bool, swapped: bool) {
        if let Some(slot) = self.ring.get_mut(self.next) {
            *slot = Packed::of(&Touch { at, square, placed, swapped, counts: true });
        }
        self.next = if self.next < REMEMBERED.saturating_sub(1) { self.next.saturating_add(1) } else { 0 };
    }

    /// All of them, the oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Touch> {
        let (newer, older) = self.ring.split_at_checked(self.next).unwrap_or((&self.ring, &[]));
        older.iter().chain(newer).filter_map(|packed| packed.touch())
    }

    /// Those that still count, the oldest first.
    pub(super) fn counting(&self) -> impl DoubleEndedIterator<Item = Touch> {
        self.iter().filter(|touch| touch.counts)
    }

    /// Forgets all touches up to a moment, but for those of these squares.
    pub(super) fn forget(&mut self, until: Instant, but: Bitboard) {
        for packed in &mut self.ring {
            if packed.touch().is_some_and(|touch| touch.at <= until && !but.has(touch.square)) {
                packed.0 &= !COUNTS;
            }
        }
    }

    /// Lets all touches since a moment count again.
    pub(super) fn recall(&mut self, since: Instant) {
        for packed in &mut self.ring {
            if packed.touch().is_some_and(|touch| touch.at >= since) {
                packed.0 |= COUNTS;
            }
        }
    }

    /// What those that still count amount to.
    pub(super) fn trail(&self) -> Trail {
        Trail::of(self.counting())
    }
}
