//! Setups of GMO chess that take most instructions.

use chess::File;
use rules::genome::{Codon, Dna, MAX_CODONS, Setup};

/// Four movement codons whose walks take most instructions: they are displaced by one square in every round, go round the board, and every square
/// may be moved to.
const LONG_BLOCK: &str = "AHHHSHHSHCHACHACHAHHASASSASSASSAA";

/// Four movement codons whose walks last longest, although some of their squares may not be moved to. A test of the crate `rules` tries all movement
/// codons.
const LASTING_BLOCK: &str = "AHHHSHHSHCHACHACHAHHASASSAACASCAS";

/// Only captures, and the longest walks of those that visit no own pieces in a start position. A side of such pieces has no move, and the search for
/// one walks all of them.
const BLOCKED_BLOCK: &str = "AHHHSHHSHHHHCHAHHHHHACACSACCACCAS";

/// A move to the third square ahead.
const QUIET_BLOCK: &str = "AHHHSHHSHHHHHHHCHAHHACACSAS";

/// Mutates and deviates.
const MUTATING_BLOCK: &str = "AHHHCCHSACHACHACHAHHASASSASSASSAA";

/// As many of these blocks as DNA has room for, and a last one.
fn repeated(block: &str, last: &str) -> Option<Dna> {
    let (block, last): (Dna, Dna) = (block.parse().ok()?, last.parse().ok()?);
    let mut codons = [Codon::START; MAX_CODONS];
    let (rows, length) = (MAX_CODONS.saturating_sub(last.codons().len()), block.codons().len());
    let mut len = 0;
    for chunk in codons.get_mut(..rows)?.chunks_exact_mut(length) {
        chunk.copy_from_slice(block.codons());
        len += length;
    }
    codons.get_mut(len..len + last.codons().len())?.copy_from_slice(last.codons());
    len += last.codons().len();
    Dna::from_codons(codons.get(..len)?).ok()
}

/// The DNA whose moves take most instructions.
pub(crate) fn dna() -> Option<Dna> {
    repeated(LONG_BLOCK, "")
}

/// The DNA whose walks last longest.
#[allow(dead_code, reason = "not every image measures it")]
pub(crate) fn lasting() -> Option<Dna> {
    repeated(LASTING_BLOCK, "")
}

/// All pieces have this DNA.
fn all(dna: &Dna) -> Option<Setup> {
    let mut setup = Setup::new(dna, 1)?;
    for file in File::ALL {
        setup.place(file, 0, true);
    }
    Some(setup)
}

/// All pieces have the DNA whose moves take most instructions.
pub(crate) fn setup() -> Option<Setup> {
    all(&dna()?)
}

/// The same with one king a side: a move gives its piece to the opponent, and the game ends with the first king that moves.
#[allow(dead_code, reason = "not every image measures it")]
pub(crate) fn lasting_game() -> Option<Setup> {
    let mut setup = Setup::new(&dna()?, 1)?;
    for file in File::ALL {
        setup.place(file, 0, file == File::H);
    }
    Some(setup)
}

/// Only the piece on the h-file has a move, by its last block.
#[allow(dead_code, reason = "not every image measures it")]
pub(crate) fn blocked() -> Option<Setup> {
    let mut setup = Setup::new(&repeated(BLOCKED_BLOCK, "")?, 1)?;
    for file in File::ALL {
        setup.place(file, 0, true);
    }
    let moving = setup.add(&repeated(BLOCKED_BLOCK, QUIET_BLOCK)?).ok()?;
    setup.place(File::H, moving, true);
    setup.check().ok()?;
    Some(setup)
}

/// All pieces have the same DNA as long, and every move mutates and deviates.
#[allow(dead_code, reason = "not every image measures it")]
pub(crate) fn mutating() -> Option<Setup> {
    let long: Dna = LONG_BLOCK.parse().ok()?;
    let mutating: Dna = MUTATING_BLOCK.parse().ok()?;
    let mut codons = [Codon::START; MAX_CODONS];
    let length = long.codons().len();
    let mut len = 0;
    for (number, chunk) in codons.chunks_exact_mut(length).enumerate() {
        chunk.copy_from_slice(if number == 0 { mutating.codons() } else { long.codons() });
        len += length;
    }
    all(&Dna::from_codons(codons.get(..len)?).ok()?)
}
