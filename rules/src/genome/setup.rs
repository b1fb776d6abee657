use core::error::Error;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use chess::{Color, File};

use super::builtin::{BACK_ROW, PAWN, PIECES};
use super::dna::{Dna, DnaError};
use super::genes::{Genes, GenesFull};
use super::position::Position;

/// The number of these rules in stored and transmitted games.
pub const RULES_ID: u8 = 1;

/// The most genomes that a game starts with: that of the pawns, and those that a pawn can become, which have the choices 1 to 15 of a ply.
pub const MAX_GENOMES: u8 = 16;

/// What a game starts with: the genomes, the back row of both sides, its kings, and the seed of random effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Number 0 is the genome of the pawns.
    genes: Genes,
    /// The genome of the piece on each file of the back row.
    back: [Option<u8>; 8],
    /// Bit 0 is the a-file.
    kings: u8,
    seed: u64,
}

/// Why a game cannot start like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// There are more than [`MAX_GENOMES`].
    TooMany,
    /// The genomes are too long together.
    Full(GenesFull),
    /// No piece is a king.
    NoKing,
    /// White has no move in the start position.
    NoMoves,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "a game has at most {MAX_GENOMES} genomes, that of the pawns included"),
            Self::Full(error) => error.fmt(f),
            Self::NoKing => f.write_str("at least one piece of the back row has to be a king"),
            Self::NoMoves => f.write_str("no piece can move in the start position"),
        }
    }
}

impl Error for SetupError {}

impl Setup {
    /// An empty back row behind pawns with this genome. Nothing if the genome has no room, which the limit of [`Dna`] excludes.
    #[must_use]
    pub fn new(pawn: &Dna, seed: u64) -> Option<Self> {
        let mut genes = Genes::EMPTY;
        genes.add(pawn).ok()?;
        Some(Self { genes, back: [None; 8], kings: 0, seed })
    }

    /// The default preset: the pieces of chess, with the king on the d-file.
    #[must_use]
    pub fn default_preset(seed: u64) -> Option<Self> {
        let mut setup = Self::new(&PIECES.get(PAWN)?.parse()?, seed)?;
        for (file, number) in File::ALL.into_iter().zip(BACK_ROW) {
            let piece = PIECES.get(number)?;
            let genome = setup.add(&piece.parse()?).ok()?;
            setup.place(file, genome, piece.piece == "king");
        }
        Some(setup)
    }

    /// Adds a genome that a pawn can become, and returns its number. A genome that is already there has its number.
    ///
    /// # Errors
    ///
    /// There are too many genomes, or they are too long together.
    pub fn add(&mut self, dna: &Dna) -> Result<u8, SetupError> {
        let mut genes = self.genes;
        let number = genes.add(dna).map_err(SetupError::Full)?;
        if number >= MAX_GENOMES {
            return Err(SetupError::TooMany);
        }
        self.genes = genes;
        Ok(number)
    }

    /// Puts a piece with this genome on a file of the back row of both sides.
    pub fn place(&mut self, file: File, genome: u8, is_king: bool) {
        let index = file.index();
        if let Some(slot) = self.back.get_mut(usize::from(index)) {
            *slot = (genome < self.genes.count()).then_some(genome);
            let bit = 1_u8.wrapping_shl(u32::from(index));
            self.kings = if is_king && slot.is_some() { self.kings | bit } else { self.kings & !bit };
        }
    }

    /// Checks that the game can begin and end: White has a move, and each side has a king.
    ///
    /// # Errors
    ///
    /// One of both is missing.
    pub fn check(&self) -> Result<(), SetupError> {
        if self.kings == 0 {
            return Err(SetupError::NoKing);
        }
        if Position::at(self).can_move(Color::White) { Ok(()) } else { Err(SetupError::NoMoves) }
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn genes(&self) -> &Genes {
        &self.genes
    }

    /// How many genomes there are, that of the pawns included.
    #[must_use]
    pub const fn genomes(&self) -> u8 {
        self.genes.count()
    }

    /// The genome on a file of the back row, and whether it is a king.
    #[must_use]
    pub fn back(&self, file: File) -> Option<(u8, bool)> {
        let genome = self.back.get(usize::from(file.index())).copied().flatten()?;
        Some((genome, self.kings.wrapping_shr(u32::from(file.index())) & 1 == 1))
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

impl Hash for Setup {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.seed, self.back, self.kings).hash(state);
        (0..self.genomes()).for_each(|genome| self.genes.get(genome).hash(state));
    }
}

/// The text of a setup in logs and in JSON, with a space between its parts: the seed (16 hex digits), the genome on each file of the back row (a
/// hex digit, or `-`), the kings (two hex digits, bit 0 is the a-file), and the DNA of all genomes (`.` for empty DNA).
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} ", self.seed)?;
        for genome in self.back {
            match genome {
                Some(genome) => write!(f, "{genome:x}")?,
                None => f.write_str("-")?,
            }
        }
        write!(f, " {:02x}", self.kings)?;
        for genome in 0..self.genomes() {
            f.write_str(" ")?;
            match self.genes.get(genome) {
                [] => f.write_str(".")?,
                codons => codons.iter().try_for_each(|codon| codon.fmt(f))?,
            }
        }
        Ok(())
    }
}

/// Why a text is not a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupReadError {
    /// Seed, back row, kings and DNA are not as [`Setup`] writes them.
    Malformed,
    /// The DNA of the genome with this number is invalid.
    Dna(u8, DnaError),
    #[expect(missing_docs, reason = "the type says it")]
    Setup(SetupError),
}

impl fmt::Display for SetupReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("a setup is a seed, a back row, kings, and the DNA of all genomes"),
            Self::Dna(genome, error) => write!(f, "genome {genome}: {error}"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for SetupReadError {}

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Setup {
    type Err = SetupReadError;

    fn from_str(text: &str) -> Result<Self, SetupReadError> {
        // Searching for one fixed character would go through code that can panic.
        let mut parts = text.split(char::is_whitespace);
        let mut part = || parts.next().ok_or(SetupReadError::Malformed);
        let (seed, back, kings) = (part()?, part()?, part()?);
        if (seed.len(), back.len(), kings.len()) != (16, 8, 2) {
            return Err(SetupReadError::Malformed);
        }
        let seed = u64::from_str_radix(seed, 16).map_err(|_| SetupReadError::Malformed)?;
        let kings = u8::from_str_radix(kings, 16).map_err(|_| SetupReadError::Malformed)?;
        let mut setup: Option<Self> = None;
        for (number, text) in (0..=u8::MAX).zip(parts) {
            let text = if text == "." { "" } else { text };
            let dna: Dna = text.parse().map_err(|error| SetupReadError::Dna(number, error))?;
            match &mut setup {
                None => setup = Self::new(&dna, seed),
                // Every genome is there once, so that its number is its place in the text.
                Some(setup) => match setup.add(&dna).map_err(SetupReadError::Setup)? {
                    added if added == number => {}
                    _ => return Err(SetupReadError::Malformed),
                },
            }
        }
        let mut setup = setup.ok_or(SetupReadError::Malformed)?;
        for (file, character) in File::ALL.into_iter().zip(back.chars()) {
            let is_king = kings.wrapping_shr(u32::from(file.index())) & 1 == 1;
            match character.to_digit(16) {
                Some(genome) if genome < u32::from(setup.genomes()) => setup.place(file, genome as u8, is_king),
                None if character == '-' && !is_king => {}
                _ => return Err(SetupReadError::Malformed),
            }
        }
        setup.check().map_err(SetupReadError::Setup)?;
        Ok(setup)
    }
}
