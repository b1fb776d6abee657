//! Endgames that the linear sum misjudges: drawish material, and mate against a bare king.

use chess::{Bitboard, Color, Piece, Position, Role, Square};

use super::{FULL_PHASE, distance};
use crate::score::Pair;

/// Scale of an endgame score that counts in full.
const FULL_SCALE: i32 = 64;
const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// The score for White, tapered by the phase, with the endgame score scaled.
#[inline]
pub(super) fn taper(total: Pair, phase: i32, scale: i32) -> i32 {
    let endgame = total.endgame() * scale / FULL_SCALE;
    (total.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// The score for White with what is known about endgames.
pub(super) fn adjust(position: &Position, total: Pair, phase: i32) -> i32 {
    let strong = if total.endgame() >= 0 { Color::White } else { Color::Black };
    let score = taper(total, phase, scale(position, strong));
    score + mop_up(position, Color::White) - mop_up(position, Color::Black)
}

/// Material of a side without its pawns, in units of a third of a minor piece.
fn pieces(position: &Position, color: Color) -> u32 {
    let count = |role| position.of(Piece::new(color, role)).count();
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// The factor of the endgame score if this side is ahead, in 64ths.
pub(super) fn scale(position: &Position, strong: Color) -> i32 {
    let pawns = position.of_role(Role::Pawn);
    let bishops = position.of_role(Role::Bishop);
    let own_pawns = position.of(Piece::new(strong, Role::Pawn));
    if own_pawns.is_empty() {
        // Without pawns an advantage of a minor piece or less wins rarely, and two knights never.
        let (ours, theirs) = (pieces(position, strong), pieces(position, strong.other()));
        let knights_only = ours == 3 * position.of(Piece::new(strong, Role::Knight)).count();
        return if ours < 5 || knights_only && ours == 6 && pawns.is_empty() {
            0
        } else if ours <= theirs + 3 {
            10
        } else {
            FULL_SCALE
        };
    }
    let ours = bishops & position.of_color(strong);
    let theirs = bishops & position.of_color(strong.other());
    let is_opposite = ours.count() == 1 && theirs.count() == 1 && (ours & LIGHT).any() != (theirs & LIGHT).any();
    if is_opposite {
        let others = position.of_role(Role::Knight) | position.of_role(Role::Rook) | position.of_role(Role::Queen);
        return if others.is_empty() { 24 } else { 48 };
    }
    FULL_SCALE
}

/// A bonus for driving a bare king to the edge, or to the corner where bishop and knight can mate it.
fn mop_up(position: &Position, strong: Color) -> i32 {
    let weak = strong.other();
    if position.of_color(weak).several() || pieces(position, strong) < 5 || scale(position, strong) == 0 {
        return 0;
    }
    let (king, hunter) = (position.king(weak), position.king(strong));
    let own = |role| position.of(Piece::new(strong, role));
    let needs_corner = own(Role::Rook).is_empty() && own(Role::Queen).is_empty() && own(Role::Pawn).is_empty();
    let bishops = own(Role::Bishop);
    let edge = if needs_corner && bishops.any() && !(bishops & LIGHT).any() {
        corner_distance(king, [Square::A1, Square::H8])
    } else if needs_corner && bishops.any() && bishops.without(LIGHT).is_empty() {
        corner_distance(king, [Square::A8, Square::H1])
    } else {
        let from_edge = |index: u8| i32::from(index.min(7 - index));
        2 * (from_edge(king.index() & 7) + from_edge(king.index() >> 3))
    };
    250 - 16 * edge - 8 * distance(king, hunter) as i32
}

fn corner_distance(king: Square, corners: [Square; 2]) -> i32 {
    let steps = |corner: Square| {
        let files = (king.index() & 7).abs_diff(corner.index() & 7);
        let ranks = (king.index() >> 3).abs_diff(corner.index() >> 3);
        i32::from(files + ranks)
    };
    let [one, other] = corners;
    steps(one).min(steps(other))
}
