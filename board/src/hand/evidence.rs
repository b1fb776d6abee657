//! What the recorded touches say about a footprint.

use chess::{Bitboard, Square};
use rules::Footprint;

use super::trail::Trail;

/// How certain it is that one piece has taken another's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swap {
    /// The square was empty for as long as a hand needs, or nothing had to be swapped.
    Certain,
    /// It was empty only briefly, but the capturing piece was seen sliding all the way to it.
    Pushed,
    /// It was empty only briefly.
    Doubtful,
}

impl Trail {
    /// Whether every square of a footprint was lifted from and placed on, in a possible order.
    ///
    /// It says nothing about what is occupied now, nor whether a captured piece was really swapped.
    pub(super) fn shows(&self, footprint: &Footprint) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let is_made = if footprint.places.has(to) {
            self.went(from, to)
        } else if footprint.places.any() {
            // The target only names the ply.
            footprint.lifts.without(self.lifted).is_empty()
        } else {
            // The piece does not arrive anywhere, so that it would be enough to lift it: the target must be tapped.
            self.lifted.has(from) && self.tapped_since(to, self.first_lift_of(from), 0)
        };
        is_made
            && footprint.other_lifts().without(self.lifted).is_empty()
            && footprint.other_places().without(self.placed).is_empty()
            && self.all_went_if_placed(sources(footprint), footprint.other_places())
            && footprint.captured.without(self.lifted).is_empty()
    }

    /// Whether the touches show a ply that was played elsewhere and is repeated here. A piece that stays need not be lifted.
    pub(super) fn shows_made(&self, footprint: &Footprint) -> bool {
        let Footprint { ply, lifts, places, captured, .. } = *footprint;
        if footprint.refills_start() || !places.has(ply.to()) {
            return places.without(self.placed).is_empty() && (lifts | captured).without(self.lifted).is_empty();
        }
        self.shows(footprint)
    }

    /// Whether the pieces that stand on new squares are those that this footprint brings there.
    pub(super) fn explains(&self, footprint: &Footprint, extra: Bitboard) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        (!extra.has(to) || self.went(from, to))
            && self.all_went_if_placed(sources(footprint), footprint.other_places() & extra)
    }

    /// Whether the captured piece has made room for the one that takes it.
    ///
    /// While a hand is in the air, a piece that only wobbles on its square looks like one that was pushed off by another. How
    /// long the square was empty distinguishes them, or a slider's steps on every square up to it.
    pub(super) fn swap(&self, footprint: &Footprint) -> Swap {
        let from = footprint.ply.from();
        let Some(to) = (footprint.captured & footprint.ends()).first() else { return Swap::Certain };
        if self.swapped.has(to) && self.swap_of(to) >= self.first_lift_of(from) {
            return Swap::Certain;
        }
        let steps = between(from, to);
        let slid = steps.any() && steps.squares().all(|step| self.touched_since(step, self.first_lift_of(from)));
        if slid { Swap::Pushed } else { Swap::Doubtful }
    }

    /// Whether the captured piece left and another one came to its square while nothing else was touched, and the piece that captures
    /// had been lifted before.
    pub(super) fn is_alone(&self, footprint: &Footprint) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        footprint.captured.has(to) && self.first_lift_of(from) <= self.first_lift_of(to)
    }

    /// Whether a footprint was undone by hand: each piece went back, and the captured one returned.
    pub(super) fn shows_undone(&self, footprint: &Footprint) -> bool {
        let is_named_only = footprint.places.any() && !footprint.places.has(footprint.ply.to());
        if is_named_only {
            let back = footprint.lifts | footprint.captured;
            return footprint.places.without(self.lifted).is_empty() && back.without(self.placed).is_empty();
        }
        let went_back = if footprint.refills_start() {
            footprint.places.without(self.lifted).is_empty()
        } else {
            self.went(footprint.ply.to(), footprint.ply.from())
        };
        went_back
            && self.all_went(footprint.other_places(), footprint.other_lifts())
            && footprint.captured.without(self.placed).is_empty()
    }

    /// Whether the second half of an undone capture was recorded, the captured piece being back already, and nothing else but
    /// squares that came and went, as over a weak magnet.
    pub(super) fn shows_rest_of_undone(&self, footprint: &Footprint) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let way = between(from, to) | from.into();
        let wobbled = (self.lifted & self.placed).without(self.swapped);
        self.placed.has(from) && (self.lifted | self.placed).without(way | wobbled).is_empty()
    }

    /// Whether pieces may have gone from all of these squares to all of those.
    fn all_went(&self, from: Bitboard, to: Bitboard) -> bool {
        from.without(self.lifted).is_empty() && to.without(self.placed).is_empty() && self.all_went_if_placed(from, to)
    }

    /// Whether each of these squares was placed on after some piece had left one of those.
    fn all_went_if_placed(&self, from: Bitboard, to: Bitboard) -> bool {
        to.squares().all(|to| from.squares().any(|from| self.went(from, to)))
    }
}

/// Where the other pieces of a footprint may come from. If there are not enough of them, the piece of the ply itself goes elsewhere than to its
/// target, as another piece after a promotion.
fn sources(footprint: &Footprint) -> Bitboard {
    let others = footprint.other_lifts();
    if footprint.other_places().count() <= others.count() { others } else { footprint.lifts }
}

/// Every square that a footprint touches, with those that a slider passes.
pub(super) fn squares(footprint: &Footprint) -> Bitboard {
    let passed = footprint.companion().map_or(Bitboard::EMPTY, |(from, to)| between(from, to));
    between(footprint.ply.from(), footprint.ply.to()) | passed | footprint.lifts | footprint.places | footprint.captured
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

/// Whether two squares touch each other: a piece slides from one to the other in a moment.
pub(super) fn is_beside(one: Square, other: Square) -> bool {
    let files = one.file().index().abs_diff(other.file().index());
    let ranks = one.rank().index().abs_diff(other.rank().index());
    files.max(ranks) == 1
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
}
