use core::error::Error;
use core::fmt;

use crate::moves::Move;
use crate::square::Square;

/// No game from the start position is longer than this.
///
/// Every 150 plies at the latest a pawn must move or a piece be taken, or the seventy-five-move rule ends the game; 96
/// pawn moves and 30 captures, of which 8 are one and the same ply, and three changes of the side that makes them, leave
/// room for 17,697 plies.
pub const MAX_PLIES: usize = 17_697;

/// Where the moves of a game are written down.
///
/// The board has a [`FixedSheet`], which holds any game and never grows. Whoever has an allocator and many games writes
/// each down in no more memory than it needs.
pub trait Scoresheet {
    /// The moves, the first one first.
    fn moves(&self) -> &[Move];

    /// Writes one more move behind the others. If there is no room for it, the sheet is as it was.
    fn write(&mut self, mv: Move) -> Result<(), SheetFull>;

    /// Strikes out all moves but so many of the first; nothing, if there are no more than that.
    fn truncate(&mut self, plies: usize);
}

/// There is no room for another move.
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
    /// The moves so far, of which the first `plies` count.
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
