use super::dna::Dna;

/// A piece that every genome store has from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The name in the original game.
    pub name: &'static str,
    /// The English name of the chess piece that moves like it.
    pub piece: &'static str,
    /// Its DNA, without white space.
    pub dna: &'static str,
}

/// The number of the pawn in [`PIECES`].
pub const PAWN: usize = 5;

/// The six pieces of the original game.
pub const PIECES: [BuiltIn; 6] = [
    BuiltIn { name: "veza", piece: "rook", dna: "AHHHSHHAACHACHACHAHHASASAAAAAAAAA" },
    BuiltIn { name: "kon", piece: "knight", dna: "AHHHAAHACHHHCHACHAHHACACSASAACACA" },
    BuiltIn { name: "strelec", piece: "bishop", dna: "AHHHCSHAAHHHCHACHAHHACASSASASSACS" },
    BuiltIn { name: "kral", piece: "king", dna: "AHHHACHAAHHHCHACHAHHASASSASACSAAC" },
    BuiltIn {
        name: "kralovna",
        piece: "queen",
        dna: "AHHHSHHAAHHHCHACHAHHACASSASASSACSAHHHSHHSCCHACHACHAHHASASAAAAAAAAA",
    },
    BuiltIn { name: "pesiak", piece: "pawn", dna: "AHHHACHASHHHHHHCHAHHASASAHHHSHHAAHHHCHAHHHHHACASSAS" },
];

/// The back row of the default preset, as numbers in [`PIECES`], from the a-file on. The king is on the d-file.
pub const BACK_ROW: [usize; 8] = [0, 1, 2, 3, 4, 2, 1, 0];

impl BuiltIn {
    /// Its DNA; nothing if the text is not valid, which a test excludes.
    #[must_use]
    pub fn parse(&self) -> Option<Dna> {
        self.dna.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_valid() {
        assert!(PIECES.iter().all(|piece| piece.parse().is_some()));
        assert_eq!(PIECES[PAWN].piece, "pawn");
    }
}
