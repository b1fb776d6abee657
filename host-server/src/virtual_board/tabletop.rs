use board::Instant;
use chess::{Bitboard, File, Position, Rank, Square};

use super::touch::Touch;
use super::wood::{Clumsy, Owner, Wood};
use crate::reeds::{Reeds, mix};

/// What is on the table: the wood with its pieces, and the reeds under it. It knows nothing of what reads them.
#[derive(Clone, Debug)]
pub(super) struct Tabletop {
    wood: Wood,
    reeds: Reeds,
    /// When somebody last touched something.
    touched: Instant,
}

/// The longest that a board waits for pieces to rest, with room to spare. Who was away for longer has missed nothing.
const PATIENCE: u64 = 10_000;

impl Tabletop {
    /// With all pieces as at the start of a game.
    pub(super) fn new(now: Instant) -> Self {
        Self::of(&Position::start(), now)
    }

    /// With the pieces of a position, each in its place.
    pub(super) fn of(position: &Position, now: Instant) -> Self {
        Self { wood: Wood::of(position), reeds: Reeds::default(), touched: now }
    }

    pub(super) const fn wood(&self) -> &Wood {
        &self.wood
    }

    /// What the reeds read now.
    pub(super) fn closed(&mut self, now: Instant) -> Bitboard {
        self.reeds.read(self.wood.occupied(), now)
    }

    /// Whether what reads the reeds may see something that it has not seen yet.
    pub(super) fn is_restless(&self, now: Instant) -> bool {
        !self.reeds.at_rest() || now.since(self.touched) < PATIENCE
    }

    /// Does what hands want done. Plugs are none of its business.
    pub(super) fn touch(&mut self, owner: Owner, touch: Touch, random: u64, now: Instant) -> Result<(), Clumsy> {
        match touch {
            Touch::Lift { hand, square } => self.wood.lift(owner, hand, square)?,
            Touch::Put { hand, square } => self.wood.put(owner, hand, square)?,
            Touch::PutAside { hand } => self.wood.put_aside(owner, hand)?,
            Touch::Take { hand, piece } => self.wood.take(owner, hand, piece)?,
            Touch::Slide { from, to } => {
                self.wood.slide(from, to)?;
                self.reeds.arrive(to, now);
            }
            Touch::SetUp => self.wood = Wood::set_up(),
            Touch::Clear => self.wood = Wood::cleared(),
            Touch::KnockOver => self.knock_over(random, now),
            Touch::Flicker { square } => self.reeds.flicker(square, random, now),
            Touch::Network { .. } | Touch::Power { .. } | Touch::Hints { .. } => return Ok(()),
        }
        self.touched = now;
        Ok(())
    }

    /// Somebody goes.
    pub(super) fn let_go(&mut self, owner: Owner, now: Instant) {
        self.wood.let_go(owner);
        self.touched = now;
    }

    /// A sleeve comes into the pieces: a few that stand next to each other are pushed aside or fall off the board, and
    /// those around them wobble.
    fn knock_over(&mut self, random: u64, now: Instant) {
        let standing: Vec<Square> = self.wood.occupied().squares().collect();
        let Some(&centre) = standing.get(pick(random, standing.len())) else { return };
        let near = |square: &Square| distance(*square, centre) <= 1;
        for (number, square) in (1..).zip(standing.into_iter().filter(near)) {
            let random = mix(random.wrapping_add(number));
            if square != centre && random.is_multiple_of(4) {
                self.reeds.knock(square, now);
                continue;
            }
            let free: Vec<Square> =
                Square::all().filter(|&to| distance(square, to) == 1 && self.wood.at(to).is_none()).collect();
            let to = free.get(pick(random >> 8, free.len() + 1));
            // Something stood there, and there is room where it goes.
            let _ = match to {
                Some(&to) => self.wood.slide(square, to).inspect(|()| self.reeds.arrive(to, now)),
                None => self.wood.tip_off(square),
            };
        }
    }
}

/// One of so many, or the first of none.
const fn pick(random: u64, count: usize) -> usize {
    match count {
        0 => 0,
        count => (random % count as u64) as usize,
    }
}

/// How many steps a king needs.
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
    fn a_lifted_piece_is_not_felt_and_a_slid_one_is_felt_on_its_way() {
        let mut table = Tabletop::new(at(0));
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
    fn it_is_restless_for_as_long_as_a_board_may_wait() {
        let mut table = Tabletop::new(at(0));
        assert!(table.is_restless(at(9_999)) && !table.is_restless(at(10_000)));
        table.touch(ME, Touch::Flicker { square: Square::E2 }, 5, at(50_000)).unwrap();
        assert!(table.is_restless(at(52_000)));
        // A touch that comes to nothing is none.
        let nothing = Touch::Lift { hand: 0, square: Square::E5 };
        assert_eq!(table.touch(ME, nothing, 0, at(90_000)), Err(Clumsy::Nothing(Square::E5)));
        table.closed(at(90_000));
        assert!(!table.is_restless(at(90_000)));
    }

    #[test]
    fn a_sleeve_changes_something_and_loses_no_piece() {
        for random in 0..2_000 {
            let mut table = Tabletop::new(at(0));
            table.touch(ME, Touch::KnockOver, mix(random), at(0)).unwrap();
            assert_ne!(*table.wood(), Wood::set_up(), "{random}");
            let (standing, beside) = (table.wood().occupied().count() as usize, table.wood().beside().count());
            assert_eq!(standing + beside, 32, "{random}");
            assert!(beside < 9, "{random}");
        }
        let mut table = Tabletop::new(at(0));
        table.touch(ME, Touch::Clear, 0, at(0)).unwrap();
        table.touch(ME, Touch::KnockOver, 1, at(0)).unwrap();
        assert_eq!(table.closed(at(1)), Bitboard::EMPTY);
    }
}
