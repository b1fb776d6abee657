//! One table: who sits there, what they play, and how it goes. Pure: commands and time in, facts out.
//!
//! A room is nothing but the sum of its [log](Entry): whoever has the log has the room, on whichever relay. So every change
//! goes the same way: [`Room::attempt`] says which [facts](Fact) a command would add, and what the room would be after
//! them; the store adds them to the log if nobody else was quicker; only then is it so, and everybody is told.
//!
//! - `fact.rs`: what can be in a log; `ending.rs`: how a game can end, here where people also just leave.
//! - `command.rs`: what can be asked for; `attempt.rs`: what comes of it.
//! - `consequence.rs`: what follows by itself, from the rules or from time, and when.
//! - `apply.rs`: what each fact changes.

mod apply;
mod attempt;
mod clock;
mod command;
mod consequence;
mod ending;
mod fact;
mod form;
mod name;
mod seat;
mod sheet;
mod terms;
#[cfg(test)]
mod tests;
mod time;

use std::collections::VecDeque;
use std::sync::Arc;

use chess::{Color, Game, Move};

pub use attempt::Draft;
pub use clock::Clock;
pub use command::{Command, Origin, Refusal, Speaker, Wish};
pub use ending::{Ending, Reason};
pub use fact::{Entry, Fact};
pub use name::{BadCode, BadName, Code, GameId, Name, RelayId, RoomId, UserId};
pub use seat::{Player, Presence, Seated, TokenHash};
pub use sheet::Sheet;
pub use terms::Terms;
pub use time::Time;

/// So many lines of chat are there for whoever comes late.
const CHAT_KEPT: usize = 30;

/// A table at a moment. Two are equal if nothing that was, or can be, tells them apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    id: RoomId,
    code: Code,
    terms: Terms,
    /// When it was opened, by the calendar: seconds since 1970.
    opened_on: u64,
    opened_at: Time,
    /// How many entries the log has.
    version: u64,
    /// When the last of them was made.
    last_at: Time,
    /// When the turn came to whoever has it.
    moved_at: Time,
    /// Whether somebody has ever sat down.
    was_used: bool,
    seats: [Option<Seated>; 2],
    phase: Phase,
    game_id: GameId,
    /// How many games were begun here.
    games: u32,
    game: Game<Sheet>,
    clock: Option<Clock>,
    /// What the mover had left after each move, in milliseconds. There is nothing in it without clocks.
    clock_after: Vec<u32>,
    ending: Option<Ending>,
    draw_offer: Option<Color>,
    /// At how many plies each side has offered a draw last, so that nobody asks all the time.
    draw_asked: [Option<usize>; 2],
    takeback: Option<(Color, u8)>,
    rematch: Option<Color>,
    /// Who agrees that the board may show where pieces can go.
    hints: [bool; 2],
    chat: VecDeque<Arc<Line>>,
    lines: u32,
}

/// What a room is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Somebody is missing.
    Waiting,
    /// Both are there, and the game begins then.
    Counting {
        /// When.
        until: Time,
    },
    /// A game is played.
    Playing,
    /// It is over. There may be another one.
    Over,
    /// Nobody will ever play here again, and the code is free.
    Closed,
}

/// Something that somebody said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who said it.
    pub speaker: Speaker,
    /// What.
    pub text: String,
}

impl Room {
    /// Reads a whole log. There is no room without one that opens it.
    #[must_use]
    pub fn from_log(log: &[Entry]) -> Option<Self> {
        let (first, rest) = log.split_first()?;
        let mut room = Self::open(first)?;
        for entry in rest {
            room.apply(entry);
        }
        Some(room)
    }

    /// Its number.
    #[must_use]
    pub const fn id(&self) -> RoomId {
        self.id
    }

    /// What one says to come in.
    #[must_use]
    pub const fn code(&self) -> &Code {
        &self.code
    }

    /// What was agreed when it was opened.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// When it was opened, in seconds since 1970.
    #[must_use]
    pub const fn opened_on(&self) -> u64 {
        self.opened_on
    }

    /// How many entries its log has.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// When the last entry was made.
    #[must_use]
    pub const fn last_at(&self) -> Time {
        self.last_at
    }

    /// Who sits at a side.
    #[must_use]
    pub fn seat(&self, color: Color) -> Option<&Seated> {
        self.seats[seat::index(color)].as_ref()
    }

    /// Where somebody sits.
    #[must_use]
    pub fn seat_of(&self, user: &UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.seat(color).is_some_and(|seated| seated.player.id == *user))
    }

    /// What it is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The game, which is the start position if none was begun.
    #[must_use]
    pub const fn game(&self) -> &Game<Sheet> {
        &self.game
    }

    /// Which game it is; 0 before the first.
    #[must_use]
    pub const fn game_id(&self) -> GameId {
        self.game_id
    }

    /// How many games were begun here.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// The last move, if there is one.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.game.moves().last().copied()
    }

    /// The clocks, if the game is played with them.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// What the mover had left after each move, in milliseconds; nothing, if the game is played without clocks.
    #[must_use]
    pub fn clock_after(&self) -> &[u32] {
        &self.clock_after
    }

    /// How the game ended, if it has.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who offers a draw.
    #[must_use]
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Who asks to take back how many plies.
    #[must_use]
    pub const fn takeback(&self) -> Option<(Color, u8)> {
        self.takeback
    }

    /// Who would like to play again.
    #[must_use]
    pub const fn rematch(&self) -> Option<Color> {
        self.rematch
    }

    /// Whether both agree that a board may show where pieces can go.
    #[must_use]
    pub const fn hints(&self) -> bool {
        self.hints[0] && self.hints[1]
    }

    /// Whether this player does.
    #[must_use]
    pub const fn agrees_to_hints(&self, color: Color) -> bool {
        self.hints[seat::index(color)]
    }

    /// What was said lately, the oldest first.
    pub fn chat(&self) -> impl Iterator<Item = &Line> {
        self.chat.iter().map(Arc::as_ref)
    }
}
