//! The sans-IO core of a board: playing surface, link session and journal, kept in step.
//!
//! The surface knows nothing of the link, and the link nothing of the journal. The core passes on what each of them produces, in the
//! order that keeps their guarantees: an event is applied to the game before it is queued, and sent only after the journal has stored it.

mod frame_scheduler;
mod pairing;
mod remote_console;

use core::fmt::Write as _;
use core::ops::DerefMut;

use arrayvec::ArrayString;
use chess::Bitboard;
use rules::Play;
use wire::journal::SessionMemory;
use wire::link::{
    CORRECTIONS, Clocks, ConsoleLine, Ephemeral, Event, GameInfo, Goodbye, InitiatorError, Live, Name, PairingKey,
    Refusal, Seat,
};

use crate::clock::Clock;
use crate::computer::Computer;
use crate::console::{MAX_ANSWER, RemoteLine};
use crate::journal::{Action, Banks, Condition, Journal, JournalContents, PersistentState, Values};
use crate::link_state::{LinkState, NetworkState};
use crate::profile::{Entry, Profile};
use crate::referee::{Effect, Known, Referee};
use crate::session::{BoardSession, End, Incoming, LinkError, Session};
use crate::settings::Settings;
use crate::surface::{Rendered, Surface};
use crate::thinking::{SearchResult, ThinkCommand, Thinking};
use crate::time::Instant;
pub(crate) use frame_scheduler::FrameScheduler;
use pairing::PairingState;
use remote_console::RemoteConsole;

/// The core of a board. The surface is too big to be moved about on a small stack, so the caller provides its place: a static, or a
/// box. `N` is the capacity of the queue of unacknowledged events.
pub struct BoardCore<B = &'static mut Surface, const N: usize = 256> {
    surface: B,
    link: BoardSession<N>,
    /// Whether there is a key for a relay. Without one no event is queued.
    paired: bool,
    pairing: PairingState,
    network: NetworkState,
    /// Whether the relay has refused the key.
    is_refused: bool,
    journal: Journal,
    values: Values,
    /// Metadata of the game. The verdict is that of the game itself.
    info: GameInfo,
    /// Metadata of a game that is being loaded, and what was known before of a told game.
    coming: Option<(GameInfo, Option<Known>)>,
    thinking: Thinking,
    remote_console: RemoteConsole,
    software: &'static str,
    condition: Condition,
    /// Whether the lights may have to change.
    dirty: bool,
}

/// What a received frame means for the connection, for logs and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The relay has completed the handshake and sent its hello.
    Online,
    /// A game was loaded from a snapshot.
    Loaded {
        /// How many plies it has.
        plies: usize,
    },
    /// The relay reports the clocks and the presence of the opponent.
    Live(Live),
    /// The relay closes the connection.
    Goodbye(Goodbye),
    /// The owner of the relay compares these squares.
    Compare(Bitboard),
    /// The relay has given the board a key.
    Paired,
    /// The owner of the relay has declined to pair the board.
    Declined,
    /// The next step or the result of a calibration.
    Calibration(&'static str),
}

impl<B: DerefMut<Target = Surface>, const N: usize> BoardCore<B, N> {
    /// Starts from what the journal has stored. The random number identifies the event stream of a board that has none yet, and `amend`
    /// may change the stored values before they are used. It is not inlined, because the stack of a small machine is deepest here.
    #[inline(never)]
    pub fn start(
        mut surface: B,
        banks: &mut impl Banks,
        amend: impl FnOnce(&mut Values),
        software: &'static str,
        random: u64,
        now: Instant,
    ) -> Self {
        let (journal, recovered) = Journal::recover(banks, surface.loading());
        let mut values = recovered.values.clone();
        let former_key = Profile(&values).key();
        amend(&mut values);
        let key = Profile(&values).key();
        // A board with another key speaks to another relay, which has received nothing yet.
        let same = key == former_key;
        let mut settings = recovered.settings;
        settings.hand.pace = Profile(&values).pace();
        surface.set(settings, now);
        let computer = Profile(&values).computer().unwrap_or(Computer { seed: random, ..Computer::DEFAULT });
        surface.set_computer(computer, now);
        surface.set_local_clock(Profile(&values).clock());
        surface.resume(&recovered.info, now);
        if let Some(clocks) = recovered.clocks {
            surface.set_clocks(clocks, now);
        }
        let has_game = has_game(surface.play(), &recovered.info);
        let memory = recovered.memory.filter(|_| same).unwrap_or(SessionMemory::new(random));
        let mut core = Self {
            surface,
            link: BoardSession::new(
                PairingKey::new(key.unwrap_or_default()),
                Session::new(End::Board, software, &memory, []),
            ),
            paired: key.is_some(),
            pairing: PairingState::new(now),
            network: NetworkState::Up,
            is_refused: false,
            journal,
            values,
            info: recovered.info,
            coming: None,
            thinking: Thinking::default(),
            remote_console: RemoteConsole::default(),
            software,
            condition: recovered.condition,
            dirty: true,
        };
        core.take_events(&memory, &recovered, same, banks);
        if !same && has_game {
            core.link.session_mut().force_snapshot();
        }
        core.name_players();
        core.show_link_state();
        core
    }

    /// How the journal was found at the start.
    pub const fn condition(&self) -> Condition {
        self.condition
    }

    /// Queues the stored events again. It is not inlined, so that the session is not twice in the frame of its caller.
    #[inline(never)]
    fn take_events(&mut self, memory: &SessionMemory, recovered: &JournalContents, same: bool, banks: &mut impl Banks) {
        *self.link.session_mut() =
            Session::new(End::Board, self.software, memory, recovered.events(banks).filter(|_| same));
    }

    /// Drops a half-loaded game and goes back to what the journal has stored, as after a restart.
    pub fn reload(&mut self, banks: &mut impl Banks, now: Instant) {
        let (journal, recovered) = Journal::recover(banks, self.surface.loading());
        let memory = recovered.memory.unwrap_or(self.link.session().memory());
        *self.link.session_mut() = Session::new(End::Board, self.software, &memory, recovered.events(banks));
        self.journal = journal;
        self.coming = None;
        self.info = recovered.info;
        self.surface.resume(&recovered.info, now);
        if let Some(clocks) = recovered.clocks {
            self.surface.set_clocks(clocks, now);
        }
        self.dirty = true;
    }

    /// Whether a game is half loaded and the connection over which it came is gone: [`BoardCore::reload`] repairs it.
    #[must_use]
    pub fn needs_reload(&self) -> bool {
        self.is_half_loaded() && self.link.connect_at().is_some()
    }

    /// Whether the memory of the game is being overwritten by a snapshot.
    fn is_half_loaded(&self) -> bool {
        self.link.session().is_half_loaded()
    }

    /// Whether scans have to find the position of the game first, after a takeback. An event of the relay that comes meanwhile would have to wait
    /// for all of it at once.
    pub(crate) fn is_rewinding(&self) -> bool {
        !self.is_half_loaded() && self.surface.referee().is_rewinding()
    }

    /// Takes in one scan of the reeds, and returns whether anything changed.
    pub fn scan(&mut self, raw: Bitboard, now: Instant) -> bool {
        if self.is_half_loaded() {
            return false;
        }
        let memory = self.link.session().memory();
        let unacknowledged = self.is_online() && memory.acknowledged < memory.last;
        self.surface.set_unacknowledged(unacknowledged);
        let state = |referee: &Referee| (referee.occupied(), referee.stance(), referee.menu(), referee.is_working());
        let before = state(self.surface.referee());
        let effects = self.surface.scan(raw, now);
        let changed = !effects.is_empty() || before != state(self.surface.referee());
        if changed {
            self.dirty = true;
            self.carry_out(effects);
            self.stop_asking_in_a_game();
            self.link.session_mut().report_occupancy(self.surface.occupancy());
        }
        changed
    }

    fn carry_out(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            if effect == Effect::Begin {
                let hints = if self.is_remote() { GameInfo::LOCAL.hints } else { self.info.hints };
                let clock = self.surface.referee().clock().map(Clock::rule);
                self.info = GameInfo { hints, clock, ..GameInfo::LOCAL };
                self.name_players();
            }
            if let Effect::Computer(computer) = effect {
                self.store_computer(computer);
            }
            if !self.paired {
                continue;
            }
            let is_remote = self.is_remote();
            let session = self.link.session_mut();
            match effect {
                // A full queue is replaced by a snapshot of the game.
                Effect::Send(event) => {
                    if session.queue_event(event).is_err() {
                        session.compact();
                    }
                }
                // The snapshot has the names of the players.
                Effect::Computer(_) if is_remote => {}
                Effect::Begin | Effect::Computer(_) => session.force_snapshot(),
            }
        }
    }

    fn store_computer(&mut self, computer: Computer) {
        // Ten bytes always fit.
        let _ = Entry::Computer(computer).keep(&mut self.values);
        self.name_players();
    }

    /// Chooses the computer opponent of local games, from now on.
    pub fn set_computer(&mut self, computer: Computer, now: Instant) {
        if !self.is_half_loaded() && *self.computer() != computer {
            self.surface.set_computer(computer, now);
            self.carry_out([Effect::Computer(computer)]);
            self.dirty = true;
        }
    }

    /// Uses the time control of the profile for local games, from the next one on; for the present one too, if no ply was made.
    pub fn use_clock(&mut self) {
        let rule = Profile(&self.values).clock();
        self.surface.set_local_clock(rule);
        // A game that is half loaded cannot be asked, and has a time control of its own.
        if !self.is_half_loaded() && self.surface.use_local_clock() {
            self.info.clock = rule;
            self.dirty = true;
            // The snapshot has the time control.
            if self.paired {
                self.link.session_mut().compact();
            }
        }
    }

    /// The computer opponent, as it was chosen, on or off.
    #[must_use]
    pub fn computer(&self) -> &Computer {
        self.surface.referee().computer()
    }

    /// Gives the computer of a local game a name, and the people none.
    fn name_players(&mut self) {
        if self.info.seat != Seat::Both || self.info.game != 0 {
            return;
        }
        let mut names = [Name::new(), Name::new()];
        let Computer { level, .. } = *self.computer();
        if let Some(side) = self.surface.referee().computer_side()
            && let Some(name) = names.get_mut(side as usize)
        {
            // The name is shorter than the longest one.
            let _ = write!(name, "Tabiya level {}", level.number());
        }
        [self.info.white, self.info.black] = names;
    }

    /// What to do with the engine now.
    pub fn think(&mut self, now: Instant) -> Option<ThinkCommand> {
        let referee = self.surface.referee();
        let wanted = if self.link.session().is_half_loaded() { None } else { referee.wanted_search() };
        let limits = || wanted.map(|wanted| referee.limits(&wanted, now)).unwrap_or_default();
        self.thinking.command(wanted, referee.play().chess(), limits)
    }

    /// The engine has answered a question. An answer to an older question is dropped.
    pub fn receive_search_result(&mut self, result: SearchResult, now: Instant) {
        let Some(wanted) = self.thinking.accept(result.id).filter(|_| !self.is_half_loaded()) else { return };
        let effects = self.surface.receive_search_result(wanted, result, now);
        self.dirty = true;
        self.carry_out(effects);
    }

    /// Whether one side of the game is played elsewhere.
    const fn is_remote(&self) -> bool {
        matches!(self.info.seat, Seat::White | Seat::Black)
    }

    /// When to connect to the relay, if one is configured and there is no connection. A board without a key connects to be paired.
    #[must_use]
    pub fn connect_at(&self) -> Option<Instant> {
        if !self.paired {
            return self.ask_at();
        }
        Profile(&self.values).relay()?;
        self.link.connect_at().filter(|_| !self.pairing.end.is_open())
    }

    /// When to [transmit](BoardCore::transmit) again without any input.
    #[must_use]
    pub fn wake_at(&self) -> Option<Instant> {
        if self.pairing.end.is_open() { self.pairing.end.wake_at() } else { self.link.wake_at() }
    }

    /// The state of the network has changed. If it is available again, the backoff ends.
    pub fn set_network(&mut self, network: NetworkState, now: Instant) {
        self.network = network;
        if network == NetworkState::Up {
            self.link.end_backoff(now);
            self.pairing.end.end_backoff(now);
        }
        self.show_link_state();
    }

    /// The transport to the relay is connected.
    pub fn connected(&mut self, ephemeral: Ephemeral, now: Instant) {
        self.remote_console = RemoteConsole::default();
        self.link.connected(ephemeral, now);
    }

    /// The transport is closed, or could not be opened. The random number is the jitter of the backoff.
    pub fn disconnected(&mut self, random: u32, now: Instant) {
        if self.pairing.end.is_open() || !self.paired {
            self.pairing.end.disconnected(random, now);
            self.surface.compare(None);
        } else {
            // A relay that was not reached has not refused the key either.
            self.is_refused &= self.link.connect_at().is_none();
            self.link.disconnected(random, now);
            self.surface.set_rematch(false);
            self.surface.set_challenge(None);
        }
        self.show_link_state();
    }

    /// Puts the next frame for the relay into a buffer, and returns its length.
    pub fn transmit(&mut self, buffer: &mut [u8], now: Instant) -> Result<Option<usize>, LinkError> {
        if self.pairing.end.is_open() {
            return self.pairing.end.transmit(Profile(&self.values).name(), self.software, buffer, now);
        }
        let info = self.info();
        if let Some(len) = self.link.transmit(&info, self.surface.play(), buffer, now)? {
            return Ok(Some(len));
        }
        self.remote_console.transmit(self.link.session_mut(), buffer)
    }

    /// See [`Session::take_resent`].
    pub(crate) const fn take_resent(&mut self) -> u32 {
        self.link.session_mut().take_resent()
    }

    /// The next line that the relay has sent for the console.
    pub(crate) const fn take_remote_line(&mut self) -> Option<RemoteLine> {
        self.remote_console.line.take()
    }

    /// Queues the answer to a line of the relay.
    pub(crate) fn answer_remote(&mut self, number: u32, answer: &ArrayString<MAX_ANSWER>) {
        self.remote_console.answer(number, answer);
    }

    /// How often a bank of the journal was erased in the life of the board.
    pub(crate) const fn journal_erases(&self) -> u32 {
        self.journal.erases()
    }

    /// Takes a frame of the relay.
    pub fn receive(&mut self, frame: &mut [u8], now: Instant) -> Result<Option<Notice>, LinkError> {
        if self.pairing.end.is_open() {
            return self.receive_pairing(frame, now);
        }
        let received = self.link.receive(frame, self.surface.loading(), now);
        self.is_refused |= matches!(received, Err(LinkError::Answer(error)) if refuses_key(error));
        let Some(incoming) = received? else { return Ok(None) };
        self.dirty = true;
        match incoming {
            Incoming::Online(hello) => {
                self.is_refused = false;
                self.surface.set_link_state(LinkState::Quiet);
                self.surface.set_withdraws(hello.features & CORRECTIONS != 0);
                self.link.session_mut().report_occupancy(self.surface.occupancy());
                return Ok(Some(Notice::Online));
            }
            Incoming::Event(event) => {
                if let Event::Hints { on } = event {
                    self.info.hints = on;
                }
                let effects = self.surface.apply(event, now);
                self.carry_out(effects);
            }
            Incoming::SnapshotBegins(info) => {
                // A snapshot that starts again while one is half loaded does not change what was known.
                let known = match self.coming {
                    Some((_, known)) => known,
                    None => Known::of(self.surface.play()),
                };
                self.coming = Some((info, known.filter(|_| info.game != 0 && info.game == self.info.game)));
            }
            Incoming::SnapshotComplete(basis) => {
                let before = self.info.game;
                let mut known = None;
                if let Some(coming) = self.coming.take() {
                    (self.info, known) = coming;
                }
                if let Some(verdict) = self.info.verdict.take() {
                    self.surface.replay(Event::Ended { verdict });
                }
                for event in self.link.session().events_missing_in(basis) {
                    self.surface.replay(event);
                }
                let info = self.info;
                match known.filter(|_| self.surface.play().is_told()) {
                    Some(known) => self.surface.resume_told(known, &info, now),
                    None => self.surface.resume(&info, now),
                }
                // The next local game is between people, until the computer is chosen again.
                if self.is_remote() && self.computer().is_on {
                    let computer = Computer { is_on: false, ..*self.computer() };
                    self.surface.set_computer(computer, now);
                    self.store_computer(computer);
                }
                if self.info.game != before {
                    self.surface.announce_game(now);
                    if Profile(&self.values).hints() {
                        self.send_hints();
                    }
                }
                return Ok(Some(Notice::Loaded { plies: self.surface.play().len() }));
            }
            Incoming::Live(live) => {
                if let Some(clocks) = live.clocks {
                    self.surface.set_clocks(clocks, now);
                }
                self.surface.set_rematch(live.rematch);
                return Ok(Some(Notice::Live(live)));
            }
            Incoming::Challenge(challenge) => self.surface.set_challenge(challenge),
            Incoming::Occupancy(_) | Incoming::ConsoleOutput(_) => {}
            Incoming::ConsoleLine(ConsoleLine { number, line }) => self.remote_console.receive(number, line),
            Incoming::Goodbye(reason) => return Ok(Some(Notice::Goodbye(reason))),
        }
        Ok(None)
    }

    /// The next flash operation of the journal, if there is one.
    pub fn flash_operation(&mut self, now: Instant) -> Option<Action<'_>> {
        let play = self.surface.play();
        // Between two games an erase that stops the processor for seconds disturbs no one.
        let quiet = play.verdict().is_some() || play.is_empty();
        let state = PersistentState {
            play,
            info: GameInfo { verdict: play.verdict(), ..self.info },
            clocks: clocks(&self.surface, now),
            settings: self.surface.settings(),
            values: &self.values,
            session: self.link.session(),
        };
        self.journal.poll(&state, quiet)
    }

    /// The flash operation was carried out, or failed.
    pub fn flash_done(&mut self, ok: bool) {
        self.dirty |= self.surface.set_stored(ok);
        if !ok {
            return self.journal.failed();
        }
        self.journal.done();
        if let Some(memory) = self.journal.memory() {
            self.link.session_mut().mark_stored(memory);
        }
    }

    /// Renders the lights; nothing while a game is being loaded.
    pub(crate) fn render(&mut self, now: Instant) -> Option<Rendered> {
        if self.is_half_loaded() {
            return None;
        }
        self.dirty = false;
        Some(self.surface.render(now))
    }

    /// Whether an input may have changed the lights since they were last rendered.
    pub(crate) fn is_dirty(&self) -> bool {
        self.dirty && !self.is_half_loaded()
    }

    /// The switches under these squares are faulty.
    pub fn set_faults(&mut self, raw: Bitboard) {
        self.surface.set_faults(raw);
        self.dirty = true;
    }

    /// See [`Surface::reset_reeds`].
    pub fn reset_reeds(&mut self, raw: Bitboard, now: Instant) {
        self.surface.reset_reeds(raw, now);
        self.report_occupancy();
        self.dirty = true;
    }

    fn report_occupancy(&mut self) {
        // While a game is being loaded there is none to compare the switches with; the next scan with a change reports them.
        if !self.is_half_loaded() {
            self.link.session_mut().report_occupancy(self.surface.occupancy());
        }
    }

    /// Starts the light test: all lights on, and then what the switches read.
    pub fn start_light_test(&mut self, now: Instant) {
        self.surface.start_light_test(now);
        self.dirty = true;
    }

    #[expect(missing_docs, reason = "a plain setter")]
    pub fn set(&mut self, settings: Settings, now: Instant) {
        // One byte always fits.
        let _ = Entry::Pace(settings.hand.pace).keep(&mut self.values);
        self.surface.set(settings, now);
        self.report_occupancy();
        self.dirty = true;
    }

    /// Changes the stored values. With another key the board starts a session with another relay, which gets a snapshot of the game.
    pub fn change(&mut self, change: impl FnOnce(&mut Values), random: u64) {
        let key = Profile(&self.values).key();
        change(&mut self.values);
        let new = Profile(&self.values).key();
        if new != key {
            let mut session = Session::new(End::Board, self.software, &SessionMemory::new(random), []);
            if has_game(self.surface.play(), &self.info) {
                session.force_snapshot();
            }
            self.link = BoardSession::new(PairingKey::new(new.unwrap_or_default()), session);
            self.paired = new.is_some();
            self.is_refused = false;
        }
        self.show_link_state();
    }

    /// Sends the relay whether the owner agrees to suggested moves.
    pub fn send_hints(&mut self) {
        if self.is_remote() {
            let on = Profile(&self.values).hints();
            self.carry_out([Effect::Send(Event::Hints { on })]);
        }
    }

    /// Queues an event that did not happen on the board, so that tests can act as a faulty board.
    #[doc(hidden)]
    pub fn queue_false_event(&mut self, event: Event) {
        self.carry_out([Effect::Send(event)]);
    }

    /// The events that the relay has not acknowledged.
    #[must_use]
    pub fn pending_events(&self) -> usize {
        self.link.session().pending().count()
    }

    /// Whether the relay has said hello over the current connection.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.link.session().is_online()
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.surface.settings()
    }

    /// The stored values beside the game.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.values
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    fn info(&self) -> GameInfo {
        GameInfo { verdict: self.surface.play().verdict(), ..self.info }
    }

    /// What there is to know of the game beside its plies; nothing while a game is being loaded.
    #[must_use]
    pub fn game_info(&self) -> Option<GameInfo> {
        (!self.is_half_loaded()).then(|| self.info())
    }

    /// The game; nothing while one is being loaded.
    #[must_use]
    pub fn play(&self) -> Option<&Play> {
        (!self.is_half_loaded()).then(|| self.surface.play())
    }
}

/// Whether the answer of a relay means that it has another key for this board, or none.
const fn refuses_key(error: InitiatorError) -> bool {
    matches!(error, InitiatorError::Refused(Refusal::UnknownBoard) | InitiatorError::Forged)
}

/// Whether there is a game to send to a new relay. A board whose journal is blank has none: if the relay has stored a game of this
/// board, the board gets that one back.
fn has_game(play: &Play, info: &GameInfo) -> bool {
    info.game != 0 || !play.is_empty() || play.verdict().is_some()
}

/// The times on the clocks, if there are any.
fn clocks(surface: &Surface, now: Instant) -> Option<Clocks> {
    let clock = surface.referee().clock()?;
    let left = |color| u32::try_from(clock.left(color, now)).unwrap_or(u32::MAX);
    let (white_ms, black_ms) = (left(chess::Color::White), left(chess::Color::Black));
    Some(Clocks { white_ms, black_ms, running: clock.running() })
}

#[cfg(test)]
mod tests;
