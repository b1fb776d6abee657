//! A board for the tests of the dialect: a thin loop around [`board::Runner`] with flash in memory, careful hands, and a clock that the
//! test advances.

mod hands;
mod other_rules;

use std::fmt;

use board::console::ConsoleMachine;
use board::journal::{Journal, Values};
use board::session::LinkError;
use board::{BoardCore, Entry, Input, Instant, LinkCommand, Meaning, NetworkState, Notice, Runner, Settings, Surface};
use chess::{Bitboard, Game, Move, Outcome, Position, Square};
use rules::Play;
use wire::link::{Ephemeral, Event, GameInfo, Goodbye, Live, Occupancy, Seat};

use super::Random;
use crate::virtual_board::{FlashFile, FlashOperation};

/// Capacity of the queue of unacknowledged events: so small that it is full now and then.
const QUEUE: usize = 6;

/// A board with pieces on it, and the hands of its player.
pub(super) struct SimulatedBoard {
    key: [u8; 32],
    runner: Runner<Box<Surface>, QUEUE>,
    flash: FlashFile,
    /// The flash operation in progress.
    writing: Option<FlashOperation>,
    /// The id and the moves of the game in flash.
    stored: (u64, Vec<Move>),
    /// The last command of the runner for the transport.
    link: Option<LinkCommand>,
    /// The squares on which pieces stand.
    standing: Bitboard,
    /// The moves that were made with the pieces.
    made: Vec<Move>,
    /// Milliseconds since the start of the test.
    pub(super) now: u64,
    random: Random,
    pub(super) errors: Vec<LinkError>,
    pub(super) goodbyes: Vec<Goodbye>,
    pub(super) live: Option<Live>,
    /// How many console lines of the relay were executed.
    pub(super) lines: u32,
}

impl SimulatedBoard {
    /// A new board with the pieces in the start position.
    pub(super) fn new(key: [u8; 32], seed: u64) -> Self {
        let mut random = Random(seed);
        let mut flash = FlashFile::in_memory();
        let standing = Position::start().occupied();
        Self {
            key,
            runner: start(key, &mut flash, standing, random.next(), 0),
            flash,
            writing: None,
            stored: (0, Vec::new()),
            link: None,
            standing,
            made: Vec::new(),
            now: 0,
            random,
            errors: Vec::new(),
            goodbyes: Vec::new(),
            live: None,
            lines: 0,
        }
    }

    /// What the light of a square says.
    pub(super) fn light(&self, square: Square) -> Option<Meaning> {
        self.runner.core().surface().referee().scene(Instant::at(self.now)).at(square)
    }

    /// The name of the challenger, if a challenge is shown.
    pub(super) fn challenger(&self) -> Option<String> {
        self.runner.core().surface().referee().challenge().map(|challenge| challenge.name.to_string())
    }

    /// Polls the runner. Flash operations stay in progress until [`Self::finish_flash_operation`].
    fn poll(&mut self, input: Input<'_>, can_send: bool) -> Result<Option<Vec<u8>>, LinkError> {
        let now = Instant::at(self.now);
        let output = self.runner.poll(input, can_send, now);
        let (send, error, reload) = (output.send.map(<[u8]>::to_vec), output.error, output.reload);
        let remote_line = output.remote_line;
        self.link = output.link.or(self.link);
        match output.notice {
            Some(Notice::Goodbye(reason)) => self.goodbyes.push(reason),
            Some(Notice::Live(live)) => self.live = Some(live),
            Some(_) | None => {}
        }
        if let Some(action) = output.flash {
            assert!(self.writing.is_none(), "one flash operation at a time");
            self.writing = Some(action.into());
        }
        if reload {
            self.runner.reload(&mut self.flash, now);
        }
        if let Some(remote) = remote_line {
            self.lines += 1;
            self.runner.answer(&remote, &mut LineCounter(self.lines), now);
        }
        let is_new = self.info().is_some_and(|info| info.game == 0);
        if is_new && self.game().is_some_and(|game| game.moves().is_empty()) {
            self.made.clear();
        }
        error.map_or(Ok(send), Err)
    }

    /// Polls the runner with an input that cannot break the connection.
    fn input(&mut self, input: Input<'_>) {
        let sent = self.poll(input, false).expect("no frame was sent or received");
        assert_eq!(sent, None);
    }

    /// Connects the transport without waiting for the backoff. Returns false if the runner does not want to connect now.
    pub(super) fn connect(&mut self) -> bool {
        self.input(Input::Network(NetworkState::Up));
        if self.link != Some(LinkCommand::Connect) {
            return false;
        }
        self.link = None;
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.random.next().to_le_bytes()));
        self.input(Input::Connected(Ephemeral::new(bytes)));
        true
    }

    /// Disconnects the transport.
    pub(super) fn cut(&mut self) {
        self.link = None;
        let random = self.random.next() as u32;
        self.input(Input::Disconnected { random });
    }

    /// Cuts the power and restores it. Of a flash operation in progress either all is written, or a part.
    pub(super) fn restart(&mut self, is_written: bool) {
        if let Some(operation) = self.writing.take() {
            let len = self.random.next() as usize;
            match operation {
                FlashOperation::Write { bank, offset, mut bytes } if !is_written => {
                    bytes.truncate(len % bytes.len());
                    self.carry_out(FlashOperation::Write { bank, offset, bytes });
                }
                FlashOperation::Erase(_) if !is_written => {}
                operation => self.carry_out(operation),
            }
        }
        self.link = None;
        self.runner = start(self.key, &mut self.flash, self.standing, self.random.next(), self.now);
    }

    /// Replaces the flash by an empty one, and restarts.
    pub(super) fn forget(&mut self) {
        self.flash = FlashFile::in_memory();
        self.writing = None;
        self.stored = (0, Vec::new());
        self.made.clear();
        self.restart(true);
    }

    /// Starts a flash operation, if there is something to store.
    pub(super) fn start_flash_operation(&mut self) {
        self.input(Input::Wake);
    }

    /// Completes the flash operation in progress. Returns false if there is none.
    pub(super) fn finish_flash_operation(&mut self) -> bool {
        let Some(operation) = self.writing.take() else { return false };
        self.carry_out(operation);
        self.input(Input::FlashDone { ok: true });
        true
    }

    /// Stores everything.
    pub(super) fn store(&mut self) {
        self.start_flash_operation();
        while self.finish_flash_operation() {}
    }

    fn carry_out(&mut self, operation: FlashOperation) {
        self.flash.carry_out(operation).expect("flash in memory");
        let mut play: Box<Play> = Box::default();
        let (_, contents) = Journal::recover(&mut self.flash, &mut play);
        self.stored = (contents.info.game, play.sheet().to_vec());
    }

    /// The id and the moves of the game that a restart would recover.
    pub(super) fn stored(&self) -> (u64, &[Move]) {
        (self.stored.0, &self.stored.1)
    }

    /// The next frame to send, if there is one.
    pub(super) fn transmit(&mut self) -> Result<Option<Vec<u8>>, LinkError> {
        self.poll(Input::Wake, true)
    }

    pub(super) fn receive(&mut self, mut frame: Vec<u8>) -> Result<(), LinkError> {
        self.poll(Input::Received(&mut frame), false).map(|_| ())
    }

    /// Whether the transport is closed.
    pub(super) fn is_disconnected(&self) -> bool {
        self.runner.core().connect_at().is_some()
    }

    pub(super) fn is_online(&self) -> bool {
        self.runner.core().is_online()
    }

    /// The number of events that the relay has not acknowledged.
    pub(super) fn pending(&self) -> usize {
        self.runner.core().pending_events()
    }

    /// The game under any rules; `None` while a snapshot is being received.
    pub(super) fn any_game(&self) -> Option<&Play> {
        self.runner.core().play()
    }

    /// The game; `None` while a snapshot is being received.
    pub(super) fn game(&self) -> Option<&Game> {
        self.any_game().and_then(Play::chess)
    }

    /// The moves of the game; `None` while a snapshot is being received.
    pub(super) fn moves(&self) -> Option<&[Move]> {
        self.game().map(Game::moves)
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.game().and_then(Game::outcome)
    }

    /// The circumstances of the game; `None` while a snapshot is being received.
    pub(super) fn info(&self) -> Option<GameInfo> {
        self.runner.core().game_info()
    }

    pub(super) fn seat(&self) -> Option<Seat> {
        self.info().map(|info| info.seat)
    }

    /// The report for spectators.
    pub(super) fn occupancy(&self) -> Occupancy {
        self.runner.core().surface().occupancy()
    }

    /// Queues an event that did not happen on the board, as faulty software would.
    pub(super) fn queue_false_event(&mut self, event: Event) {
        self.runner.core_mut().queue_false_event(event);
    }
}

/// A machine whose `stats` has the number of the line in its first and last line, and a length between them that depends on it.
struct LineCounter(u32);

impl ConsoleMachine for LineCounter {
    fn random(&mut self) -> u32 {
        self.0
    }

    fn write_version(&self, text: &mut impl fmt::Write) -> fmt::Result {
        write!(text, "line {} ", self.0)
    }

    fn write_stats(&self, text: &mut impl fmt::Write) -> fmt::Result {
        for _ in 0..self.0 * 53 % 350 {
            text.write_char('é')?;
        }
        write!(text, "end {}", self.0)
    }
}

fn start(
    key: [u8; 32],
    flash: &mut FlashFile,
    standing: Bitboard,
    random: u64,
    now: u64,
) -> Runner<Box<Surface>, QUEUE> {
    let now = Instant::at(now);
    let surface = Box::new(Surface::new(Settings::default(), standing, now));
    let amend = |values: &mut Values| {
        for entry in [Entry::Key(Some(key)), Entry::Relay("ws://relay")] {
            entry.keep(values).expect("both are short");
        }
    };
    Runner::new(BoardCore::start(surface, flash, amend, "test", random, now))
}
