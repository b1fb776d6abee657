//! 64 simulated reed switches with bounce and weak magnets.

use std::collections::BinaryHeap;

use chess::{Bitboard, Square};

use crate::random::Random;

/// A change of the magnet over a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ReedEvent {
    /// In milliseconds.
    pub at: u64,
    pub square: Square,
    pub change: Contact,
}

/// The change of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// The magnet leaves.
    Opens,
    /// A magnet arrives.
    Closes(Magnet),
}

/// The magnet of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnet {
    /// Keeps the switch closed.
    Strong,
    /// Releases the switch now and then.
    Weak,
}

/// The square of the piece with the weak magnet after these touches.
#[must_use]
pub fn weak_after(weak: Option<Square>, touches: &[ReedEvent]) -> Option<Square> {
    touches.iter().fold(weak, |weak, touch| match touch.change {
        Contact::Closes(Magnet::Weak) => Some(touch.square),
        Contact::Opens => weak.filter(|&at| at != touch.square),
        Contact::Closes(Magnet::Strong) => weak,
    })
}

/// Touches are taken in the order of time, the earliest first, and among those of one moment as they were made.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Due(ReedEvent, u64);

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

/// The switches with scheduled changes.
pub struct BouncingReeds {
    closed: Bitboard,
    /// Bouncing contacts, and the end of each bounce.
    bouncing: Vec<(Square, u64)>,
    due: BinaryHeap<Due>,
    made: u64,
    /// The square of the piece with the weak magnet.
    weak: Option<Square>,
    /// The end of the current release of the weak magnet.
    weak_until: u64,
    /// Number of releases.
    flickers: u64,
}

/// Average time between releases of a weak magnet, in milliseconds.
const WEAK_EVERY: u64 = 2500;

impl BouncingReeds {
    /// Switches with these contacts closed.
    #[must_use]
    pub fn new(closed: Bitboard, weak: Option<Square>) -> Self {
        Self { closed, bouncing: Vec::new(), due: BinaryHeap::new(), made: 0, weak, weak_until: 0, flickers: 0 }
    }

    /// Schedules a change.
    pub fn expect(&mut self, touch: ReedEvent) {
        self.due.push(Due(touch, self.made));
        self.made += 1;
    }

    /// Whether no change is scheduled and no contact bounces.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.due.is_empty() && self.bouncing.is_empty()
    }

    /// Times that a weak magnet has released its switch.
    #[must_use]
    pub const fn flickers(&self) -> u64 {
        self.flickers
    }

    /// The contacts that a scan reads now.
    pub fn scan(&mut self, now: u64, random: &mut Random) -> Bitboard {
        while let Some(Due(touch, _)) = self.due.peek().copied().filter(|due| due.0.at <= now) {
            self.due.pop();
            self.take(touch);
            // A reed bounces for half a millisecond to a bit more than one.
            self.bouncing.push((touch.square, now + random.within(0..=2)));
        }
        let mut read = self.closed;
        if !self.bouncing.is_empty() {
            for &(square, _) in &self.bouncing {
                if random.happens(500) {
                    read ^= Bitboard::of(square);
                }
            }
            self.bouncing.retain(|&(_, until)| until > now);
        }
        if let Some(square) = self.weak {
            if now < self.weak_until {
                read = read.without(square.into());
            } else if random.number().is_multiple_of(WEAK_EVERY) {
                self.weak_until = now + random.within(3..=70);
                self.flickers += 1;
            }
        }
        read
    }

    fn take(&mut self, touch: ReedEvent) {
        let one = Bitboard::of(touch.square);
        self.closed = match touch.change {
            Contact::Opens => self.closed.without(one),
            Contact::Closes(_) => self.closed | one,
        };
        self.weak = weak_after(self.weak, &[touch]);
    }
}
