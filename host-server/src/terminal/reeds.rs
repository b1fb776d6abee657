use board::Instant;
use chess::{Bitboard, Square};

/// What the reeds make of the magnets above them: a moment too late, or nothing for a moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Reeds {
    /// These are open until then, whatever is above them.
    open: Vec<(Square, Instant)>,
}

/// While a piece is pushed, its magnet is for a moment above no reed at all.
const BETWEEN_SQUARES: u64 = 15;
/// A piece that is knocked against leaves its reed for so long: too long for bounce, too short for a hand.
const KNOCK: u64 = 40;

impl Reeds {
    /// A piece is pushed to this square, and arrives there soon.
    pub(super) fn arrive(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(BETWEEN_SQUARES)));
    }

    /// Somebody has knocked against the piece on this square.
    pub(super) fn knock(&mut self, square: Square, now: Instant) {
        self.open.push((square, now.after(KNOCK)));
    }

    /// What they read now, with magnets above these squares.
    pub(super) fn read(&mut self, magnets: Bitboard, now: Instant) -> Bitboard {
        self.open.retain(|(_, until)| *until > now);
        self.open.iter().fold(magnets, |closed, (square, _)| closed.without(Bitboard::of(*square)))
    }

    /// Whether they read what is above them.
    pub(super) fn at_rest(&self) -> bool {
        self.open.is_empty()
    }
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
}
