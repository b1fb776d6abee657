use chess::{Game, Outcome};
use wire::link::{ClockRule, Seat, Table};

use crate::name::Name;

/// Who sits at the table: what there is to know of a game beside its moves, in memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Seating {
    pub(super) game: u64,
    seat: Seat,
    pub(super) hints: bool,
    pub(super) clock: Option<ClockRule>,
    /// How a game that comes in had ended, until that is done to it.
    pub(super) outcome: Option<Outcome>,
    white: Name,
    black: Name,
}

impl Seating {
    pub(super) fn of(table: &Table<'_>) -> Self {
        let Table { game, seat, hints, clock, outcome, white, black } = *table;
        Self { game, seat, hints, clock, outcome, white: Name::new(white), black: Name::new(black) }
    }

    /// Whether one side of it is played elsewhere.
    pub(super) const fn is_shared(&self) -> bool {
        matches!(self.seat, Seat::White | Seat::Black)
    }

    pub(super) fn table(&self, game: &Game) -> Table<'_> {
        Table {
            game: self.game,
            seat: self.seat,
            hints: self.hints,
            clock: self.clock,
            outcome: game.outcome(),
            white: self.white.as_str(),
            black: self.black.as_str(),
        }
    }
}
