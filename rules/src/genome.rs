//! GMO chess: every piece carries DNA, and its DNA defines its moves.
//!
//! DNA is a sequence of codons, three letters of `S A C H` each. It consists of blocks: a separator of seven codons, which says what a move
//! leaves on its start and target square, and up to four movement codons, which are walked as a spirolateral (the path that turns by 90 degrees after
//! every step). `docs/genome.md` specifies all of it for players.
//!
//! **Invariant:** fixed memory and bounded time. A walk visits at most [`MAX_WALK`](moves::MAX_WALK) squares, because it returns to its first
//! state or leaves the board by then.
//!
//! **Invariant:** random effects come from the generator in the position ([`Position`]), so that every replay of the same plies gives the same
//! game.

mod builtin;
mod chance;
mod codon;
mod debuff;
mod dna;
mod effect;
mod genes;
mod grammar;
mod laboratory;
mod look;
pub mod moves;
mod position;
mod setup;
mod trace;

pub use builtin::{BACK_ROW, BuiltIn, PAWN, PIECES};
pub use codon::{Codon, Letter};
pub use debuff::{Debuff, Debuffs};
pub use dna::{Dna, DnaError, MAX_CODONS};
pub use effect::{Content, Owner, Placed};
pub use genes::{Genes, GenesFull, MAX_GENE_CODONS};
pub use grammar::{Block, Blocks, Reason, Step};
pub use laboratory::Laboratory;
pub use moves::{MoveDescriptor, MoveDescriptors, Surroundings};
pub(crate) use position::MoverSearch;
pub use position::{FREEZE_MS, Piece, Position};
pub use setup::{MAX_GENOMES, RULES_ID, Setup, SetupError, SetupReadError};
pub(crate) use trace::Trace;
