use chess::{Color, Square};

use super::dna::Dna;
use super::genes::{Genes, GenesFull};
use super::moves::MoveDescriptors;
use super::position::{Piece, Position};

/// A board to try genomes on: pieces are inserted, erased and changed at will, every piece may move at any time, and no game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laboratory {
    position: Position,
}

impl Laboratory {
    /// An empty board. The seed determines random effects.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { position: Position::empty(&Genes::EMPTY, seed) }
    }

    /// Adds a genome, and returns its number. No mutation overwrites it. The same DNA gets another number when it is added again, so that the
    /// caller can change one of both.
    ///
    /// # Errors
    ///
    /// There is no room for another genome.
    pub fn add(&mut self, dna: &Dna) -> Result<u8, GenesFull> {
        let genome = self.position.genes_mut().append(dna.codons()).ok_or(GenesFull)?;
        self.position.fix_genomes();
        Ok(genome)
    }

    /// Puts a piece on a square, in place of the one that stands there. Pieces with the same DNA have the same genome.
    ///
    /// # Errors
    ///
    /// There is no room for another genome.
    pub fn insert(&mut self, square: Square, color: Color, dna: &Dna) -> Result<(), GenesFull> {
        let genome = self.position.genes_mut().add(dna)?;
        self.position.fix_genomes();
        self.position.put(square, Piece { color, genome, is_pawn: false, is_king: false });
        Ok(())
    }

    /// Puts this piece on a square, in place of the one that stands there. Its genome was [added](Laboratory::add).
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.position.put(square, piece);
    }

    /// Takes the piece off a square.
    pub fn erase(&mut self, square: Square) {
        self.position.clear(square);
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.position.piece(square)
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The seed of the random effects from now on.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.position.seed()
    }

    /// The moves of the piece on a square in the documented order.
    #[must_use]
    pub fn moves_of(&self, from: Square) -> MoveDescriptors {
        self.position.moves_of(from)
    }

    /// Moves a piece with all effects on squares and genomes. Returns whether it can go there; if not, nothing changes.
    pub fn play(&mut self, from: Square, to: Square) -> bool {
        let found = self.moves_of(from).into_iter().find(|found| found.to == to);
        let next = found.and_then(|found| self.position.moved(from, found));
        if let Some(next) = next {
            self.position = next;
        }
        next.is_some()
    }
}
