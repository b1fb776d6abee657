//! Magnets above reeds, for a board whose pieces only exist on a screen.

use board::Instant;
use chess::{Bitboard, Square};

/// What the reeds make of the magnets above them: a moment too late, or nothing for a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reeds {
    /// These are open until then, whatever is above them.
    open: Vec<(Square, Instant)>,
    /// These cannot make up their minds until then, each in its own way.
    flickering: Vec<Flicker>,
}

#[derive(Clone, Copy, Debug)]
struct Flicker {
    square: Square,
    until: Instant,
    seed: u64,
}

/// While a piece is pushed, its magnet is for a moment above no reed at all.
const BETWEEN_SQUARES: u64 = 15;
/// A piece that is knocked against leaves its reed for so long: too long for bounce, too short for a hand.
const KNOCK: u64 = 40;
/// A weak magnet keeps its reed in doubt for so long when somebody comes near it.
const FLICKER: u64 = 3_000;
/// A reed in doubt may change its mind after each such moment.
const DOUBT: u64 = 12;

impl Reeds {
    /// A piece is pushed to this square, and arrives there soon.
    pub(crate) fn arrive(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(BETWEEN_SQUARES)));
    }

    /// Somebody has knocked against the piece on this square.
    pub(crate) fn knock(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(KNOCK)));
    }

    /// The magnet at this square is one of those that a reed sometimes sees and sometimes does not. The random number is
    /// for how.
    pub(crate) fn flicker(&mut self, square: Square, random: u64, now: Instant) {
        self.flickering.retain(|flicker| flicker.square != square);
        self.flickering.push(Flicker { square, until: now.after(FLICKER), seed: random });
    }

    /// What they read now, with magnets above these squares.
    pub(crate) fn read(&mut self, magnets: Bitboard, now: Instant) -> Bitboard {
        self.open.retain(|(_, until)| *until > now);
        self.flickering.retain(|flicker| flicker.until > now);
        let closed = self.open.iter().fold(magnets, |closed, (square, _)| closed.without(Bitboard::of(*square)));
        // Where the magnet is gone, there is nothing to be in doubt about.
        let unseen = self.flickering.iter().filter(|flicker| flicker.is_unseen(now));
        unseen.fold(closed, |closed, flicker| closed.without(Bitboard::of(flicker.square)))
    }

    /// Whether they read what is above them.
    pub(crate) fn at_rest(&self) -> bool {
        self.open.is_empty() && self.flickering.is_empty()
    }
}

impl Flicker {
    /// Whether the reed misses the magnet.
    fn is_unseen(&self, now: Instant) -> bool {
        mix(self.seed ^ (now.milliseconds() / DOUBT)) & 1 == 1
    }
}

/// Makes of a number another one that has nothing to do with it, as far as anybody can see.
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knock_opens_a_reed_for_a_moment() {
        let mut reeds = Reeds::default();
        let magnets = Bitboard::of(Square::E2) | Bitboard::of(Square::D2);
        assert_eq!(reeds.read(magnets, Instant::at(100)), magnets);
        reeds.knock(Square::E2, Instant::at(100));
        assert_eq!(reeds.read(magnets, Instant::at(100)), Square::D2.into());
        assert_eq!(reeds.read(magnets, Instant::at(139)), Square::D2.into());
        assert!(!reeds.at_rest());
        assert_eq!(reeds.read(magnets, Instant::at(140)), magnets);
        assert!(reeds.at_rest());
    }

    #[test]
    fn a_weak_magnet_is_seen_and_not_seen_for_a_while() {
        let mut reeds = Reeds::default();
        let magnets = Bitboard::of(Square::E2) | Bitboard::of(Square::D2);
        reeds.flicker(Square::E2, 7, Instant::at(100));
        let seen: Vec<Bitboard> = (100..3_099).map(|now| reeds.read(magnets, Instant::at(now))).collect();
        assert!(seen.contains(&magnets) && seen.contains(&Square::D2.into()));
        assert!(seen.iter().all(|closed| closed.has(Square::D2)));
        assert!(seen.windows(2).filter(|pair| pair[0] != pair[1]).count() > 50, "it changes its mind often");
        reeds.flicker(Square::E2, 7, Instant::at(100));
        let lifted = (100..3_099).map(|now| reeds.read(Square::D2.into(), Instant::at(now)));
        assert!(lifted.into_iter().all(|closed| closed == Square::D2.into()), "nobody feels a magnet that is gone");
        assert_eq!(reeds.read(magnets, Instant::at(3_100)), magnets);
        assert!(reeds.at_rest());
    }
}
