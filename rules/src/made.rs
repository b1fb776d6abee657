use chess::Bitboard;

use crate::footprint::Footprint;
use crate::ply::Ply;

/// What a ply really does, for a board on which it is shown and repeated. It is worked out once, when the ply is played, because a device has no
/// time to walk the DNA of a piece of GMO chess again for every frame of light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// The ply as it was played.
    pub ply: Ply,
    /// Its footprint with what chance has made of it: its squares are those that the piece really goes to. Nothing has to be done where a piece
    /// stays as it is.
    pub footprint: Footprint,
    /// The squares at the left and the right edge of the board where the piece leaves it and comes back at the other side.
    pub edges: Bitboard,
    /// The squares with a piece that is not what it was before: it has another owner, or moves in another way.
    pub altered: Bitboard,
}

impl Made {
    /// A ply without such effects.
    pub(crate) const fn by(ply: Ply, footprint: Footprint) -> Self {
        Self { ply, footprint, edges: Bitboard::EMPTY, altered: Bitboard::EMPTY }
    }
}
