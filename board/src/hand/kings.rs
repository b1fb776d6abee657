use chess::{Bitboard, Color, Position, Role, Square};

use super::trail::Trail;

/// What the kings say when they stand in the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingsResult {
    /// e4 and d5: White has won.
    WhiteWon,
    /// d4 and e5: Black has won.
    BlackWon,
    /// e4 and e5, or d4 and d5: a draw.
    Draw,
}

impl KingsResult {
    /// Who has won, if somebody has.
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

/// Where kings show a result.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The result that the kings show, if they do.
///
/// Kings that stand next to each other are never a position of chess, so this is never a move.
pub(super) fn result(position: &Position, occupied: Bitboard, trail: &Trail) -> Option<KingsResult> {
    let kings = position.of_role(Role::King);
    PAIRS.into_iter().find_map(|(one, other, result)| {
        let centre = Bitboard::of(one) | Bitboard::of(other);
        let arrived = centre.without(kings);
        let left = kings.without(centre);
        // Where another piece stood, the king must have taken its place.
        let seen = trail.placed.without(position.occupied()) | trail.swapped;
        let shown = occupied == (position.occupied().without(kings) | centre)
            && left.any()
            && left.without(trail.lifted).is_empty()
            && arrived.without(seen).is_empty();
        shown.then_some(result)
    })
}
