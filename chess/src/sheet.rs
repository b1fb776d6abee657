use core::error::Error;
use core::fmt;

use crate::moves::Move;
use crate::square::Square;

/// Length of the longest game from the start position in plies.
///
/// The seventy-five-move rule ends a game after 150 plies without a pawn move or capture. There are at most 96 pawn moves
/// and 30 captures, 8 of them in the same ply, and three changes of the side that makes them: 17,697 plies.
pub const MAX_PLIES: usize = 17_697;

/// Storage for the moves of a game.
///
/// A board uses a [`FixedSheet`], which holds any game in fixed memory. A relay with many games uses a growing vector.
pub trait Scoresheet {
    /// Moves in order.
    fn moves(&self) -> &[Move];

    /// Appends a move. On an error the sheet is unchanged.
    fn write(&mut self, mv: Move) -> Result<(), SheetFull>;

    /// Keeps only the first `plies` moves; does nothing if there are fewer.
    fn truncate(&mut self, plies: usize);
}

/// The scoresheet has no room for another move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetFull;

impl fmt::Display for SheetFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scoresheet is full")
    }
}

impl Error for SheetFull {}

/// A scoresheet in fixed memory, with room for [`MAX_PLIES`].
#[derive(Clone)]
pub struct FixedSheet {
    /// The first `plies` entries are valid.
    moves: [Move; MAX_PLIES],
    plies: u16,
}

impl FixedSheet {
    /// An empty sheet.
    #[must_use]
    #[expect(clippy::large_stack_arrays, reason = "in a static it is no local array")]
    pub const fn new() -> Self {
        Self { moves: [Move::new(Square::A1, Square::A1); MAX_PLIES], plies: 0 }
    }
}

impl Default for FixedSheet {
    fn default() -> Self {
        Self::new()
    }
}

impl Scoresheet for FixedSheet {
    fn moves(&self) -> &[Move] {
        self.moves.get(..usize::from(self.plies)).unwrap_or_default()
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        *self.moves.get_mut(usize::from(self.plies)).ok_or(SheetFull)? = mv;
        self.plies = self.plies.saturating_add(1);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        if plies < usize::from(self.plies) {
            self.plies = plies as u16;
        }
    }
}

impl fmt::Debug for FixedSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FixedSheet").field(&self.moves()).finish()
    }
}
