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
    measured_moves(codons, from, around).0
}

/// The same, and how much work it was, in instructions of a Cortex-M, estimated.
pub(super) fn measured_moves(codons: &[Codon], from: Square, around: Surroundings) -> (MoveDescriptors, u32) {
    let debuffs = grammar::debuffs(codons);
    let mut walker = Walker::new(from, around, debuffs);
    for block in Blocks::of(codons).filter(Block::has_targets) {
        walker.walk_all(&block);
    }
    walker.moves.retain(|found| is_allowed(debuffs, around.color, from, found.to));
    let work = walker.work(codons);
    (walker.moves, work)
}

/// Whether the piece on a square can move by one of the first blocks, and how much work it was to find out.
pub(super) fn can_move(codons: &[Codon], from: Square, around: Surroundings, blocks: usize) -> (bool, u32) {
    let mut walker = Walker::new(from, around, grammar::debuffs(codons));
    let found = walker.first(codons, from, around, blocks, |_| true);
    (found.is_some(), walker.work(codons))
}

/// The move of the piece on a square to this target, and the squares at the left and the right edge where the way there goes round the board.
pub(super) fn to_target(
    codons: &[Codon],
    from: Square,
    around: Surroundings,
    target: Square,
) -> Option<(MoveDescriptor, Bitboard)> {
    let mut walker = Walker::new(from, around, grammar::debuffs(codons));
    walker.wanted = target.index().into();
    let found = walker.first(codons, from, around, usize::MAX, |to| to == target)?;
    Some((found, walker.wanted_edges))
}

/// Looking at a piece, apart from its DNA, in instructions of a Cortex-M.
const PIECE: u32 = 2_500;

/// Reading a codon.
const CODON: u32 = 80;

/// A step of a walk.
const STEP: u32 = 24;

/// The cost of starting a walk, in steps.
const STEPS_TO_START: u32 = 4;

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

/// The walks of a block in their order: the rotation and the first direction of each.
fn walks() -> impl Iterator<Item = (u32, u32)> {
    ROTATIONS.into_iter().flat_map(|rotation| (0..4).map(move |direction| (rotation, direction)))
}

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
    /// How many steps were walked, and what starting the walks took.
    steps: u32,
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
            steps: 0,
            edges: Bitboard::EMPTY,
            wanted: NO_SQUARE,
            wanted_edges: Bitboard::EMPTY,
        }
    }

    /// The first move whose target is wanted and allowed, by one of the first blocks. The walks after it are left out.
    fn first(
        &mut self,
        codons: &[Codon],
        from: Square,
        around: Surroundings,
        blocks: usize,
        is_wanted: impl Fn(Square) -> bool,
    ) -> Option<MoveDescriptor> {
        let debuffs = grammar::debuffs(codons);
        let is_found =
            |found: &&MoveDescriptor| is_wanted(found.to) && is_allowed(debuffs, around.color, from, found.to);
        let mut seen = 0;
        for block in Blocks::of(codons).take(blocks).filter(Block::has_targets) {
            for (rotation, direction) in walks() {
                self.walk(&block, rotation, direction);
                if let Some(found) = self.moves.get(seen..).unwrap_or_default().iter().find(is_found) {
                    return Some(*found);
                }
                seen = self.moves.len();
            }
        }
        None
    }

    /// The work so far, in instructions of a Cortex-M, estimated.
    fn work(&self, codons: &[Codon]) -> u32 {
        let length = u32::try_from(codons.len()).unwrap_or(u32::MAX);
        self.steps.saturating_mul(STEP).saturating_add(length.saturating_mul(CODON)).saturating_add(PIECE)
    }

    fn walk_all(&mut self, block: &Block) {
        for (rotation, direction) in walks() {
            self.walk(block, rotation, direction);
        }
    }

    fn walk(&mut self, block: &Block, rotation: u32, first_direction: u32) {
        let steps = block.steps.as_slice();
        let (mut file, mut rank, mut direction) = (self.file, self.rank, first_direction);
        let mut first_square = NO_SQUARE;
        self.edges = Bitboard::EMPTY;
        self.steps = self.steps.wrapping_add(STEPS_TO_START);
        let mut rest = steps.iter();
        // Once more, to see that the first state repeats.
        for _ in 0..=MAX_WALK {
            self.steps = self.steps.wrapping_add(1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genome::grammar::Step;
    use crate::genome::{Content, Dna, Owner};

    /// The walks of a lone piece with these movement codons, in steps, from the rank where they take longest. Files make no difference, because
    /// walks go round the board.
    fn longest(steps: ArrayVec<Step, 4>) -> u32 {
        let placed = Placed { content: Content::Mover, owner: Owner::Mover };
        let effect = Some((placed, placed));
        let block = Block { own: effect, enemy: effect, empty: effect, steps };
        let walked = |rank| {
            let from = Square::new(chess::File::D, chess::Rank::from_index(rank));
            let around = Surroundings { color: Color::White, own: from.into(), enemy: Bitboard::EMPTY };
            let mut walker = Walker::new(from, around, Debuffs::default());
            walker.walk_all(&block);
            walker.steps
        };
        (0..8).map(walked).max().unwrap_or_default()
    }

    #[test]
    fn no_movement_codons_are_walked_longer_than_those_of_the_bench() {
        let coloring = (0..3).map(|distance| Step { distance, is_coloring: true });
        let jumping = (0..5).map(|distance| Step { distance, is_coloring: false });
        let kinds: ArrayVec<Step, 8> = coloring.chain(jumping).collect();
        let mut most = 0;
        for number in 0..8_usize.pow(4) {
            let steps = (0..4).map(|digit| kinds[number >> (3 * digit) & 7]);
            most = most.max(longest(steps.collect()));
        }
        // The constant LASTING_BLOCK of board/bench.
        let bench: Dna = "AHHHSHHSHCHACHACHAHHASASSAACASCAS".parse().expect("valid");
        let block = bench.blocks().next().expect("it has a block");
        assert_eq!(longest(block.steps), most);
        // Fewer codons come back to the start sooner, and leave room for more blocks, which does not make up for it.
        for (count, blocks) in [(1_u32, 20), (2, 18), (3, 16)] {
            for number in 0..8_usize.pow(count) {
                let steps = (0..count).map(|digit| kinds[number >> (3 * digit) & 7]);
                assert!(longest(steps.collect()) * blocks < most * 15, "{count} codons, number {number}");
            }
        }
    }
}
