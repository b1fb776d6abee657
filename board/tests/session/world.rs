use std::collections::VecDeque;

use board::Instant;
use board::session::{BoardSession, End, Incoming, LinkError, Session};
use chess::{Color, FixedSheet, Scoresheet};
use rules::{Play, Ply, Start};
use wire::journal::SessionMemory;
use wire::link::{
    Channel, Ephemeral, Event, GameInfo, Live, MAX_FRAME, NumberedEvent, Occupancy, PairingKey, Refusal, Responder,
    Seat,
};

use crate::growing_sheet::GrowingSheet;

/// Capacity of the queue: so small that it is often full.
pub(crate) const QUEUE: usize = 6;

pub(crate) const KEY: [u8; 32] = [0x42; 32];

/// The journal of a side. A restart begins with it and nothing else.
#[derive(Clone)]
pub(crate) struct Journal {
    pub(crate) memory: SessionMemory,
    pub(crate) events: Vec<NumberedEvent>,
    pub(crate) start: Start,
    pub(crate) plies: Vec<Ply>,
}

impl Journal {
    pub(crate) fn blank(random: u64) -> Self {
        let memory = SessionMemory::new(random);
        Self { memory, events: Vec::new(), start: Start::CHESS, plies: Vec::new() }
    }

    pub(crate) fn game<S: Scoresheet + Default>(&self) -> Box<Play<S>> {
        let mut game = Box::new(Play::on(S::default()));
        game.restart(&self.start);
        for &ply in &self.plies {
            game.play(ply).expect("a journal has legal plies");
        }
        game
    }
}

/// The player at one end: has the game, plays one colour, and stores the state from time to time.
pub(crate) struct Player<S> {
    pub(crate) game: Box<Play<S>>,
    pub(crate) journal: Journal,
    /// The journal entry that is being written.
    writing: Option<Journal>,
    /// The information of a snapshot that is being received.
    pub(crate) loading: bool,
    /// The memory into which a relay loads a snapshot.
    pub(crate) coming: Box<Play<S>>,
    /// All received events.
    pub(crate) received: Vec<Event>,
    pub(crate) occupancies: Vec<Occupancy>,
    pub(crate) live: Vec<Live>,
}

impl<S: Scoresheet + Default> Player<S> {
    fn new(journal: Journal) -> Self {
        Self {
            game: journal.game(),
            journal,
            writing: None,
            loading: false,
            coming: Box::new(Play::on(S::default())),
            received: Vec::new(),
            occupancies: Vec::new(),
            live: Vec::new(),
        }
    }

    /// Stores the state, and reports that to the session.
    fn keep(&mut self, session: &mut Session<QUEUE>) {
        self.begin_to_write(session);
        self.have_written(session);
    }

    /// Starts to store the current state. The game goes on meanwhile.
    fn begin_to_write(&mut self, session: &Session<QUEUE>) {
        // A half-loaded game is not stored.
        if self.loading || session.is_half_loaded() {
            return;
        }
        let memory = session.memory();
        let (start, plies) = (self.game.start(), self.game.plies_from(0).collect());
        self.writing = Some(Journal { memory, events: session.pending().collect(), start, plies });
    }

    /// Completes the write in progress.
    fn have_written(&mut self, session: &mut Session<QUEUE>) {
        if let Some(journal) = self.writing.take() {
            session.mark_stored(&journal.memory);
            self.journal = journal;
        }
    }

    /// The journal after a restart. A write in progress may be complete or not.
    fn found(&mut self, is_written: bool) -> Journal {
        self.writing.take().filter(|_| is_written).unwrap_or(self.journal.clone())
    }

    /// Makes a move and queues its event. If the queue is full, a snapshot replaces it.
    pub(crate) fn play(&mut self, choice: u16, session: &mut Session<QUEUE>) {
        let legal = self.game.situation().plies();
        if self.loading || session.is_half_loaded() || self.game.verdict().is_some() || legal.is_empty() {
            return;
        }
        let number = u16::try_from(self.game.len()).expect("a short game");
        let ply = legal[usize::from(choice) % legal.len()];
        self.game.play(ply).expect("a legal ply");
        let queued = session.queue_event(Event::Moved { number, ply, thought_ms: u32::from(choice) });
        if queued.is_err() {
            session.compact();
        }
    }

    /// Applies a received message.
    fn take(&mut self, news: &Incoming<'_>, session: &Session<QUEUE>) {
        match *news {
            Incoming::Event(event) => self.act(event),
            Incoming::SnapshotBegins(_) => self.loading = true,
            Incoming::SnapshotComplete(basis) => {
                self.loading = false;
                for event in session.events_missing_in(basis).collect::<Vec<_>>() {
                    self.act(event);
                }
            }
            Incoming::Occupancy(occupancy) => self.occupancies.push(occupancy),
            Incoming::Live(live) => self.live.push(live),
            Incoming::ConsoleLine(_) | Incoming::ConsoleOutput(_) => panic!("no side sends it"),
            Incoming::Online(_) | Incoming::Challenge(_) | Incoming::Goodbye(_) => {}
        }
    }

    /// Applies an event. It is never a duplicate, late, or about another game.
    fn act(&mut self, event: Event) {
        self.received.push(event);
        if let Event::Moved { number, ply, .. } = event {
            assert_eq!(usize::from(number), self.game.len(), "{ply} comes twice, or an event before it is lost");
            self.game.play(ply).expect("a move that was legal where it was made");
        }
    }
}

/// Frames in flight, in both directions.
#[derive(Default)]
pub(crate) struct Wire {
    pub(crate) to_relay: VecDeque<Vec<u8>>,
    pub(crate) to_board: VecDeque<Vec<u8>>,
}

/// State of the handshake at the relay's end.
enum RelayHandshake {
    None,
    /// The relay has answered the first frame.
    Answered(Channel),
    Done,
}

/// A board, a relay, and the connection between them.
pub(crate) struct World {
    pub(crate) now: Instant,
    random: u64,
    pub(crate) key: [u8; 32],
    pub(crate) board: BoardSession<QUEUE>,
    pub(crate) board_player: Player<FixedSheet>,
    pub(crate) relay: Session<QUEUE>,
    pub(crate) relay_player: Player<GrowingSheet>,
    handshake: RelayHandshake,
    pub(crate) wire: Wire,
    /// Frames of closed connections, which the network may still deliver.
    pub(crate) late: Vec<Vec<u8>>,
    /// The errors that closed connections.
    pub(crate) broken: Vec<LinkError>,
}

fn session(end: End, journal: &Journal) -> Session<QUEUE> {
    Session::new(end, "test", &journal.memory, journal.events.iter().copied())
}

fn compact(session: &mut Session<QUEUE>) {
    let SessionMemory { last, acknowledged, .. } = session.memory();
    if last - acknowledged < 3 && !session.is_half_loaded() {
        session.compact();
    }
}

pub(crate) fn table() -> GameInfo {
    GameInfo { game: 1, seat: Seat::White, ..GameInfo::LOCAL }
}

impl World {
    pub(crate) fn new() -> Self {
        let [board, relay] = [11, 22].map(Journal::blank);
        Self {
            now: Instant::at(0),
            random: 99,
            key: KEY,
            board: BoardSession::new(PairingKey::new(KEY), session(End::Board, &board)),
            board_player: Player::new(board),
            relay: session(End::Relay, &relay),
            relay_player: Player::new(relay),
            handshake: RelayHandshake::None,
            wire: Wire::default(),
            late: Vec::new(),
            broken: Vec::new(),
        }
    }

    pub(crate) fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 16
    }

    fn ephemeral(&mut self) -> Ephemeral {
        let mut bytes = [0; 32];
        bytes.chunks_mut(4).for_each(|chunk| chunk.copy_from_slice(&(self.random() as u32).to_le_bytes()));
        Ephemeral::new(bytes)
    }

    /// Opens a connection. The relay may still have the old one.
    pub(crate) fn connect(&mut self) {
        self.lose_frames();
        self.repair_board();
        let ephemeral = self.ephemeral();
        self.board.connected(ephemeral, self.now);
        self.handshake = RelayHandshake::None;
    }

    /// Frames in flight are lost, or delivered late.
    fn lose_frames(&mut self) {
        let Wire { to_relay, to_board } = std::mem::take(&mut self.wire);
        self.late.extend(to_relay.into_iter().chain(to_board));
    }

    /// The connection breaks, and both sides notice it.
    pub(crate) fn cut(&mut self) {
        self.lose_frames();
        let random = self.random() as u32;
        self.board.disconnected(random, self.now);
        self.relay.close();
        self.handshake = RelayHandshake::None;
        self.repair_board();
        self.repair_relay();
    }

    /// A board has memory for one game only. With half of a snapshot in it, the board resumes from its journal.
    fn repair_board(&mut self) {
        if self.board.session().is_half_loaded() {
            self.restart_board();
        }
    }

    /// A relay loads a snapshot into other memory, so its own game stays valid.
    fn repair_relay(&mut self) {
        self.relay_player.loading = false;
        self.relay.discard_half_load();
    }

    fn restart_board(&mut self) {
        let is_written = self.random().is_multiple_of(2);
        self.board_player = Player::new(self.board_player.found(is_written));
        let session = session(End::Board, &self.board_player.journal);
        self.board = BoardSession::new(PairingKey::new(self.key), session);
    }

    pub(crate) fn crash_board(&mut self) {
        self.cut();
        self.restart_board();
    }

    pub(crate) fn crash_relay(&mut self) {
        self.cut();
        let is_written = self.random().is_multiple_of(2);
        self.relay_player = Player::new(self.relay_player.found(is_written));
        self.relay = session(End::Relay, &self.relay_player.journal);
    }

    /// The board loses its journal.
    pub(crate) fn wipe_board(&mut self) {
        self.board_player.journal = Journal::blank(self.random());
        self.board_player.writing = None;
        self.crash_board();
    }

    /// The relay loses its journal.
    pub(crate) fn wipe_relay(&mut self) {
        self.relay_player.journal = Journal::blank(self.random());
        self.relay_player.writing = None;
        self.crash_relay();
    }

    pub(crate) fn keep_board(&mut self) {
        self.board_player.keep(self.board.session_mut());
    }

    pub(crate) fn keep_relay(&mut self) {
        self.relay_player.keep(&mut self.relay);
    }

    pub(crate) fn write_board(&mut self) {
        self.board_player.have_written(self.board.session_mut());
        self.board_player.begin_to_write(self.board.session());
    }

    pub(crate) fn write_relay(&mut self) {
        self.relay_player.have_written(&mut self.relay);
        self.relay_player.begin_to_write(&self.relay);
    }

    /// The board plays White, the relay plays Black.
    pub(crate) fn play_board(&mut self, choice: u16) {
        if self.board_player.game.to_move() == Color::White {
            self.board_player.play(choice, self.board.session_mut());
        }
    }

    pub(crate) fn play_relay(&mut self, choice: u16) {
        if self.relay_player.game.to_move() == Color::Black {
            self.relay_player.play(choice, &mut self.relay);
        }
    }

    /// Starts games only while the queue has room: a side whose queue overflows may lose events if the other side does the same.
    pub(crate) fn condense_board(&mut self) {
        compact(self.board.session_mut());
    }

    pub(crate) fn condense_relay(&mut self) {
        compact(&mut self.relay);
    }

    pub(crate) fn renew_board(&mut self, start: &Start) {
        if !self.board_player.loading && !self.board.session().is_half_loaded() {
            self.board_player.game.restart(start);
            self.board.session_mut().force_snapshot();
        }
    }

    pub(crate) fn renew_relay(&mut self, start: &Start) {
        if !self.relay_player.loading {
            self.relay_player.game.restart(start);
            self.relay.force_snapshot();
        }
    }

    /// The board sends its next frame, if there is one.
    pub(crate) fn send_board(&mut self) -> bool {
        let mut buffer = [0; MAX_FRAME];
        match self.board.transmit(&table(), &self.board_player.game, &mut buffer, self.now) {
            Ok(sent) => self.wire.to_relay.extend(sent.map(|len| buffer[..len].to_vec())),
            Err(broken) => self.give_up(broken),
        }
        buffer != [0; MAX_FRAME]
    }

    /// The relay sends its next frame, if there is one.
    pub(crate) fn send_relay(&mut self) -> bool {
        // Frames to a closed connection are lost.
        let mut buffer = [0; MAX_FRAME];
        match self.relay.transmit(&table(), &self.relay_player.game, &mut buffer, self.now) {
            Ok(Some(len)) if matches!(self.handshake, RelayHandshake::Done) => {
                self.wire.to_board.push_back(buffer[..len].to_vec());
            }
            Ok(_) => {}
            Err(broken) if matches!(self.handshake, RelayHandshake::Done) => self.give_up(broken),
            Err(_) => {
                self.relay.close();
                self.repair_relay();
            }
        }
        buffer != [0; MAX_FRAME]
    }

    /// Delivers a frame to the relay, if there is one.
    pub(crate) fn deliver_to_relay(&mut self) -> bool {
        let Some(mut frame) = self.wire.to_relay.pop_front() else { return false };
        match std::mem::replace(&mut self.handshake, RelayHandshake::None) {
            RelayHandshake::None => {
                let ephemeral = self.ephemeral();
                let key = PairingKey::new(KEY);
                let answer = Responder::read(&frame).map_err(|_| Refusal::Version { lowest: 1, highest: 1 });
                let answer = answer.and_then(|first_frame| {
                    let known = first_frame.board() == key.board_id();
                    let answer = known.then(|| first_frame.answer(&key, ephemeral).ok()).flatten();
                    answer.ok_or(Refusal::UnknownBoard)
                });
                match answer {
                    Ok((answer, channel)) => {
                        self.wire.to_board.push_back(answer.to_vec());
                        self.handshake = RelayHandshake::Answered(channel);
                    }
                    Err(refusal) => self.wire.to_board.push_back(refusal.frame().to_vec()),
                }
            }
            RelayHandshake::Answered(channel) => match self.relay.accept(channel, &mut frame, self.now) {
                Ok(news) => {
                    // The old connection is dropped only now, with a snapshot in progress on it.
                    self.handshake = RelayHandshake::Done;
                    self.relay_player.loading = false;
                    self.relay.discard_half_load();
                    self.relay_player.take(&news, &self.relay);
                }
                Err(broken) => self.give_up(broken),
            },
            RelayHandshake::Done => {
                self.handshake = RelayHandshake::Done;
                match self.relay.receive(&mut frame, &mut self.relay_player.coming, self.now) {
                    Ok(news) => {
                        if let Some(Incoming::SnapshotComplete(_)) = news {
                            let Player { game, coming, .. } = &mut self.relay_player;
                            std::mem::swap(game, coming);
                        }
                        if let Some(news) = &news {
                            self.relay_player.take(news, &self.relay);
                        }
                    }
                    Err(broken) => self.give_up(broken),
                }
            }
        }
        true
    }

    /// Delivers a frame to the board, if there is one.
    pub(crate) fn deliver_to_board(&mut self) -> bool {
        let Some(mut frame) = self.wire.to_board.pop_front() else { return false };
        match self.board.receive(&mut frame, &mut self.board_player.game, self.now) {
            Ok(Some(news)) => self.board_player.take(&news, self.board.session()),
            Ok(None) => {}
            Err(broken) => self.give_up(broken),
        }
        true
    }

    fn give_up(&mut self, broken: LinkError) {
        self.broken.push(broken);
        self.cut();
    }

    /// Delivers all frames and stores everything until both sides are idle.
    pub(crate) fn settle(&mut self) {
        for _ in 0..2000 {
            if self.board.connect_at().is_some() {
                self.connect();
            }
            self.now = self.now.after(1);
            self.keep_board();
            self.keep_relay();
            let busy = [self.send_board(), self.send_relay(), self.deliver_to_relay(), self.deliver_to_board()];
            if busy == [false; 4] && self.board.connect_at().is_none() {
                return;
            }
        }
        panic!("they never come to rest");
    }

    /// Asserts that both sides have the same game, and that no event is pending.
    #[track_caller]
    pub(crate) fn assert_agreement(&self) {
        assert_eq!(*self.board_player.game, *self.relay_player.game);
        let (board, relay) = (self.board.session(), &self.relay);
        assert!(board.is_online() && relay.is_online());
        assert!(!board.needs_storing() && !relay.needs_storing());
        assert_eq!((board.pending().count(), relay.pending().count()), (0, 0));
        let (board, relay) = (board.memory(), relay.memory());
        assert_eq!((board.stream, board.last), (relay.seen.stream, relay.seen.last));
        assert_eq!((relay.stream, relay.last), (board.seen.stream, board.seen.last));
    }
}
