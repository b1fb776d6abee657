//! Breakthrough: two rows of pawns a side, one step forward a ply, capturing diagonally; reaching the last rank wins.
//!
//! It exists to prove that nothing but this file and the lists of rule sets has to know what is played, and is built for tests only.

use chess::{Bitboard, Color, Piece, Role, Square};

use crate::footprint::Footprint;
use crate::look::Look;
use crate::notation::NotationError;
use crate::plies::Plies;
use crate::ply::Ply;
use crate::turn::Turn;
use crate::verdict::{Verdict, Why};

/// Whose pawns stand where, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    to_move: Color,
    white: Bitboard,
    black: Bitboard,
}

/// The rank that White's pawns want to reach.
const LAST_RANK: u64 = 0xff << 56;
/// The rank that Black's pawns want to reach.
const FIRST_RANK: u64 = 0xff;

impl Position {
    /// Two rows of pawns on either side. White moves first.
    pub const START: Self = Self { to_move: Color::White, white: Bitboard(0xffff), black: Bitboard(0xffff << 48) };

    pub(crate) const fn turn(&self) -> Turn {
        Turn {
            to_move: self.to_move,
            white: self.white,
            black: self.black,
            royal: Bitboard::EMPTY,
            checked: Bitboard::EMPTY,
        }
    }

    /// Every piece is a pawn.
    pub(crate) fn look(&self, square: Square) -> Option<Look<'static>> {
        let turn = self.turn();
        let color = Color::ALL.into_iter().find(|&color| turn.of(color).has(square))?;
        let letter = Piece::new(color, Role::Pawn).letter();
        Some(Look { color, letter, name: "pawn", drawing: Some(Role::Pawn) })
    }

    pub(crate) fn footprint(&self, ply: Ply) -> Option<Footprint> {
        let turn = self.turn();
        let (from, to) = (ply.from(), ply.to());
        let (file, rank) = (difference(from.file().index(), to.file().index()), rank_step(self.to_move, from, to));
        let theirs = turn.of(!self.to_move).has(to);
        let way_is_free = if file == 0 { !turn.occupied().has(to) } else { !turn.own().has(to) };
        let legal = self.verdict().is_none()
            && ply.choice() == 0
            && turn.own().has(from)
            && rank == 1
            && (-1..=1).contains(&file)
            && way_is_free;
        let captured = if theirs { Bitboard::of(to) } else { Bitboard::EMPTY };
        legal.then(|| Footprint::of_one(ply, turn.occupied(), captured))
    }

    /// Reads a ply, which people write as logs do.
    pub(crate) fn read(&self, text: &str) -> Result<Ply, NotationError> {
        let ply = text.parse().map_err(NotationError::Unexpected)?;
        self.footprint(ply).map(|_| ply).ok_or(NotationError::Illegal)
    }

    pub(crate) fn plies(&self) -> Plies {
        let pairs = self.turn().own().squares().flat_map(|from| Square::all().map(move |to| Ply::new(from, to)));
        pairs.filter(|&ply| self.footprint(ply).is_some()).collect()
    }

    pub(crate) fn after(&self, ply: Ply) -> Option<Self> {
        let footprint = self.footprint(ply)?;
        let moved = |own: Bitboard| own.without(footprint.lifts) | footprint.places;
        let (white, black) = match self.to_move {
            Color::White => (moved(self.white), self.black.without(footprint.captured)),
            Color::Black => (self.white.without(footprint.captured), moved(self.black)),
        };
        Some(Self { to_move: !self.to_move, white, black })
    }

    /// How the game ended, if it has.
    pub(crate) const fn verdict(&self) -> Option<Verdict> {
        let winner = if self.white.0 & LAST_RANK != 0 || self.black.is_empty() {
            Color::White
        } else if self.black.0 & FIRST_RANK != 0 || self.white.is_empty() {
            Color::Black
        } else {
            return None;
        };
        Some(Verdict::Won { winner, why: Why::Rules })
    }
}

fn difference(from: u8, to: u8) -> i8 {
    to.cast_signed().wrapping_sub(from.cast_signed())
}

/// How many ranks forward it is from one square to the other, seen by this side.
fn rank_step(color: Color, from: Square, to: Square) -> i8 {
    let up = difference(from.rank().index(), to.rank().index());
    match color {
        Color::White => up,
        Color::Black => up.wrapping_neg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_22_plies_at_the_start() {
        assert_eq!(Position::START.plies().len(), 22);
    }

    #[test]
    fn ends_when_a_pawn_reaches_the_last_rank() {
        let position = Position { white: Bitboard::of(Square::A7), ..Position::START };
        let next = position.after(Ply::new(Square::A7, Square::B8)).expect("captures on the last rank");
        assert_eq!(next.verdict(), Some(Verdict::Won { winner: Color::White, why: Why::Rules }));
        assert!(next.plies().is_empty());
    }
}
