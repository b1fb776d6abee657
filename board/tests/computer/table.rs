//! A board on a table: pieces, flash, the runner, and an engine that answers when the test says so.

use board::journal::{Action, Bank, Banks, Unreadable, Values};
use board::{
    BoardCore, Clock, Computer, Entry, Input, Instant, Question, Runner, Settings, Surface, ThinkCommand,
    promotion_squares,
};
use chess::{Bitboard, Move, Position, Promotion, Square};
use engine::{Engine, Limits, Memory, Random, Slot, Step};
use rules::Play;
use wire::link::ClockRule;

const BANK: usize = 128 * 1024;

struct Flash([Vec<u8>; 2]);

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        BANK
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        buffer.copy_from_slice(&self.0[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}

pub(crate) struct Table {
    flash: Flash,
    runner: Runner<Box<Surface>>,
    raw: Bitboard,
    now: u64,
    last_command: Option<ThinkCommand>,
    memory: Box<Memory>,
}

impl Table {
    pub(crate) fn new(raw: Bitboard) -> Self {
        Self::with_clock(raw, None)
    }

    /// Games have this time control.
    pub(crate) fn with_clock(raw: Bitboard, rule: Option<ClockRule>) -> Self {
        let mut flash = Flash([vec![0xff; BANK], vec![0xff; BANK]]);
        let mut runner = start(&mut flash, raw, 0, |values| Entry::Clock(rule).keep(values).expect("room for it"));
        runner.core_mut().use_clock();
        let mut table = Self { flash, runner, raw, now: 0, last_command: None, memory: Box::new(Memory::new()) };
        table.wait(50);
        table
    }

    /// Switches the board off and on again. The pieces stay.
    pub(crate) fn cut_power(&mut self) {
        self.last_command = None;
        self.runner = start(&mut self.flash, self.raw, self.now, |_| {});
    }

    pub(crate) fn core(&self) -> &BoardCore<Box<Surface>> {
        self.runner.core()
    }

    pub(crate) fn play(&self) -> &Play {
        self.core().play().expect("a game")
    }

    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.core().surface().referee().clock()
    }

    pub(crate) fn position(&self) -> Position {
        *self.play().chess().expect("chess").position()
    }

    pub(crate) fn moves(&self) -> String {
        let moves: Vec<String> = self.play().plies_from(0).map(|ply| ply.to_string()).collect();
        moves.join(" ")
    }

    pub(crate) const fn now(&self) -> Instant {
        Instant::at(self.now)
    }

    pub(crate) fn set_computer(&mut self, computer: Computer) {
        let now = self.now();
        self.runner.core_mut().set_computer(computer, now);
        self.wait(5);
    }

    pub(crate) const fn last_command(&self) -> Option<&ThinkCommand> {
        self.last_command.as_ref()
    }

    /// The question in progress.
    pub(crate) const fn question(&self) -> Option<&Question> {
        match &self.last_command {
            Some(ThinkCommand::Start(question)) => Some(question),
            _ => None,
        }
    }

    pub(crate) const fn is_asked(&self) -> bool {
        self.question().is_some()
    }

    /// Polls with an input, and carries out all that follows.
    fn poll(&mut self, input: Input<'_>) {
        let mut input = Some(input);
        loop {
            let output = self.runner.poll(input.take().unwrap_or(Input::Wake), false, Instant::at(self.now));
            if let Some(command) = output.think {
                self.last_command = Some(command);
            }
            match output.flash {
                Some(Action::Erase(bank)) => self.flash.0[bank as usize].fill(0xff),
                Some(Action::Write { bank, offset, bytes }) => {
                    self.flash.0[bank as usize][offset..offset + bytes.len()].copy_from_slice(bytes);
                }
                None => return,
            }
            input = Some(Input::FlashDone { ok: true });
        }
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            self.poll(Input::Scan(self.raw));
        }
    }

    /// The engine answers this question.
    pub(crate) fn answer(&mut self, question: &Question) {
        let mut table = vec![Slot::EMPTY; 1024];
        let mut engine = Engine::new(&mut self.memory, &mut table);
        // A number of nodes in place of a time, so that a test gives the same moves everywhere.
        let question = Question { limits: Limits { nodes: Some(3_000), ..Limits::default() }, ..question.clone() };
        question.start(&mut engine).expect("a legal move");
        let best = loop {
            match engine.step(500, 0) {
                Step::Best(best) => break best,
                Step::Thinking => {}
                Step::Idle => panic!("a search was started"),
            }
        };
        self.poll(Input::SearchResult(question.answer(&best)));
    }

    /// The engine answers the question in progress.
    pub(crate) fn think(&mut self) {
        let question = self.question().expect("it is asked").clone();
        self.answer(&question);
    }

    pub(crate) fn lift(&mut self, square: Square) {
        self.raw = self.raw.without(square.into());
        self.wait(200);
    }

    pub(crate) fn place(&mut self, square: Square) {
        self.raw |= square.into();
        self.wait(200);
    }

    pub(crate) fn shift(&mut self, from: Square, to: Square) {
        self.lift(from);
        self.place(to);
    }

    /// Makes a move of the player.
    pub(crate) fn make(&mut self, mv: Move) {
        let position = self.position();
        self.make_in(&position, mv);
        if let Some(promotion) = mv.promotion() {
            let order = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];
            let (square, _) =
                promotion_squares(mv.to()).zip(order).find(|(_, other)| *other == promotion).expect("four");
            let is_occupied = self.raw.has(square);
            if is_occupied {
                self.lift(square);
                self.place(square);
            } else {
                self.place(square);
                self.lift(square);
            }
        }
        self.wait(1_600);
    }

    /// Makes the move of the computer, which the lights show.
    pub(crate) fn make_reply(&mut self) {
        let game = self.play().chess().expect("chess");
        let (before, mv) = (game.before_last().expect("a move"), *game.moves().last().expect("a move"));
        self.make_in(&before, mv);
        self.wait(400);
    }

    fn make_in(&mut self, position: &Position, mv: Move) {
        if let Some(victim) = position.victim(mv) {
            self.lift(victim);
        }
        self.shift(mv.from(), mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.shift(from, to);
        }
    }
}

fn start(flash: &mut Flash, raw: Bitboard, now: u64, amend: impl FnOnce(&mut Values)) -> Runner<Box<Surface>> {
    let surface = Box::new(Surface::new(Settings::default(), raw, Instant::at(now)));
    let core = BoardCore::start(surface, flash, amend, "test", 7, Instant::at(now));
    Runner::new(core)
}

pub(crate) fn random_move(position: &Position, random: &mut u64) -> Move {
    let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
    let mut numbers = Random::new(*random);
    *random = numbers.next();
    moves[(*random % moves.len() as u64) as usize]
}
