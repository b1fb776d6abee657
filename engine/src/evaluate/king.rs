//! King safety: attack units of the enemy pieces, and the pawns around the king.

use chess::{Bitboard, Color, File, Piece, Position, Role, attacks};

use super::attack::Attacks;
use super::features::{DANGER, DANGER_UNITS, SHELTER, STORM};
use super::{Context, Sink, relative_rank, sign};

/// Units for a square from which a knight, bishop, rook or queen could give check without being captured.
const SAFE_CHECK: [u32; 4] = [5, 3, 5, 4];

/// Adds the danger that the pieces of `us` are to the enemy king.
pub(super) fn danger_to_their_king<S: Sink>(
    context: &Context<'_>,
    us: Color,
    ours: &Attacks,
    theirs: &Attacks,
    sink: &mut S,
) {
    // One attacker alone is no attack.
    if ours.attackers == 0 || ours.attackers == 1 && ours.queens.is_empty() {
        return;
    }
    let them = us.other();
    let king = context.king(them);
    let ring = attacks::king(king);
    // Squares before the king that only the king protects.
    let weak = ring & ours.all & !theirs.twice;
    let safe = !(context.position.of_color(us) | theirs.all) | weak & ours.twice;
    let diagonal = attacks::bishop(king, context.occupied);
    let straight = attacks::rook(king, context.occupied);
    let mut units = ours.units + 2 * (weak & ours.twice).count();
    for (checks, weight) in [
        (attacks::knight(king) & ours.knights, SAFE_CHECK[0]),
        (diagonal & ours.bishops, SAFE_CHECK[1]),
        (straight & ours.rooks, SAFE_CHECK[2]),
        ((diagonal | straight) & ours.queens, SAFE_CHECK[3]),
    ] {
        if (checks & safe).any() {
            units += weight;
        }
    }
    if ours.queens.is_empty() {
        units /= 2;
    }
    sink.add(DANGER + (units as usize).min(DANGER_UNITS - 1), sign(us));
}

/// Adds the pawns of both sides on the king's file and the files beside it.
pub(super) fn shelter<S: Sink>(position: &Position, us: Color, sink: &mut S) {
    let king = position.king(us);
    let sign = sign(us);
    let own = position.of(Piece::new(us, Role::Pawn));
    let theirs = position.of(Piece::new(us.other(), Role::Pawn));
    let front = in_front(king.rank().index(), us);
    // A king at the edge is sheltered by the three files nearest to it.
    let centre = king.file().index().clamp(1, 6);
    for index in [centre - 1, centre, centre + 1] {
        let file = Bitboard::file(File::from_index(index)) & front;
        let rank = |pawns: Bitboard| nearest(pawns & file, us).map_or(0, |pawn| relative_rank(pawn, us));
        let base = if index == king.file().index() { SHELTER[0] } else { SHELTER[1] };
        sink.add(base + rank(own), sign);
        sink.add(STORM + rank(theirs), sign);
    }
}

/// The king's rank and those before it.
fn in_front(rank: u8, us: Color) -> Bitboard {
    let shift = u32::from(rank) * 8;
    match us {
        Color::White => Bitboard(u64::MAX.wrapping_shl(shift)),
        Color::Black => Bitboard(u64::MAX.wrapping_shr(56_u32.wrapping_sub(shift))),
    }
}

/// The pawn nearest to the back rank of `us`.
fn nearest(pawns: Bitboard, us: Color) -> Option<chess::Square> {
    match us {
        Color::White => pawns.first(),
        Color::Black => {
            pawns.any().then(|| chess::Square::from_index(63_u32.wrapping_sub(pawns.0.leading_zeros()) as u8))
        }
    }
}
