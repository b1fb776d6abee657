//! 64 reed switches, with their bounce, and magnets that may be too weak.

use std::collections::BinaryHeap;

use chess::{Bitboard, Square};

use super::chance::Chance;

/// Something happens to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// In milliseconds.
    pub at: u64,
    /// Where.
    pub square: Square,
    /// What.
    pub change: Change,
}

/// What happens to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The magnet above it goes away.
    Opens,
    /// A magnet comes.
    Closes(Magnet),
}

/// What is under a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnet {
    /// It holds the switch for as long as it stands there.
    Sound,
    /// It lets go of the switch now and then.
    Weak,
}

/// Where the piece with the weak magnet stands after these touches, in the order of time.
#[must_use]
pub fn weak_after(weak: Option<Square>, touches: &[Touch]) -> Option<Square> {
    touches.iter().fold(weak, |weak, touch| match touch.change {
        Change::Closes(Magnet::Weak) => Some(touch.square),
        Change::Opens => weak.filter(|&at| at != touch.square),
        Change::Closes(Magnet::Sound) => weak,
    })
}

/// Touches are taken in the order of time, the earliest first, and among those of one moment as they were made.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Due(Touch, u64);

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (other.0.at, other.1).cmp(&(self.0.at, self.1))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The switches, and what will happen to them.
pub struct Reeds {
    closed: Bitboard,
    /// Squares on which a contact is bouncing, until when.
    bouncing: Vec<(Square, u64)>,
    due: BinaryHeap<Due>,
    made: u64,
    /// Where a piece with a weak magnet stands, if there is one on the board.
    weak: Option<Square>,
    /// The weak magnet lets go of the switch until then.
    weak_until: u64,
    /// How often it has done that.
    flickers: u64,
}

/// A weak magnet lets go about once in so many milliseconds.
const WEAK_EVERY: u64 = 2500;

impl Reeds {
    /// Switches that look like this.
    #[must_use]
    pub fn new(closed: Bitboard, weak: Option<Square>) -> Self {
        Self { closed, bouncing: Vec::new(), due: BinaryHeap::new(), made: 0, weak, weak_until: 0, flickers: 0 }
    }

    /// Something will happen.
    pub fn expect(&mut self, touch: Touch) {
        self.due.push(Due(touch, self.made));
        self.made += 1;
    }

    /// Whether nothing will happen any more, but for flicker.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.due.is_empty() && self.bouncing.is_empty()
    }

    /// How often a weak magnet has let go of its switch.
    #[must_use]
    pub const fn flickers(&self) -> u64 {
        self.flickers
    }

    /// What a scan at this moment reads.
    pub fn scan(&mut self, now: u64, chance: &mut Chance) -> Bitboard {
        while let Some(Due(touch, _)) = self.due.peek().copied().filter(|due| due.0.at <= now) {
            self.due.pop();
            self.take(touch);
            // A reed bounces for half a millisecond to a bit more than one.
            self.bouncing.push((touch.square, now + chance.within(0..=2)));
        }
        let mut read = self.closed;
        if !self.bouncing.is_empty() {
            for &(square, _) in &self.bouncing {
                if chance.happens(500) {
                    read ^= Bitboard::of(square);
                }
            }
            self.bouncing.retain(|&(_, until)| until > now);
        }
        if let Some(square) = self.weak {
            if now < self.weak_until {
                read = read.without(square.into());
            } else if chance.number().is_multiple_of(WEAK_EVERY) {
                self.weak_until = now + chance.within(3..=70);
                self.flickers += 1;
            }
        }
        read
    }

    fn take(&mut self, touch: Touch) {
        let one = Bitboard::of(touch.square);
        self.closed = match touch.change {
            Change::Opens => self.closed.without(one),
            Change::Closes(_) => self.closed | one,
        };
        self.weak = weak_after(self.weak, &[touch]);
    }
}
