//! Simulates reed switches under the pieces of a virtual board, with bounce and weak magnets.

use board::Instant;
use chess::{Bitboard, Square};

use crate::random::splitmix64;

/// Deviations of the reeds from the magnets above them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reeds {
    /// Reeds that stay open until a time.
    open: Vec<(Square, Instant)>,
    /// Reeds with a weak magnet.
    flickering: Vec<Flicker>,
}

#[derive(Clone, Copy, Debug)]
struct Flicker {
    square: Square,
    until: Instant,
    seed: u64,
}

/// Time in milliseconds in which a sliding piece closes no reed.
const SLIDE_MS: u64 = 15;
/// Time in milliseconds in which a knocked piece opens its reed: longer than bounce, shorter than a hand.
const KNOCK_MS: u64 = 40;
/// Time in milliseconds for which a reed flickers.
const FLICKER_MS: u64 = 3_000;
/// Shortest time in milliseconds between changes of a flickering reed.
const FLICKER_STEP_MS: u64 = 12;

impl Reeds {
    /// A piece slides to this square.
    pub(crate) fn arrive(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(SLIDE_MS)));
    }

    /// The piece on this square wobbles.
    pub(crate) fn first_frame(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(KNOCK_MS)));
    }

    /// The reed of this square flickers; `random` seeds the pattern.
    pub(crate) fn flicker(&mut self, square: Square, random: u64, now: Instant) {
        self.flickering.retain(|flicker| flicker.square != square);
        self.flickering.push(Flicker { square, until: now.after(FLICKER_MS), seed: random });
    }

    /// The closed reeds for magnets on these squares.
    pub(crate) fn read(&mut self, magnets: Bitboard, now: Instant) -> Bitboard {
        self.open.retain(|(_, until)| *until > now);
        self.flickering.retain(|flicker| flicker.until > now);
        let closed = self.open.iter().fold(magnets, |closed, (square, _)| closed.without(Bitboard::of(*square)));
        // A reed without a magnet stays open.
        let open = self.flickering.iter().filter(|flicker| flicker.is_open(now));
        open.fold(closed, |closed, flicker| closed.without(Bitboard::of(flicker.square)))
    }

    /// Whether the reeds equal the magnets.
    pub(crate) fn at_rest(&self) -> bool {
        self.open.is_empty() && self.flickering.is_empty()
    }
}

impl Flicker {
    /// Whether the reed is open although a magnet is there.
    fn is_open(&self, now: Instant) -> bool {
        splitmix64(self.seed ^ (now.milliseconds() / FLICKER_STEP_MS)) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knock_opens_a_reed_briefly() {
        let mut reeds = Reeds::default();
        let magnets = Bitboard::of(Square::E2) | Bitboard::of(Square::D2);
        assert_eq!(reeds.read(magnets, Instant::at(100)), magnets);
        reeds.first_frame(Square::E2, Instant::at(100));
        assert_eq!(reeds.read(magnets, Instant::at(100)), Square::D2.into());
        assert_eq!(reeds.read(magnets, Instant::at(139)), Square::D2.into());
        assert!(!reeds.at_rest());
        assert_eq!(reeds.read(magnets, Instant::at(140)), magnets);
        assert!(reeds.at_rest());
    }

    #[test]
    fn a_weak_magnet_flickers_for_some_seconds() {
        let mut reeds = Reeds::default();
        let magnets = Bitboard::of(Square::E2) | Bitboard::of(Square::D2);
        reeds.flicker(Square::E2, 7, Instant::at(100));
        let seen: Vec<Bitboard> = (100..3_099).map(|now| reeds.read(magnets, Instant::at(now))).collect();
        assert!(seen.contains(&magnets) && seen.contains(&Square::D2.into()));
        assert!(seen.iter().all(|closed| closed.has(Square::D2)));
        assert!(seen.windows(2).filter(|pair| pair[0] != pair[1]).count() > 50, "it flickers often");
        reeds.flicker(Square::E2, 7, Instant::at(100));
        let lifted = (100..3_099).map(|now| reeds.read(Square::D2.into(), Instant::at(now)));
        assert!(lifted.into_iter().all(|closed| closed == Square::D2.into()), "a reed without a magnet stays open");
        assert_eq!(reeds.read(magnets, Instant::at(3_100)), magnets);
        assert!(reeds.at_rest());
    }
}
