use chess::{Bitboard, Move, Position, Square};

use super::trail::Trail;

/// What a move does to the reeds: what is occupied after it, and which pieces go from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) after: Bitboard,
    /// The piece that moves.
    pub(super) way: (Square, Square),
    /// The rook that castles with it.
    pub(super) rook: Option<(Square, Square)>,
    /// Where the piece stands that is taken.
    pub(super) victim: Option<Square>,
}

impl Footprint {
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        let (way, rook, victim) = ((mv.from(), mv.to()), position.castling_rook(mv), position.victim(mv));
        let gone = Bitboard::of(mv.from()) | rook.map_or(Bitboard::EMPTY, |(from, _)| from.into());
        let come = Bitboard::of(mv.to()) | rook.map_or(Bitboard::EMPTY, |(_, to)| to.into());
        let taken = victim.map_or(Bitboard::EMPTY, Bitboard::of);
        Self { after: position.occupied().without(gone | taken) | come, way, rook, victim }
    }

    /// The same move undone: each piece goes back, and the one that was taken returns.
    pub(super) fn undone(position: &Position, mv: Move) -> Undo {
        let done = Self::of(position, mv);
        Undo { after: position.occupied(), done }
    }

    /// Every square that has to do with it.
    pub(super) fn squares(&self) -> Bitboard {
        let all = |(from, to): (Square, Square)| between(from, to) | from.into() | to.into();
        all(self.way) | self.rook.map_or(Bitboard::EMPTY, all) | self.victim.map_or(Bitboard::EMPTY, Bitboard::of)
    }

    /// Whether the trail has all of it: every square that must be lifted from and placed on, in a possible order.
    ///
    /// It says nothing about what is occupied now, nor whether a captured piece was really swapped.
    pub(super) fn is_in(&self, trail: &Trail) -> bool {
        let (from, to) = self.way;
        trail.went(from, to)
            && self.rook.is_none_or(|(from, to)| trail.went(from, to))
            && self.victim.is_none_or(|victim| trail.lifted.has(victim))
    }

    /// Whether the pieces that stand where they did not before are the ones that this move brings there.
    pub(super) fn explains(&self, extra: Bitboard, trail: &Trail) -> bool {
        let arrived = |(from, to): (Square, Square)| !extra.has(to) || trail.went(from, to);
        arrived(self.way) && self.rook.is_none_or(arrived)
    }

    /// Whether the piece that is taken has been seen to make room for the one that takes it.
    ///
    /// When a hand is in the air, a piece that only wobbled on its square looks exactly like one that was pushed off by
    /// another. What tells them apart is how long the square was empty, or a slider's steps all the way up to it.
    pub(super) fn swap(&self, trail: &Trail) -> Swap {
        let (from, to) = self.way;
        if self.victim != Some(to) {
            return Swap::Certain;
        }
        if trail.swapped.has(to) && trail.swap_of(to) >= trail.first_lift_of(from) {
            return Swap::Certain;
        }
        let steps = between(from, to);
        let slid = steps.any() && steps.squares().all(|step| trail.touched_since(step, trail.first_lift_of(from)));
        if slid { Swap::Pushed } else { Swap::Doubtful }
    }
}

/// How sure it is that one piece has taken another's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swap {
    /// The square was empty for as long as hands need, or nothing had to be swapped.
    Certain,
    /// It was empty for a moment only, but the piece that takes came sliding all the way.
    Pushed,
    /// It was empty for a moment only.
    Doubtful,
}

/// A move undone by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undo {
    pub(super) after: Bitboard,
    done: Footprint,
}

impl Undo {
    /// Whether the trail has all of it.
    pub(super) fn is_in(&self, trail: &Trail) -> bool {
        let back = |(from, to): (Square, Square)| trail.went(to, from);
        back(self.done.way)
            && self.done.rook.is_none_or(back)
            && self.done.victim.is_none_or(|victim| trail.placed.has(victim))
    }

    /// Whether the trail has what is left when the piece that was taken is back already, and nothing else but what came
    /// and went, as a weak magnet does.
    pub(super) fn is_rest_of(&self, trail: &Trail) -> bool {
        let (from, to) = self.done.way;
        let on_its_way = between(from, to) | from.into();
        let wobbled = (trail.lifted & trail.placed).without(trail.swapped);
        trail.placed.has(from) && (trail.lifted | trail.placed).without(on_its_way | wobbled).is_empty()
    }
}

/// The squares strictly between two squares of one line; none if they are not on one.
pub(super) fn between(from: Square, to: Square) -> Bitboard {
    let Some((file_step, rank_step)) = direction(from, to) else { return Bitboard::EMPTY };
    let mut set = Bitboard::EMPTY;
    let mut square = from;
    // Seven steps lead from one edge of the board to the other.
    for _ in 0..7 {
        let Some(next) = step(square, file_step, rank_step) else { break };
        if next == to {
            return set;
        }
        set |= next.into();
        square = next;
    }
    Bitboard::EMPTY
}

/// Whether a piece that goes from one square to the third in a straight line passes the second.
pub(super) fn passes(from: Square, over: Square, to: Square) -> bool {
    between(from, to).has(over)
}

fn direction(from: Square, to: Square) -> Option<(i8, i8)> {
    let difference = |from: u8, to: u8| to.cast_signed().wrapping_sub(from.cast_signed());
    let files = difference(from.file().index(), to.file().index());
    let ranks = difference(from.rank().index(), to.rank().index());
    let straight = files == 0 || ranks == 0 || files.unsigned_abs() == ranks.unsigned_abs();
    (straight && from != to).then(|| (files.signum(), ranks.signum()))
}

fn step(square: Square, files: i8, ranks: i8) -> Option<Square> {
    let file = square.file().index().checked_add_signed(files).filter(|file| *file < 8)?;
    let rank = square.rank().index().checked_add_signed(ranks).filter(|rank| *rank < 8)?;
    Some(Square::new(chess::File::from_index(file), chess::Rank::from_index(rank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_between_two_squares_of_a_line() {
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        assert_eq!(between(Square::A1, Square::D4), set(&[Square::B2, Square::C3]));
        assert_eq!(between(Square::H8, Square::H5), set(&[Square::H7, Square::H6]));
        assert_eq!(between(Square::E2, Square::E4), set(&[Square::E3]));
        assert_eq!(between(Square::B1, Square::C3), Bitboard::EMPTY);
        assert_eq!(between(Square::E4, Square::E5), Bitboard::EMPTY);
        assert_eq!(between(Square::E4, Square::E4), Bitboard::EMPTY);
        assert!(passes(Square::A1, Square::A4, Square::A8) && !passes(Square::A1, Square::B4, Square::A8));
    }

    #[test]
    fn footprints_are_what_the_rules_make_of_the_board() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
        ] {
            let position: Position = fen.parse().expect(fen);
            for &mv in &position.legal_moves() {
                let next = position.play(mv).expect("legal");
                assert_eq!(Footprint::of(&position, mv).after, next.occupied(), "{mv}");
            }
        }
    }
}
