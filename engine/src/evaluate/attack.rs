//! Features of knights, bishops, rooks and queens: squares, mobility, files, outposts and threats.

use chess::{Bitboard, Color, Rank, Role, attacks};

use super::features::{
    BISHOP_PAIR, HANGING, MINOR_THREAT, MOBILITY, OUTPOST, PAWN_THREAT, ROOK_HALF_OPEN, ROOK_OPEN, ROOK_THREAT,
};
use super::{Context, Sink, sign};

/// What the pieces of one side attack.
pub(super) struct Attacks {
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    /// Everything, with pawns and king.
    pub(super) all: Bitboard,
    /// Squares that two or more pieces attack.
    pub(super) twice: Bitboard,
    /// Attack units against the enemy king: see `king.rs`.
    pub(super) units: u32,
    pub(super) attackers: u32,
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
const OUTPOST_RANKS: [Bitboard; 2] = [
    Bitboard(Bitboard::rank(Rank::Fourth).0 | Bitboard::rank(Rank::Fifth).0 | Bitboard::rank(Rank::Sixth).0),
    Bitboard(Bitboard::rank(Rank::Third).0 | Bitboard::rank(Rank::Fourth).0 | Bitboard::rank(Rank::Fifth).0),
];

/// Adds the features of one side's pieces, and returns what they attack.
pub(super) fn attacks_of_pieces<S: Sink>(context: &Context<'_>, us: Color, sink: &mut S) -> Attacks {
    let them = us.other();
    let sign = sign(us);
    let own_pawns = context.own(us, Role::Pawn);
    let their_pawns = context.own(them, Role::Pawn);
    let king = context.king(us);
    let king_attacks = attacks::king(king);
    let pawn_attacks = context.pawn_attacks(us);
    let ring = attacks::king(context.king(them)) | Bitboard::of(context.king(them));
    // Squares that count for mobility.
    let area = !(own_pawns | Bitboard::of(king) | context.pawn_attacks(them));
    let queens = context.own(us, Role::Queen);
    let rooks = context.own(us, Role::Rook);
    let outposts = pawn_attacks
        & match us {
            Color::White => OUTPOST_RANKS[0],
            Color::Black => OUTPOST_RANKS[1],
        };

    let mut side = Attacks {
        knights: Bitboard::EMPTY,
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        queens: Bitboard::EMPTY,
        all: pawn_attacks | king_attacks,
        twice: pawn_attacks & king_attacks,
        units: 0,
        attackers: 0,
    };

    let piece = |side: &mut Attacks, base: usize, reached: Bitboard, units: u32, sink: &mut S| {
        sink.add(base + (reached & area).count() as usize, sign);
        side.twice |= side.all & reached;
        side.all |= reached;
        let near = reached & ring;
        if near.any() {
            side.units += units + near.count();
            side.attackers += 1;
        }
    };

    for from in context.own(us, Role::Knight) {
        let reached = attacks::knight(from);
        side.knights |= reached;
        piece(&mut side, MOBILITY[0], reached, 2, sink);
        if outposts.has(from) && is_out_of_reach(from, us, their_pawns) {
            sink.add(OUTPOST[0], sign);
        }
    }
    let bishops = context.own(us, Role::Bishop);
    for from in bishops {
        // A bishop and a queen on one diagonal support each other, and so do rooks and queens on one line.
        let reached = attacks::bishop(from, context.occupied ^ queens);
        side.bishops |= reached;
        piece(&mut side, MOBILITY[1], reached, 2, sink);
        if outposts.has(from) && is_out_of_reach(from, us, their_pawns) {
            sink.add(OUTPOST[1], sign);
        }
    }
    if (bishops & LIGHT).any() && bishops.without(LIGHT).any() {
        sink.add(BISHOP_PAIR, sign);
    }
    for from in rooks {
        let reached = attacks::rook(from, context.occupied ^ queens ^ rooks);
        side.rooks |= reached;
        piece(&mut side, MOBILITY[2], reached, 3, sink);
        let file = Bitboard::file(from.file());
        if (file & own_pawns).is_empty() {
            sink.add(if (file & their_pawns).is_empty() { ROOK_OPEN } else { ROOK_HALF_OPEN }, sign);
        }
    }
    for from in queens {
        let reached = attacks::bishop(from, context.occupied) | attacks::rook(from, context.occupied);
        side.queens |= reached;
        piece(&mut side, MOBILITY[3], reached, 4, sink);
    }
    side
}

/// Whether no enemy pawn can ever attack this square.
fn is_out_of_reach(square: chess::Square, us: Color, their_pawns: Bitboard) -> bool {
    (super::pawns::attack_span(square, us) & their_pawns).is_empty()
}

/// Adds the threats of one side against the pieces of the other.
pub(super) fn threats<S: Sink>(context: &Context<'_>, us: Color, ours: &Attacks, theirs: &Attacks, sink: &mut S) {
    let them = us.other();
    let sign = sign(us);
    let enemies = context.position.of_color(them).without(context.own(them, Role::Pawn));
    let attacked = enemies & ours.all;
    if attacked.is_empty() {
        return;
    }
    let pawn_attacks = context.pawn_attacks(us);
    let minor_attacks = (ours.knights | ours.bishops).without(pawn_attacks);
    let mut by = |attacks: Bitboard, base: usize| {
        for square in enemies & attacks {
            if let Some(victim) = context.position.piece_at(square) {
                sink.add(base + victim.role() as usize, sign);
            }
        }
    };
    by(pawn_attacks, PAWN_THREAT);
    by(minor_attacks, MINOR_THREAT);
    by(ours.rooks.without(pawn_attacks | minor_attacks), ROOK_THREAT);
    let hanging = attacked.without(theirs.all);
    if hanging.any() {
        sink.add(HANGING, sign * hanging.count() as i32);
    }
}
