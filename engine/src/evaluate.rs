//! Static evaluation: a linear sum of features, tapered between middlegame and endgame.
//!
//! Every feature has an index and a weight in `weights.rs`. The search adds up weights; the tuner of `engine/bench` lists the
//! features of the same code (feature `tuning`), so that it tunes exactly what is played.

mod attack;
mod cache;
mod endings;
pub(crate) mod features;
mod king;
mod pawns;
mod placement;
mod weights;

use chess::{Bitboard, Color, Piece, Position, Role, Square};

use self::attack::{attacks_of_pieces, threats};
pub(crate) use self::cache::EvalCache;
use self::features::TEMPO;
use self::pawns::PawnTerms;
pub(crate) use self::pawns::{PawnCache, pawn_hash};
pub(crate) use self::placement::Placement;
use self::weights::WEIGHTS;
use crate::memory::SearchFrame;
use crate::score::Pair;

/// The sum of the phases of all pieces on the board at the start: minor pieces count 1, rooks 2, queens 4.
pub(crate) const FULL_PHASE: i32 = 24;

/// Receives the features of a position.
pub(crate) trait Sink {
    /// Adds a feature `count` times; features of Black have negative counts.
    fn add(&mut self, feature: usize, count: i32);
}

/// Adds up the weights of features.
pub(crate) struct Total(pub(crate) Pair);

impl Sink for Total {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.0 += WEIGHTS.get(feature).copied().unwrap_or(Pair::ZERO) * count;
    }
}

/// 1 for White, -1 for Black.
pub(crate) const fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// What the parts of the evaluation share about a position.
struct Context<'a> {
    position: &'a Position,
    occupied: Bitboard,
    /// Squares that the pawns of each side attack, White first.
    pawn_attacks: [Bitboard; 2],
    kings: [Square; 2],
}

impl<'a> Context<'a> {
    fn new(position: &'a Position) -> Self {
        let pawns = |color| chess::attacks::pawns(color, position.of(Piece::new(color, Role::Pawn)));
        Self {
            position,
            occupied: position.occupied(),
            pawn_attacks: Color::ALL.map(pawns),
            kings: Color::ALL.map(|color| position.king(color)),
        }
    }

    fn pawn_attacks(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.pawn_attacks[0],
            Color::Black => self.pawn_attacks[1],
        }
    }

    fn king(&self, color: Color) -> Square {
        match color {
            Color::White => self.kings[0],
            Color::Black => self.kings[1],
        }
    }

    fn own(&self, color: Color, role: Role) -> Bitboard {
        self.position.of(Piece::new(color, role))
    }
}

/// What evaluations of other positions have computed already.
pub(crate) struct Caches {
    pub(crate) pawns: PawnCache,
    pub(crate) scores: EvalCache,
}

impl Caches {
    pub(crate) const fn new() -> Self {
        Self { pawns: PawnCache::new(), scores: EvalCache::new() }
    }
}

/// Centipawns by which pieces, squares and pawns alone must be outside the window for the rest to be left out.
const LAZY_MARGIN: i32 = 280;

/// The score of a position for the side to move, in centipawns. Outside the window it may be less exact.
pub(crate) fn evaluate(frame: &SearchFrame, caches: &mut Caches) -> i32 {
    let SearchFrame { position, placement, alpha, beta, .. } = frame;
    if let Some(score) = caches.scores.get(frame.key) {
        return score;
    }
    let pawns = caches.pawns.probe(position);
    let phase = placement.phase();
    let mut total = Total(pawns.score + placement.score);
    // The closer the fifty-move rule, the less an advantage is worth.
    let factor = 220 - i32::from(position.halfmoves()).min(100);
    let score = |total: &Total| sign(position.turn()) * endings::adjust(position, total.0, phase) * factor / 220;
    let rough = score(&total);
    if rough + LAZY_MARGIN <= *alpha || rough - LAZY_MARGIN >= *beta {
        return rough;
    }
    add_piece_features(position, &pawns, &mut total);
    let exact = score(&total);
    caches.scores.set(frame.key, exact);
    exact
}

/// Adds all features except those of squares and of the pawns among themselves.
fn add_piece_features<S: Sink>(position: &Position, pawns: &PawnTerms, sink: &mut S) {
    let context = Context::new(position);
    let white = attacks_of_pieces(&context, Color::White, sink);
    let black = attacks_of_pieces(&context, Color::Black, sink);
    for (us, ours, theirs) in [(Color::White, &white, &black), (Color::Black, &black, &white)] {
        threats(&context, us, ours, theirs, sink);
        king::danger_to_their_king(&context, us, ours, theirs, sink);
        pawns::passed_pawns(&context, us, pawns.passed, theirs, sink);
    }
    sink.add(TEMPO, sign(position.turn()));
}

/// The features of a position, the phase, and the factor of the endgame score in 64ths. For the tuner.
#[cfg(feature = "tuning")]
pub(crate) fn trace<S: Sink>(position: &Position, sink: &mut S) -> (i32, i32, i32) {
    let pawns = PawnTerms { score: Pair::ZERO, passed: pawns::add_pawn_features(position, sink) };
    for us in Color::ALL {
        king::shelter(position, us, sink);
    }
    add_piece_features(position, &pawns, sink);
    placement::add_squares(position, sink);
    (Placement::of(position).phase(), endings::scale(position, Color::White), endings::scale(position, Color::Black))
}

#[cfg(feature = "tuning")]
pub(crate) const fn tuned_weights() -> &'static [[i16; 2]; features::COUNT] {
    &weights::TUNED
}

/// Index of a square in a table of 32 entries, seen from one side and mirrored to the queen's side.
#[inline]
fn mirrored(square: Square, color: Color) -> usize {
    let index = match color {
        Color::White => square.index(),
        Color::Black => square.flip_rank().index(),
    };
    let file = index & 7;
    let file = if file > 3 { 7 - file } else { file };
    usize::from(index >> 3 << 2 | file)
}

/// The rank of a square as `color` counts, 0 to 7.
#[inline]
const fn relative_rank(square: Square, color: Color) -> usize {
    match color {
        Color::White => (square.index() >> 3) as usize,
        Color::Black => (7 - (square.index() >> 3)) as usize,
    }
}

/// King moves between two squares on an empty board, 0 to 7.
#[inline]
fn distance(one: Square, other: Square) -> usize {
    let files = (one.index() & 7).abs_diff(other.index() & 7);
    let ranks = (one.index() >> 3).abs_diff(other.index() >> 3);
    usize::from(files.max(ranks))
}
