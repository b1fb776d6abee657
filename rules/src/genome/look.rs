//! Pieces and promotions as people see them.

use chess::{Role, Square};

use super::builtin::{BuiltIn, PIECES};
use super::dna::Dna;
use super::genes::Genes;
use super::position::Position;
use crate::look::{Choice, Look};
use crate::notation::NotationError;
use crate::ply::Ply;

/// The choices of a promotion. There are as many as genomes.
static CHOICES: [u8; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The letters and names of genomes that are not built in, by number.
static OTHERS: [(char, &str); 16] = [
    ('z', "genome 0"),
    ('a', "genome 1"),
    ('c', "genome 2"),
    ('d', "genome 3"),
    ('e', "genome 4"),
    ('f', "genome 5"),
    ('g', "genome 6"),
    ('h', "genome 7"),
    ('i', "genome 8"),
    ('j', "genome 9"),
    ('l', "genome 10"),
    ('m', "genome 11"),
    ('o', "genome 12"),
    ('s', "genome 13"),
    ('t', "genome 14"),
    ('u', "genome 15"),
];

/// The letter and name of all genomes that come from mutations.
const MUTANT: (char, &str) = ('x', "mutant");

/// The letter, the name and the drawing of a genome.
fn appearance(genes: &Genes, fixed: u8, genome: u8) -> (char, &'static str, Option<Role>) {
    let codons = genes.get(genome);
    let is_this = |built_in: &&BuiltIn| built_in.parse().as_ref().map(Dna::codons) == Some(codons);
    let built_in = PIECES.iter().find(is_this).and_then(|built_in| Some((built_in, role(built_in.piece)?)));
    if let Some((built_in, role)) = built_in {
        return (role.letter().to_ascii_lowercase(), built_in.piece, Some(role));
    }
    let (letter, name) = OTHERS.get(usize::from(genome)).filter(|_| genome < fixed).copied().unwrap_or(MUTANT);
    (letter, name, None)
}

fn role(piece: &str) -> Option<Role> {
    Some(match piece {
        "pawn" => Role::Pawn,
        "knight" => Role::Knight,
        "bishop" => Role::Bishop,
        "rook" => Role::Rook,
        "queen" => Role::Queen,
        "king" => Role::King,
        _ => return None,
    })
}

impl Position {
    /// A king is drawn as a king and a pawn as a pawn, with any genome, because that matters most.
    pub(crate) fn look(&self, square: Square) -> Option<Look<'static>> {
        let piece = self.piece(square)?;
        let (letter, name, drawing) = appearance(self.genes(), self.fixed(), piece.genome);
        let drawing = match (piece.is_king, piece.is_pawn) {
            (true, _) => Some(Role::King),
            (false, true) => Some(Role::Pawn),
            (false, false) => drawing,
        };
        let letter = if piece.color == chess::Color::White { letter.to_ascii_uppercase() } else { letter };
        Some(Look { color: piece.color, letter, name, drawing })
    }

    pub(crate) fn choice(&self, choice: u8) -> Option<Choice<'static>> {
        let (letter, name, drawing) =
            (1..=self.promotions()).contains(&choice).then(|| appearance(self.genes(), self.fixed(), choice))?;
        Some(Choice { letter, name, drawing })
    }

    pub(crate) fn choice_named(&self, text: &str) -> Option<u8> {
        let mut chars = text.chars();
        let only = chars.next().filter(|_| chars.next().is_none()).map(|only| only.to_ascii_lowercase());
        let is_named = |found: Choice<'_>| text == found.name || only == Some(found.letter);
        (1..=self.promotions()).find(|&choice| self.choice(choice).is_some_and(is_named))
    }

    pub(crate) fn choices(&self, ply: Ply) -> &'static [u8] {
        match ply.choice() {
            0 => &[],
            _ => CHOICES.get(..usize::from(self.promotions())).unwrap_or(&CHOICES),
        }
    }

    /// A promotion is a ply of its own, from the square of the pawn to the same square.
    pub(crate) fn with_choice(&self, way: Ply, wanted: Option<u8>) -> Ply {
        let promotes = way.from() == way.to() && self.promoting().has(way.from());
        way.choosing(if promotes { wanted.unwrap_or(1) } else { 0 })
    }

    pub(crate) fn read(&self, text: &str) -> Result<Ply, NotationError> {
        let ply: Ply = text.parse().map_err(NotationError::Unexpected)?;
        if self.footprint(ply).is_some() { Ok(ply) } else { Err(NotationError::Illegal) }
    }
}
