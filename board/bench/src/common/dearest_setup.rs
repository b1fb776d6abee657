//! The setup of GMO chess whose moves take most instructions.

use chess::File;
use rules::genome::{Codon, Dna, MAX_CODONS, Setup};

/// Four movement codons whose walk lasts longest: it is displaced by one square in every round, and goes round the board.
const LONG_BLOCK: &str = "AHHHSHHSHCHACHACHAHHAAAASASSAASAA";

/// As many long blocks as DNA has room for.
pub(crate) fn dna() -> Option<Dna> {
    let block: Dna = LONG_BLOCK.parse().ok()?;
    let mut codons = [Codon::START; MAX_CODONS];
    let length = block.codons().len();
    let mut len = 0;
    for chunk in codons.chunks_exact_mut(length) {
        chunk.copy_from_slice(block.codons());
        len += length;
    }
    Dna::from_codons(&codons[..len]).ok()
}

/// All pieces have that DNA.
pub(crate) fn setup() -> Option<Setup> {
    let mut setup = Setup::new(&dna()?, 1)?;
    for file in File::ALL {
        setup.place(file, 0, true);
    }
    Some(setup)
}
