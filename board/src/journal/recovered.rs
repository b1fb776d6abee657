use chess::Game;
use wire::journal::{Found, Record};
use wire::link::{ClockRule, Clocks, Said, Seat, Table};

use super::bank::{Bank, Banks};
use super::values::Values;
use super::walk::{Place, Walk};
use crate::name::Name;
use crate::session::Memory;
use crate::settings::Settings;

/// What a journal had kept, beside the game.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// Whether it was all as it should be.
    pub condition: Condition,
    /// The settings of the board.
    pub settings: Settings,
    /// The settings of the firmware.
    pub values: Values,
    /// What the clocks showed when the game last changed, if there are any.
    pub clocks: Option<Clocks>,
    /// How far the conversation with the relay had come, if there was one.
    pub memory: Option<Memory>,
    seat: Seat,
    hints: bool,
    clock: Option<ClockRule>,
    number: u64,
    white: Name,
    black: Name,
    /// Where the events are.
    pub(super) bank: Bank,
    /// Where those of this stream begin.
    pub(super) stream: Place,
    /// Where all ends.
    pub(super) end: Place,
}

/// What a journal was found to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing was ever kept, or nothing is left of it.
    Blank,
    /// All is there, as far as can be told: a bank that has lost its head cannot be told from one that was being erased.
    Whole,
    /// Something was cut off, or has been damaged since. All that came before it is there.
    Torn,
}

impl Recovered {
    pub(super) fn new(bank: Bank, place: Place) -> Self {
        let mut recovered = Self {
            condition: Condition::Blank,
            settings: Settings::default(),
            values: Values::new(),
            clocks: None,
            memory: None,
            seat: Seat::Both,
            hints: false,
            clock: None,
            number: 0,
            white: Name::NONE,
            black: Name::NONE,
            bank,
            stream: place,
            end: place,
        };
        recovered.set_table(&Table::LOCAL);
        recovered
    }

    pub(super) fn set_table(&mut self, table: &Table<'_>) {
        let Table { game, seat, hints, clock, outcome: _, white, black } = *table;
        self.number = game;
        self.seat = seat;
        self.hints = hints;
        self.clock = clock;
        self.white = Name::new(white);
        self.black = Name::new(black);
    }

    /// What there is to know of this game beside its moves.
    #[must_use]
    pub fn table(&self, game: &Game) -> Table<'_> {
        Table {
            game: self.number,
            seat: self.seat,
            hints: self.hints,
            clock: self.clock,
            outcome: game.outcome(),
            white: self.white.as_str(),
            black: self.black.as_str(),
        }
    }

    /// What was said to the relay and may not have been heard, the oldest first, as
    /// [`Conversation::new`](crate::session::Conversation::new) wants it. They are read from the banks one by one, so they
    /// have to be taken before anything else is written there.
    pub fn events<'b, B: Banks>(&self, banks: &'b mut B) -> Events<'b, B> {
        Events { walk: Walk::new(banks, self.bank, self.stream), end: self.end, taken: 0, frame: self.stream }
    }
}

/// The events that were kept, one after the other.
pub struct Events<'b, B> {
    walk: Walk<'b, B>,
    end: Place,
    /// The frame that the next event is in, and how many records of it are taken already.
    frame: Place,
    taken: usize,
}

impl<B: Banks> Iterator for Events<'_, B> {
    type Item = Said;

    fn next(&mut self) -> Option<Said> {
        while self.frame != self.end {
            self.walk.go_to(self.frame);
            let Found::Frame(frame) = self.walk.step() else { return None };
            for record in frame.records().flatten().skip(self.taken) {
                self.taken = self.taken.saturating_add(1);
                if let Record::Said(said) = record {
                    return Some(said);
                }
            }
            self.taken = 0;
            self.frame = self.walk.place();
        }
        None
    }
}
