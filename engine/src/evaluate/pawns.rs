//! Pawn structure, with a cache, and passed pawns.

use chess::{Bitboard, Color, File, Piece, Position, Role, Square};

use super::attack::Attacks;
use super::features::{
    BACKWARD, CONNECTED, DOUBLED, ISOLATED, PASSED, PASSED_BLOCKED, PASSED_FREE, PASSED_OWN_KING, PASSED_PROTECTED,
    PASSED_THEIR_KING,
};
use super::king::shelter;
use super::{Context, Sink, Total, distance, relative_rank, sign};
use crate::masked::Masked;
use crate::score::Pair;

/// The part of an evaluation that depends on the pawns alone.
#[derive(Clone, Copy)]
pub(crate) struct PawnTerms {
    pub(super) score: Pair,
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    terms: PawnTerms,
    /// The squares of both kings for which the shelter was computed.
    kings: [Square; 2],
    shelter: [Pair; 2],
}

/// A hash of the pawns of both sides.
pub(crate) fn pawn_hash(position: &Position) -> u64 {
    let [white, black] = Color::ALL.map(|color| position.of(Piece::new(color, Role::Pawn)).0);
    let hash = (white ^ white >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (black ^ black >> 32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(23);
    hash.wrapping_mul(0x1656_67b1_9e37_79f9)
}

/// Recent pawn structures: pawns move rarely, so most evaluations find theirs here.
pub(crate) struct PawnCache(Masked<Entry, 512>);

impl PawnCache {
    pub(crate) const fn new() -> Self {
        Self(Masked::new(
            [Entry {
                key: 0,
                terms: PawnTerms { score: Pair::ZERO, passed: Bitboard::EMPTY },
                kings: [Square::A1; 2],
                shelter: [Pair::ZERO; 2],
            }; 512],
        ))
    }

    pub(super) fn probe(&mut self, position: &Position) -> PawnTerms {
        let hash = pawn_hash(position);
        // 0 is the key of an entry without content.
        let key = (hash >> 32) as u32 | 1;
        let entry = &mut self.0[(key >> 23) as usize ^ hash as usize];
        let kings = Color::ALL.map(|color| position.king(color));
        if entry.key != key {
            let mut total = Total(Pair::ZERO);
            let passed = add_pawn_features(position, &mut total);
            entry.key = key;
            entry.terms = PawnTerms { score: total.0, passed };
            // Two kings on one square: none of the shelters is known.
            entry.kings = [kings[1], kings[0]];
        }
        let sides = Color::ALL.into_iter().zip(kings).zip(&mut entry.kings).zip(&mut entry.shelter);
        for (((us, king), known), score) in sides {
            if *known != king {
                let mut total = Total(Pair::ZERO);
                shelter(position, us, &mut total);
                (*known, *score) = (king, total.0);
            }
        }
        PawnTerms { score: entry.terms.score + entry.shelter[0] + entry.shelter[1], passed: entry.terms.passed }
    }
}

/// Adds the features of all pawns, and returns those that are passed.
pub(super) fn add_pawn_features<S: Sink>(position: &Position, sink: &mut S) -> Bitboard {
    let mut all_passed = Bitboard::EMPTY;
    for us in Color::ALL {
        let sign = sign(us);
        let own = position.of(Piece::new(us, Role::Pawn));
        let theirs = position.of(Piece::new(us.other(), Role::Pawn));
        let own_attacks = chess::attacks::pawns(us, own);
        let their_attacks = chess::attacks::pawns(us.other(), theirs);
        // The squares behind own pawns, and those on the files beside them.
        let behind = fill(shifted(own, us.other()), us.other());
        let files = fill(own, us) | behind;
        let beside = sideways(files);
        let doubled = own & behind;
        let connected = own & (own_attacks | sideways(own));
        let isolated = own.without(beside);
        // No neighbour is beside or behind it, and an enemy pawn guards the next square.
        let supportable = sideways(fill(own, us));
        let backward = own.without(connected | isolated | supportable) & shifted(their_attacks, us.other());
        // Squares that enemy pawns pass or attack on their way.
        let guarded = {
            let way = fill(shifted(theirs, us.other()), us.other());
            way | sideways(way)
        };
        let passed = own.without(guarded | doubled);
        for pawn in connected {
            sink.add(CONNECTED + relative_rank(pawn, us), sign);
        }
        for pawn in passed {
            sink.add(PASSED + relative_rank(pawn, us), sign);
        }
        let mut add = |feature, pawns: Bitboard| {
            if pawns.any() {
                sink.add(feature, sign * pawns.count() as i32);
            }
        };
        add(ISOLATED, isolated);
        add(DOUBLED, doubled);
        add(BACKWARD, backward);
        add(PASSED_PROTECTED, passed & own_attacks);
        all_passed |= passed;
    }
    all_passed
}

/// One step forward, as `us` moves.
fn shifted(pawns: Bitboard, us: Color) -> Bitboard {
    match us {
        Color::White => Bitboard(pawns.0 << 8),
        Color::Black => Bitboard(pawns.0 >> 8),
    }
}

/// The squares and all before them, as `us` moves.
fn fill(Bitboard(mut pawns): Bitboard, us: Color) -> Bitboard {
    match us {
        Color::White => {
            pawns |= pawns << 8;
            pawns |= pawns << 16;
            pawns |= pawns << 32;
        }
        Color::Black => {
            pawns |= pawns >> 8;
            pawns |= pawns >> 16;
            pawns |= pawns >> 32;
        }
    }
    Bitboard(pawns)
}

/// The squares to the left and to the right.
fn sideways(squares: Bitboard) -> Bitboard {
    Bitboard(squares.without(H).0 << 1 | squares.without(A).0 >> 1)
}

/// Adds how far the passed pawns of `us` can go.
pub(super) fn passed_pawns<S: Sink>(
    context: &Context<'_>,
    us: Color,
    passed: Bitboard,
    theirs: &Attacks,
    sink: &mut S,
) {
    let sign = sign(us);
    for pawn in passed & context.position.of_color(us) {
        let rank = relative_rank(pawn, us);
        let next = step(pawn, us);
        if rank >= 3 {
            sink.add(PASSED_OWN_KING + distance(context.king(us), next), sign);
            sink.add(PASSED_THEIR_KING + distance(context.king(us.other()), next), sign);
        }
        let way = forward(pawn, us) & Bitboard::file(pawn.file());
        if (way & (context.occupied | theirs.all)).is_empty() {
            sink.add(PASSED_FREE + rank, sign);
        } else if context.position.of_color(us.other()).has(next) {
            sink.add(PASSED_BLOCKED + rank, sign);
        }
    }
}

const A: Bitboard = Bitboard::file(File::A);
const H: Bitboard = Bitboard::file(File::H);

/// The ranks before a square.
fn forward(square: Square, us: Color) -> Bitboard {
    let rank = u32::from(square.index() >> 3);
    match us {
        // Two shifts, since a shift by 64 is a shift by 0.
        Color::White => Bitboard((u64::MAX << 8).wrapping_shl(rank * 8)),
        Color::Black => Bitboard((u64::MAX >> 8).wrapping_shr((7 - rank) * 8)),
    }
}

/// The squares before a square on the files beside it: from there enemy pawns attack it or the squares before it.
pub(super) fn attack_span(square: Square, us: Color) -> Bitboard {
    forward(square, us) & sideways(Bitboard::file(square.file()))
}

/// The square before a pawn.
fn step(pawn: Square, us: Color) -> Square {
    match us {
        Color::White => Square::from_index(pawn.index().wrapping_add(8)),
        Color::Black => Square::from_index(pawn.index().wrapping_sub(8)),
    }
}
