use board::{Brain, Instant, LightSettings, Orientation, Settings};
use chess::{Bitboard, Position};
use wire::link::{ClockRule, Table};

use super::wood::Wood;

/// How a board is when the program begins, and again when the player wants to begin again.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Where the game begins.
    pub(crate) position: Position,
    /// How the players' time is counted, if it is.
    pub(crate) clock: Option<ClockRule>,
    /// Whether the pieces are still beside the board.
    pub(crate) empty: bool,
    /// Whether Black sits near.
    pub(crate) turned: bool,
}

impl Start {
    pub(super) fn wood(&self) -> Wood {
        let wood = Wood::of(&self.position);
        if self.empty { wood.packed() } else { wood }
    }

    /// The brain of a board that has just been switched on, on this wood.
    pub(super) fn brain(&self, wood: &Wood, now: Instant) -> Box<Brain> {
        let orientation = if self.turned { Orientation::BlackNear } else { Orientation::WhiteNear };
        // A screen is bright enough for a room by itself, and draws no current from us.
        let lights = LightSettings { brightness: u8::MAX, budget_milliamps: u16::MAX, ..LightSettings::default() };
        let settings = Settings { orientation, lights, ..Settings::default() };
        let mut brain = Box::new(Brain::new(settings, self.turn(wood.occupied()), now));
        brain.begin(self.position, &Table { clock: self.clock, ..Table::LOCAL }, now);
        brain
    }

    /// From the squares of the game to those of the wood, and back.
    pub(super) const fn turn(&self, squares: Bitboard) -> Bitboard {
        if self.turned { Bitboard(squares.0.reverse_bits()) } else { squares }
    }
}
