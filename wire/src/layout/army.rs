use chess::{Color, Role, SetupError, Square};

use super::man::Man;
use super::refusal::Reason;

/// The men that one side has or had: those on the board and those captured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Army {
    kings: u8,
    pawns: u8,
    knights: u8,
    light_bishops: u8,
    dark_bishops: u8,
    /// Bishops that were captured, so that nobody knows on which colour of squares they stood.
    lost_bishops: u8,
    rooks: u8,
    queens: u8,
}

impl Army {
    /// Adds a man, on its square or captured, and says why there cannot be so many if there cannot.
    pub(super) fn enlist(&mut self, man: Man, square: Option<Square>) -> Result<(), Reason> {
        let color = man.piece.color();
        let count = match (man.piece.role(), square) {
            (Role::King, _) => &mut self.kings,
            (Role::Pawn, _) => &mut self.pawns,
            (Role::Knight, _) => &mut self.knights,
            (Role::Bishop, None) => &mut self.lost_bishops,
            (Role::Bishop, Some(square)) if square.is_light() => &mut self.light_bishops,
            (Role::Bishop, Some(_)) => &mut self.dark_bishops,
            (Role::Rook, _) => &mut self.rooks,
            (Role::Queen, _) => &mut self.queens,
        };
        *count = count.saturating_add(1);
        if self.kings > 1 {
            Err(Reason::SetUp(SetupError::SeveralKings(color)))
        } else if self.pawns_once() > 8 {
            Err(Reason::SetUp(SetupError::TooManyPieces(color)))
        } else {
            Ok(())
        }
    }

    /// How many of them are pawns or were: whatever is beyond the pieces that a game starts with was promoted.
    ///
    /// With at most eight such, there are at most sixteen men in all.
    fn pawns_once(self) -> u8 {
        // A captured bishop may be the one of the first day that is not on the board.
        let missing_bishops = [self.light_bishops, self.dark_bishops]
            .map(|count| 1_u8.saturating_sub(count))
            .into_iter()
            .fold(0, u8::saturating_add);
        [
            self.pawns,
            self.knights.saturating_sub(2),
            self.light_bishops.saturating_sub(1),
            self.dark_bishops.saturating_sub(1),
            self.lost_bishops.saturating_sub(missing_bishops),
            self.rooks.saturating_sub(2),
            self.queens.saturating_sub(1),
        ]
        .into_iter()
        .fold(0, u8::saturating_add)
    }
}

/// Both sides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Armies {
    white: Army,
    black: Army,
}

impl Armies {
    /// The army of this side.
    pub(super) const fn of(&mut self, color: Color) -> &mut Army {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
