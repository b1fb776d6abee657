use chess::{Bitboard, Color};

/// A position as a board needs to know it: whose turn it is, and which squares are occupied by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side to move.
    pub to_move: Color,
    /// The squares of White's pieces.
    pub white: Bitboard,
    /// The squares of Black's pieces.
    pub black: Bitboard,
    /// The pieces whose fate decides the game: the kings in chess. Empty under rules without such pieces.
    pub royal: Bitboard,
    /// Those royal pieces that are attacked.
    pub checked: Bitboard,
}

/// A pause of the game that a ply has caused. The clock of the player who made it loses this time, and the opponent's clock, which runs
/// meanwhile, gains it. No ply may be played until the time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// The player who made the ply.
    pub mover: Color,
    /// Milliseconds.
    pub ms: u32,
}

impl Turn {
    /// Every square with a piece on it.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.white.0 | self.black.0)
    }

    /// The squares of one side's pieces.
    #[must_use]
    pub const fn of(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The squares of the pieces that may move.
    #[must_use]
    pub const fn own(&self) -> Bitboard {
        self.of(self.to_move)
    }

    /// The royal pieces of one side.
    #[must_use]
    pub const fn royal_of(&self, color: Color) -> Bitboard {
        Bitboard(self.royal.0 & self.of(color).0)
    }
}
