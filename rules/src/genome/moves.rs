//! Move generation: walks the spirolaterals of a piece in the documented order.
//!
//! For each block, both rotations (clockwise first) and four start directions (up, right, down, left), the walk repeats the movement codons and
//! turns by 90 degrees after each. Of several ways to one target the first counts. Debuffs that restrict targets are applied after that.

use arrayvec::ArrayVec;
use chess::{Bitboard, Color, Square};

use super::codon::Codon;
use super::debuff::{Debuff, Debuffs};
use super::effect::Placed;
use super::grammar::{self, Block, Blocks};

/// The most squares that a walk visits. One to three movement codons return to the start after at most 12 steps. Four codons are displaced by
/// the same vector in every round, so that after at most 8 rounds the walk has left the board, or is back because columns wrap modulo 8.
pub const MAX_WALK: usize = 32;

/// A move of a piece: its target, and what stands on both squares after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct MoveDescriptor {
    pub to: Square,
    pub start: Placed,
    pub target: Placed,
}

/// The moves of one piece, with at most one for each target square.
pub type MoveDescriptors = ArrayVec<MoveDescriptor, 64>;

/// The pieces on the board, as the piece that moves sees them. Its own square is in `own`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Surroundings {
    pub color: Color,
    pub own: Bitboard,
    pub enemy: Bitboard,
}

/// The moves of the piece on a square in the documented order. The codons are valid DNA.
#[must_use]
pub fn moves(codons: &[Codon], from: Square, around: Surroundings) -> MoveDescriptors {
    let debuffs = grammar::debuffs(codons);
    let mut walker = Walker::new(from, around, debuffs);
    for block in Blocks::of(codons) {
        walker.walk_all(&block);
    }
    walker.moves.retain(|found| is_allowed(debuffs, around.color, from, found.to));
    walker.moves
}

/// The squares at the left and the right edge where the way to a target goes round the board; none if it does not.
#[must_use]
pub fn edges(codons: &[Codon], from: Square, around: Surroundings, to: Square) -> Bitboard {
    let mut walker = Walker::new(from, around, grammar::debuffs(codons));
    walker.wanted = to.index().into();
    for block in Blocks::of(codons) {
        walker.walk_all(&block);
    }
    walker.wanted_edges
}

/// Whether the debuffs that restrict targets allow this one.
fn is_allowed(debuffs: Debuffs, color: Color, from: Square, to: Square) -> bool {
    let (from_rank, to_rank) = (from.rank().index(), to.rank().index());
    let is_ahead = match color {
        Color::White => to_rank > from_rank,
        Color::Black => to_rank < from_rank,
    };
    let is_same_color = from.is_light() == to.is_light();
    let is_near = from_rank.abs_diff(to_rank) <= 1 && from.file().index().abs_diff(to.file().index()) <= 1;
    (is_ahead || !debuffs.has(Debuff::ForwardOnly))
        && (is_same_color || !debuffs.has(Debuff::SameColor))
        && (!is_same_color || !debuffs.has(Debuff::OtherColor))
        && (is_near || !debuffs.has(Debuff::Neighbours))
}

/// The numbers to add to a direction: clockwise, counterclockwise (modulo 4). The directions are up, right, down, left.
const ROTATIONS: [u32; 2] = [1, 3];

/// Larger than the number of any square.
const NO_SQUARE: u32 = 64;

/// The a- and the h-file of the first rank.
const EDGES: u64 = 0x81;

/// Bits of a cell.
const OWN: u8 = 1;
const ENEMY: u8 = 2;
const REACHED: u8 = 4;

/// Walks blocks. A device does this for every piece after every ply, so squares are bytes in an array: 64-bit sets are slow on a 32-bit
/// processor.
struct Walker {
    file: u32,
    rank: u32,
    wraps: bool,
    is_once: bool,
    /// What stands on each square, and whether a move to it was found.
    cells: [u8; 64],
    moves: MoveDescriptors,
    /// Where the current walk has gone round the board.
    edges: Bitboard,
    /// The square for which the edges are asked.
    wanted: u32,
    wanted_edges: Bitboard,
}

impl Walker {
    fn new(from: Square, around: Surroundings, debuffs: Debuffs) -> Self {
        let mut cells = [0; 64];
        let (mut own, mut enemy) = (around.own.0, around.enemy.0);
        for cell in &mut cells {
            *cell = match (own & 1, enemy & 1) {
                (1, _) => OWN,
                (_, 1) => ENEMY,
                _ => 0,
            };
            own >>= 1;
            enemy >>= 1;
        }
        Self {
            file: from.file().index().into(),
            rank: from.rank().index().into(),
            wraps: !debuffs.has(Debuff::NoWrap),
            is_once: debuffs.has(Debuff::Once),
            cells,
            moves: MoveDescriptors::new(),
            edges: Bitboard::EMPTY,
            wanted: NO_SQUARE,
            wanted_edges: Bitboard::EMPTY,
        }
    }

    fn walk_all(&mut self, block: &Block) {
        for rotation in ROTATIONS {
            for direction in 0..4 {
                self.walk(block, rotation, direction);
            }
        }
    }

    fn walk(&mut self, block: &Block, rotation: u32, first_direction: u32) {
        let steps = block.steps.as_slice();
        let (mut file, mut rank, mut direction) = (self.file, self.rank, first_direction);
        let mut first_square = NO_SQUARE;
        self.edges = Bitboard::EMPTY;
        let mut rest = steps.iter();
        // Once more, to see that the first state repeats.
        for _ in 0..=MAX_WALK {
            let step = match rest.next() {
                Some(step) => step,
                None if self.is_once => return,
                None => {
                    rest = steps.iter();
                    // A block without movement codons has no moves.
                    let Some(step) = rest.next() else { return };
                    step
                }
            };
            let distance = u32::from(step.distance);
            let along = if direction & 2 == 0 { distance } else { distance.wrapping_neg() };
            if direction & 1 == 0 {
                rank = rank.wrapping_add(along);
            } else {
                file = file.wrapping_add(along);
            }
            // Negative numbers have become large ones, and the lowest three bits are the remainder modulo 8 of both.
            if rank > 7 {
                return;
            }
            if file > 7 {
                if !self.wraps {
                    return;
                }
                self.edges |= Bitboard(EDGES.wrapping_shl(rank << 3));
                file &= 7;
            }
            let square = rank << 3 | file;
            // Each state has one successor and one predecessor, so the first state that repeats is the very first one.
            if direction == first_direction && rest.len().wrapping_add(1) == steps.len() {
                if first_square == square {
                    return;
                }
                if first_square == NO_SQUARE {
                    first_square = square;
                }
            }
            if step.is_coloring && self.color(block, square) {
                return;
            }
            direction = direction.wrapping_add(rotation) & 3;
        }
    }

    /// Adds the move to this square, if it is allowed and new. Returns whether a piece stands there, which ends the walk.
    fn color(&mut self, block: &Block, square: u32) -> bool {
        let Some(cell) = self.cells.get_mut(square as usize) else { return true };
        let is_occupied = *cell & (OWN | ENEMY) != 0;
        if *cell & REACHED == 0 {
            let effect = match (*cell & OWN, is_occupied) {
                (OWN, _) => block.own,
                (_, true) => block.enemy,
                (_, false) => block.empty,
            };
            if let Some((start, target)) = effect {
                *cell |= REACHED;
                if square == self.wanted {
                    self.wanted_edges = self.edges;
                }
                // There is room for every square.
                let _ = self.moves.try_push(MoveDescriptor { to: Square::from_index(square as u8), start, target });
            }
        }
        is_occupied
    }
}
