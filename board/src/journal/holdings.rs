use chess::Game;
use wire::link::{Clocks, MAX_NAME, Table};

use super::values::Values;
use crate::session::Conversation;
use crate::settings::Settings;

/// Everything that must outlive a power cut, as it is at this moment.
#[derive(Clone, Copy, Debug)]
pub struct Holdings<'a, const N: usize> {
    /// The game, and how it ended.
    pub game: &'a Game,
    /// What there is to know of it beside its moves. How it ended is taken from the game.
    pub table: Table<'a>,
    /// What the clocks show, if there are any. They are kept with every change of the game, and not by themselves: what
    /// runs all the time would wear the flash out.
    pub clocks: Option<Clocks>,
    /// The settings of the board.
    pub settings: &'a Settings,
    /// The settings of the firmware.
    pub values: &'a Values,
    /// What was said to the relay and heard from it.
    pub conversation: &'a Conversation<N>,
}

impl<'a, const N: usize> Holdings<'a, N> {
    /// The table, with names that are not too long to be kept.
    pub(super) fn table(&self) -> Table<'a> {
        Table { outcome: None, white: clipped(self.table.white), black: clipped(self.table.black), ..self.table }
    }
}

/// As much of a name as can be kept.
fn clipped(name: &str) -> &str {
    name.get(..name.floor_char_boundary(MAX_NAME)).unwrap_or(name)
}
