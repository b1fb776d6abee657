//! Both kings on centre squares end the game, as on DGT boards.

use chess::{Bitboard, Color, Square};

use super::trail::Trail;

/// The result that two kings in the centre show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingsResult {
    /// e4 and d5.
    WhiteWon,
    /// d4 and e5.
    BlackWon,
    /// e4 and e5, or d4 and d5.
    Draw,
}

impl KingsResult {
    /// The winner, unless it is a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWon => Some(Color::White),
            Self::BlackWon => Some(Color::Black),
            Self::Draw => None,
        }
    }
}

const PAIRS: [(Square, Square, KingsResult); 4] = [
    (Square::E4, Square::D5, KingsResult::WhiteWon),
    (Square::D4, Square::E5, KingsResult::BlackWon),
    (Square::E4, Square::E5, KingsResult::Draw),
    (Square::D4, Square::D5, KingsResult::Draw),
];

/// d4, e4, d5 and e5.
pub(crate) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The centre squares on which two kings show a result, on a board that should have these squares occupied and has those: first the square in
/// White's half, then the one in Black's. No touch is needed, so that it is known after a power cut, too.
pub(crate) fn in_centre(kings: Bitboard, right: Bitboard, occupied: Bitboard) -> Option<[Square; 2]> {
    PAIRS.into_iter().find_map(|(one, other, _)| {
        let centre = Bitboard::of(one) | Bitboard::of(other);
        (kings.without(centre).any() && occupied == (right.without(kings) | centre)).then_some([one, other])
    })
}

/// A king that moved to the centre less than this many milliseconds ago was on its way to show a result.
pub(crate) const ON_ITS_WAY: u64 = 10_000;

/// What two kings on centre squares mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKings {
    /// Both were put there: it is the result.
    Result(KingsResult),
    /// This king stood there already. The other one may have made an illegal move, so this one must be tapped.
    Doubtful(Bitboard),
}

/// The result that the kings show, if they do, on a board that should have these squares occupied and has those. `moved` is the target of
/// the last ply, if that was made just now: a king that has moved there counts as put there.
///
/// Two kings on neighbouring squares are never a legal position of chess, so this is never a move there. Under rules without royal pieces
/// there is no such sign.
pub(super) fn shown(
    kings: Bitboard,
    right: Bitboard,
    occupied: Bitboard,
    moved: Bitboard,
    trail: &Trail,
) -> Option<ShownKings> {
    PAIRS.into_iter().find_map(|(one, other, result)| {
        let centre = Bitboard::of(one) | Bitboard::of(other);
        let arrived = centre.without(kings);
        let left = kings.without(centre);
        // Where another piece stood, the king must have taken its place.
        let seen = trail.placed.without(right) | trail.swapped;
        let shown = occupied == (right.without(kings) | centre)
            && left.any()
            && left.without(trail.lifted).is_empty()
            && arrived.without(seen).is_empty();
        let untouched = (kings & centre).without(trail.lifted | moved);
        shown.then_some(if untouched.is_empty() { ShownKings::Result(result) } else { ShownKings::Doubtful(untouched) })
    })
}
