//! One piece among others, and its moves, as JSON: the format of `tabiya genome moves` and of the laboratory.

use chess::{Bitboard, Color, File, Rank, Square};
use rules::genome::moves::{Surroundings, moves};
use rules::genome::{Content, Dna, DnaError, MoveDescriptor, Owner, Placed};
use serde::{Deserialize, Serialize};

/// A piece with its DNA, its place, and the other pieces. Other fields are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) dna: String,
    color: Side,
    pos: (i64, i64),
    others: Vec<(i64, i64, Side)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Side {
    White,
    Black,
}

/// Why a case has no answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CaseError {
    #[error("dna: {0}")]
    Dna(DnaError),
    #[error("[{0}, {1}] is not a square; x and y go from 0 to 7")]
    Square(i64, i64),
    #[error("two pieces are on [{0}, {1}]; pos is the square of the piece that moves")]
    Occupied(i64, i64),
}

/// The moves of a case in the documented order.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Moves {
    moves_in_order: Vec<Found>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Found {
    to: (u8, u8),
    from_square: (char, &'static str),
    to_square: (char, &'static str),
}

impl Case {
    pub(crate) fn moves(&self) -> Result<Moves, CaseError> {
        let dna: Dna = self.dna.parse().map_err(CaseError::Dna)?;
        let from = square(self.pos.0, self.pos.1)?;
        let (mut own, mut enemy) = (Bitboard::of(from), Bitboard::EMPTY);
        for &(x, y, side) in &self.others {
            let at = square(x, y)?;
            if (own | enemy).has(at) {
                return Err(CaseError::Occupied(x, y));
            }
            let set = if side == self.color { &mut own } else { &mut enemy };
            *set |= at.into();
        }
        let color = if self.color == Side::White { Color::White } else { Color::Black };
        let found = moves(dna.codons(), from, Surroundings { color, own, enemy });
        Ok(Moves { moves_in_order: found.iter().map(Found::from).collect() })
    }
}

fn square(x: i64, y: i64) -> Result<Square, CaseError> {
    let index = |number: i64| u8::try_from(number).ok().filter(|&index| index < 8);
    let (file, rank) = index(x).zip(index(y)).ok_or(CaseError::Square(x, y))?;
    Ok(Square::new(File::from_index(file), Rank::from_index(rank)))
}

impl From<&MoveDescriptor> for Found {
    fn from(found: &MoveDescriptor) -> Self {
        Self {
            to: (found.to.file().index(), found.to.rank().index()),
            from_square: placed(found.start),
            to_square: placed(found.target),
        }
    }
}

fn placed(Placed { content, owner }: Placed) -> (char, &'static str) {
    let owner = match owner {
        Owner::Mover => "ME",
        Owner::Opponent => "OPPONENT",
    };
    (Content::letter(content).to_char(), owner)
}
