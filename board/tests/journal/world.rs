//! A board with everything that it must not forget.

use board::Settings;
use board::journal::{Condition, Holdings, Journal, Values};
use board::session::{Conversation, End, Memory};
use chess::{Game, Position};
use wire::link::{ClockRule, Clocks, Said, Seat, Table};

use crate::flash::{Dark, Flash};

pub(crate) struct World {
    pub(crate) game: Box<Game>,
    pub(crate) number: u64,
    pub(crate) seat: Seat,
    pub(crate) hints: bool,
    pub(crate) clock: Option<ClockRule>,
    pub(crate) names: [String; 2],
    pub(crate) clocks: Option<Clocks>,
    pub(crate) settings: Settings,
    pub(crate) values: Values,
    pub(crate) conversation: Conversation<16>,
}

/// The random number with which a board begins that has never spoken to a relay.
const FIRST_STREAM: u64 = 0x1234_5678_9abc_def0;

impl World {
    /// A board out of the box.
    pub(crate) fn new() -> Self {
        Self {
            game: Box::new(Game::new()),
            number: 0,
            seat: Seat::Both,
            hints: true,
            clock: None,
            names: [String::new(), String::new()],
            clocks: None,
            settings: Settings::default(),
            values: Values::new(),
            conversation: talk(&Memory::blank(FIRST_STREAM), Vec::new()),
        }
    }

    /// What a board is after it has been switched on with this flash.
    pub(crate) fn wake(flash: &mut Flash) -> (Self, Journal, Condition) {
        let mut game = Box::new(Game::new());
        // What was in the memory before does not matter.
        game.play("a2a3".parse().expect("a move")).expect("a legal move");
        let (journal, recovered) = Journal::recover(flash, &mut game);
        let table = recovered.table(&game);
        assert_eq!(table.outcome, game.outcome());
        let memory = recovered.memory.unwrap_or(Memory::blank(FIRST_STREAM));
        let world = Self {
            number: table.game,
            seat: table.seat,
            hints: table.hints,
            clock: table.clock,
            names: [table.white.to_owned(), table.black.to_owned()],
            clocks: recovered.clocks,
            settings: recovered.settings,
            values: recovered.values.clone(),
            conversation: Conversation::new(End::Board, "test", &memory, recovered.events(flash)),
            game,
        };
        (world, journal, recovered.condition)
    }

    pub(crate) fn holdings(&self) -> Holdings<'_, 16> {
        Holdings {
            game: &self.game,
            table: Table {
                game: self.number,
                seat: self.seat,
                hints: self.hints,
                clock: self.clock,
                outcome: self.game.outcome(),
                white: &self.names[0],
                black: &self.names[1],
            },
            clocks: self.clocks,
            settings: &self.settings,
            values: &self.values,
            conversation: &self.conversation,
        }
    }

    /// Lets the journal do what it wants, until it wants nothing or the power goes.
    pub(crate) fn keep(&self, journal: &mut Journal, flash: &mut Flash, quiet: bool) -> Result<(), Dark> {
        while let Some(action) = journal.poll(&self.holdings(), quiet) {
            flash.carry_out(&action)?;
            journal.done();
        }
        assert!(journal.has(&self.holdings()), "all is kept");
        let kept = journal.memory().expect("a memory");
        assert_eq!((kept.stream, kept.said), (self.memory().stream, self.memory().said));
        Ok(())
    }

    pub(crate) fn memory(&self) -> Memory {
        self.conversation.memory()
    }

    pub(crate) fn pending(&self) -> Vec<Said> {
        self.conversation.pending().collect()
    }

    /// Changes what was said and heard as a connection would.
    pub(crate) fn change_memory(&mut self, change: impl FnOnce(&mut Memory)) {
        let mut memory = self.memory();
        change(&mut memory);
        self.conversation = talk(&memory, self.pending());
    }

    pub(crate) fn restart(&mut self, start: Position) {
        self.game.restart(start);
    }

    /// Whether another board, which has been switched on again, has everything that this one has. It may not know what
    /// the relay has acknowledged, and have more events for that.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        let (memory, kept) = (self.memory(), other.memory());
        let known = |said: &Said| said.number > memory.acknowledged;
        kept.acknowledged <= memory.acknowledged
            && Memory { acknowledged: memory.acknowledged, ..kept } == memory
            && other.pending().into_iter().filter(known).eq(self.pending())
            && *self.game == *other.game
            && self.holdings().table == other.holdings().table
            && self.clocks == other.clocks
            && self.settings == other.settings
            && self.values == other.values
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            names: self.names.clone(),
            values: self.values.clone(),
            conversation: talk(&self.memory(), self.pending()),
            ..*self
        }
    }
}

fn talk(memory: &Memory, events: Vec<Said>) -> Conversation<16> {
    Conversation::new(End::Board, "test", memory, events)
}
