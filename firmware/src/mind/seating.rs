use chess::{Game, Outcome};
use heapless::String;
use wire::link::{ClockRule, MAX_NAME, Seat, Table};

/// Who sits at the table: what there is to know of a game beside its moves, in memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Seating {
    game: u64,
    seat: Seat,
    pub(super) hints: bool,
    pub(super) clock: Option<ClockRule>,
    /// How a game that comes in had ended, until that is done to it.
    pub(super) outcome: Option<Outcome>,
    white: String<MAX_NAME>,
    black: String<MAX_NAME>,
}

impl Seating {
    pub(super) fn of(table: &Table<'_>) -> Self {
        let Table { game, seat, hints, clock, outcome, white, black } = *table;
        // A name that is too long came from nobody who keeps to the protocol.
        let name = |name| String::try_from(name).unwrap_or_default();
        Self { game, seat, hints, clock, outcome, white: name(white), black: name(black) }
    }

    pub(super) fn table(&self, game: &Game) -> Table<'_> {
        Table {
            game: self.game,
            seat: self.seat,
            hints: self.hints,
            clock: self.clock,
            outcome: game.outcome(),
            white: &self.white,
            black: &self.black,
        }
    }
}
