//! A board with all its persistent state.

use board::Settings;
use board::journal::{Condition, Journal, PersistentState, Values};
use board::session::{End, Session};
use chess::{Game, Position};
use rules::{Play, Ply, Start};
use wire::journal::SessionMemory;
use wire::link::{ClockRule, Clocks, GameInfo, NumberedEvent, Seat, clipped_name};

use crate::flash::{Flash, PowerCut};

pub(crate) struct TestBoard {
    pub(crate) game: Box<Play>,
    pub(crate) number: u64,
    pub(crate) seat: Seat,
    pub(crate) hints: bool,
    pub(crate) clock: Option<ClockRule>,
    pub(crate) names: [String; 2],
    pub(crate) clocks: Option<Clocks>,
    pub(crate) settings: Settings,
    pub(crate) values: Values,
    pub(crate) session: Session<16>,
}

/// Random stream of a board without a stored session.
const FIRST_STREAM: u64 = 0x1234_5678_9abc_def0;

impl TestBoard {
    /// A new board.
    pub(crate) fn new() -> Self {
        Self {
            game: Box::new(Play::new()),
            number: 0,
            seat: Seat::Both,
            hints: true,
            clock: None,
            names: [String::new(), String::new()],
            clocks: None,
            settings: Settings::default(),
            values: Values::new(),
            session: new_session(&SessionMemory::new(FIRST_STREAM), Vec::new()),
        }
    }

    /// Switches a board on with this flash.
    pub(crate) fn power_on(flash: &mut Flash) -> (Self, Journal, Condition) {
        let mut game = Box::new(Play::new());
        // The previous content of the game must not matter.
        game.play(Ply::of_move("a2a3".parse().expect("a move"))).expect("a legal move");
        let (journal, recovered) = Journal::recover(flash, &mut game);
        let info = recovered.info;
        assert_eq!(info.verdict, None, "the game has it");
        let memory = recovered.memory.unwrap_or(SessionMemory::new(FIRST_STREAM));
        let board = Self {
            number: info.game,
            seat: info.seat,
            hints: info.hints,
            clock: info.clock,
            names: [info.white.to_string(), info.black.to_string()],
            clocks: recovered.clocks,
            settings: recovered.settings,
            values: recovered.values.clone(),
            session: Session::new(End::Board, "test", &memory, recovered.events(flash)),
            game,
        };
        (board, journal, recovered.condition)
    }

    pub(crate) fn state(&self) -> PersistentState<'_, 16> {
        PersistentState {
            play: &self.game,
            info: GameInfo {
                game: self.number,
                seat: self.seat,
                hints: self.hints,
                clock: self.clock,
                verdict: self.game.verdict(),
                white: clipped_name(&self.names[0]),
                black: clipped_name(&self.names[1]),
            },
            clocks: self.clocks,
            settings: &self.settings,
            values: &self.values,
            session: &self.session,
        }
    }

    /// Carries out the actions of the journal until it has none, or the power is cut.
    pub(crate) fn persist(&self, journal: &mut Journal, flash: &mut Flash, quiet: bool) -> Result<(), PowerCut> {
        while let Some(action) = journal.poll(&self.state(), quiet) {
            flash.carry_out(&action)?;
            journal.done();
        }
        assert!(journal.has(&self.state()), "everything is stored");
        let kept = journal.memory().expect("a memory");
        assert_eq!((kept.stream, kept.last), (self.memory().stream, self.memory().last));
        Ok(())
    }

    pub(crate) fn chess(&self) -> &Game {
        self.game.chess().expect("chess is played here")
    }

    pub(crate) fn play(&mut self, mv: &str) {
        self.game.play(Ply::of_move(mv.parse().expect(mv))).expect(mv);
    }

    pub(crate) fn memory(&self) -> SessionMemory {
        self.session.memory()
    }

    pub(crate) fn pending(&self) -> Vec<NumberedEvent> {
        self.session.pending().collect()
    }

    /// Changes the state of the session as a connection would.
    pub(crate) fn change_memory(&mut self, change: impl FnOnce(&mut SessionMemory)) {
        let mut memory = self.memory();
        change(&mut memory);
        self.session = new_session(&memory, self.pending());
    }

    pub(crate) fn restart(&mut self, start: Position) {
        self.game.restart(&Start::Chess(start));
    }

    /// Whether a recovered board has all state of this one. Its acknowledged number may be lower, and it may therefore
    /// have more events.
    pub(crate) fn is_stored_in(&self, other: &Self) -> bool {
        let (memory, kept) = (self.memory(), other.memory());
        let known = |event: &NumberedEvent| event.number > memory.acknowledged;
        kept.acknowledged <= memory.acknowledged
            && SessionMemory { acknowledged: memory.acknowledged, ..kept } == memory
            && other.pending().into_iter().filter(known).eq(self.pending())
            && *self.game == *other.game
            && self.state().info == other.state().info
            && self.clocks == other.clocks
            && self.settings == other.settings
            && self.values == other.values
    }
}

impl Clone for TestBoard {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            names: self.names.clone(),
            values: self.values.clone(),
            session: new_session(&self.memory(), self.pending()),
            ..*self
        }
    }
}

fn new_session(memory: &SessionMemory, events: Vec<NumberedEvent>) -> Session<16> {
    Session::new(End::Board, "test", memory, events)
}
