//! The top of a virtual board: pieces, and the reeds under them.

use board::Instant;
use chess::{Bitboard, File, Position, Rank, Square};

use super::pieces::{Owner, Pieces, TouchError};
use super::touch::Touch;
use crate::random::splitmix64;
use crate::reeds::Reeds;

/// Pieces and reeds. It has no power: the machine only reads the reeds.
#[derive(Clone, Debug)]
pub(super) struct BoardSurface {
    pieces: Pieces,
    reeds: Reeds,
    /// Time of the last command.
    touched: Instant,
}

/// Longer than each time in milliseconds that the board waits for pieces to rest. The reeds are scanned for this time after the
/// last command.
const SCAN_TIME_MS: u64 = 10_000;

impl BoardSurface {
    /// The start position.
    pub(super) fn new(now: Instant) -> Self {
        Self::of(&Position::start(), now)
    }

    pub(super) fn of(position: &Position, now: Instant) -> Self {
        Self { pieces: Pieces::of(position), reeds: Reeds::default(), touched: now }
    }

    pub(super) const fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The squares whose reeds are closed.
    pub(super) fn closed(&mut self, now: Instant) -> Bitboard {
        self.reeds.read(self.pieces.occupied(), now)
    }

    /// Whether the reeds must be scanned: they may change, or the board may still wait for pieces to rest.
    pub(super) fn is_restless(&self, now: Instant) -> bool {
        !self.reeds.at_rest() || now.since(self.touched) < SCAN_TIME_MS
    }

    /// Executes a command for pieces. The task handles plugs, hints and the computer.
    pub(super) fn touch(&mut self, owner: Owner, touch: Touch, random: u64, now: Instant) -> Result<(), TouchError> {
        match touch {
            Touch::Lift { hand, square } => self.pieces.lift(owner, hand, square)?,
            Touch::Put { hand, square } => self.pieces.put(owner, hand, square)?,
            Touch::PutAside { hand } => self.pieces.put_aside(owner, hand)?,
            Touch::Take { hand, piece } => self.pieces.take(owner, hand, piece)?,
            Touch::Slide { from, to } => {
                self.pieces.slide(from, to)?;
                self.reeds.arrive(to, now);
            }
            Touch::SetUp => self.pieces = Pieces::set_up(),
            Touch::Clear => self.pieces = Pieces::cleared(),
            Touch::KnockOver => self.knock_over(random, now),
            Touch::Flicker { square } => self.reeds.flicker(square, random, now),
            Touch::Network { .. }
            | Touch::Power { .. }
            | Touch::Hints { .. }
            | Touch::Pace { .. }
            | Touch::Computer { .. } => return Ok(()),
        }
        self.touched = now;
        Ok(())
    }

    /// Puts the pieces of a disconnected browser back.
    pub(super) fn let_go(&mut self, owner: Owner, now: Instant) {
        self.pieces.let_go(owner);
        self.touched = now;
    }

    /// Disturbs adjacent pieces at a random place: some slide to a free square or fall off the board, some only wobble.
    fn knock_over(&mut self, random: u64, now: Instant) {
        let standing: Vec<Square> = self.pieces.occupied().squares().collect();
        let Some(&centre) = standing.get(pick(random, standing.len())) else { return };
        let near = |square: &Square| distance(*square, centre) <= 1;
        for (number, square) in (1..).zip(standing.into_iter().filter(near)) {
            let random = splitmix64(random.wrapping_add(number));
            if square != centre && random.is_multiple_of(4) {
                self.reeds.first_frame(square, now);
                continue;
            }
            let free: Vec<Square> =
                Square::all().filter(|&to| distance(square, to) == 1 && self.pieces.at(to).is_none()).collect();
            let to = free.get(pick(random >> 8, free.len() + 1));
            // The square is occupied, and the target is free.
            let _ = match to {
                Some(&to) => self.pieces.slide(square, to).inspect(|()| self.reeds.arrive(to, now)),
                None => self.pieces.remove(square),
            };
        }
    }
}

/// A random index; 0 for an empty list.
const fn pick(random: u64, count: usize) -> usize {
    match count {
        0 => 0,
        count => (random % count as u64) as usize,
    }
}

/// Chebyshev distance, in king moves.
fn distance(one: Square, other: Square) -> u8 {
    let (file, rank) = (|square: Square| File::index(square.file()), |square: Square| Rank::index(square.rank()));
    file(one).abs_diff(file(other)).max(rank(one).abs_diff(rank(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: Owner = 1;

    fn at(milliseconds: u64) -> Instant {
        Instant::at(milliseconds)
    }

    #[test]
    fn a_lifted_piece_opens_reeds_and_a_sliding_one_closes_those_on_its_way() {
        let mut table = BoardSurface::new(at(0));
        let start = table.closed(at(0));
        table.touch(ME, Touch::Lift { hand: 0, square: Square::E2 }, 0, at(10)).unwrap();
        assert_eq!(table.closed(at(10)), start.without(Square::E2.into()));
        table.touch(ME, Touch::Put { hand: 0, square: Square::E2 }, 0, at(20)).unwrap();
        table.touch(ME, Touch::Slide { from: Square::E2, to: Square::E3 }, 0, at(30)).unwrap();
        let between = start.without(Square::E2.into());
        assert_eq!((table.closed(at(30)), table.closed(at(44))), (between, between));
        assert_eq!(table.closed(at(45)), between | Square::E3.into());
    }

    #[test]
    fn stays_busy_for_the_longest_wait_of_the_board() {
        let mut table = BoardSurface::new(at(0));
        assert!(table.is_restless(at(9_999)) && !table.is_restless(at(10_000)));
        table.touch(ME, Touch::Flicker { square: Square::E2 }, 5, at(50_000)).unwrap();
        assert!(table.is_restless(at(52_000)));
        // A touch that comes to nothing is none.
        let nothing = Touch::Lift { hand: 0, square: Square::E5 };
        assert_eq!(table.touch(ME, nothing, 0, at(90_000)), Err(TouchError::Nothing(Square::E5)));
        table.closed(at(90_000));
        assert!(!table.is_restless(at(90_000)));
    }

    #[test]
    fn a_knock_displaces_pieces_and_loses_none() {
        for random in 0..2_000 {
            let mut table = BoardSurface::new(at(0));
            table.touch(ME, Touch::KnockOver, splitmix64(random), at(0)).unwrap();
            assert_ne!(*table.pieces(), Pieces::set_up(), "{random}");
            let (standing, beside) = (table.pieces().occupied().count() as usize, table.pieces().beside().count());
            assert_eq!(standing + beside, 32, "{random}");
            assert!(beside < 9, "{random}");
        }
        let mut table = BoardSurface::new(at(0));
        table.touch(ME, Touch::Clear, 0, at(0)).unwrap();
        table.touch(ME, Touch::KnockOver, 1, at(0)).unwrap();
        assert_eq!(table.closed(at(1)), Bitboard::EMPTY);
    }
}
