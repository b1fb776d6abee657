use std::collections::VecDeque;

use board::Instant;
use board::session::{BoardEnd, Broken, Conversation, End, Memory, News};
use chess::{Color, FixedSheet, Game, Move, Position, Scoresheet};
use wire::link::{Channel, Ephemeral, Event, Knock, Live, MAX_FRAME, PairingKey, Refusal, Said, Seat, Table, Wood};

use crate::roll::Roll;

/// So small that it is full all the time.
pub(crate) const QUEUE: usize = 6;

pub(crate) const KEY: [u8; 32] = [0x42; 32];

/// What a side has written down. A restart begins with this and nothing else.
#[derive(Clone)]
pub(crate) struct Journal {
    pub(crate) memory: Memory,
    pub(crate) events: Vec<Said>,
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

impl Journal {
    pub(crate) fn blank(random: u64) -> Self {
        let memory = Memory::blank(random);
        Self { memory, events: Vec::new(), start: Position::start(), moves: Vec::new() }
    }

    pub(crate) fn game<S: Scoresheet + Default>(&self) -> Box<Game<S>> {
        let mut game = Box::new(Game::on(S::default()));
        game.restart(self.start);
        for &mv in &self.moves {
            game.play(mv).expect("a journal has legal moves");
        }
        game
    }
}

/// The player at one end: keeps the game, plays one colour, and writes everything down sooner or later.
pub(crate) struct Player<S> {
    pub(crate) game: Box<Game<S>>,
    pub(crate) journal: Journal,
    /// What is being written down.
    writing: Option<Journal>,
    /// Between `Loading` and `Loaded`.
    pub(crate) loading: bool,
    /// Where a relay lets a game come in.
    pub(crate) coming: Box<Game<S>>,
    /// Everything that was heard, for those who want to look.
    pub(crate) heard: Vec<Event>,
    pub(crate) wood: Vec<Wood>,
    pub(crate) live: Vec<Live>,
}

impl<S: Scoresheet + Default> Player<S> {
    fn new(journal: Journal) -> Self {
        Self {
            game: journal.game(),
            journal,
            writing: None,
            loading: false,
            coming: Box::new(Game::on(S::default())),
            heard: Vec::new(),
            wood: Vec::new(),
            live: Vec::new(),
        }
    }

    /// Writes everything down, and says so.
    fn keep(&mut self, conversation: &mut Conversation<QUEUE>) {
        self.begin_to_write(conversation);
        self.have_written(conversation);
    }

    /// Begins to write everything down, as it is now. That takes time, and the game goes on.
    fn begin_to_write(&mut self, conversation: &Conversation<QUEUE>) {
        // Nobody writes half a game down.
        if self.loading || conversation.is_torn() {
            return;
        }
        let memory = conversation.memory();
        let (start, moves) = (*self.game.start(), self.game.moves().to_vec());
        self.writing = Some(Journal { memory, events: conversation.pending().collect(), start, moves });
    }

    /// What was begun is done.
    fn have_written(&mut self, conversation: &mut Conversation<QUEUE>) {
        if let Some(journal) = self.writing.take() {
            conversation.kept(&journal.memory);
            self.journal = journal;
        }
    }

    /// What a restart finds. What was being written may be there or not.
    fn found(&mut self, is_written: bool) -> Journal {
        self.writing.take().filter(|_| is_written).unwrap_or(self.journal.clone())
    }

    /// Makes a move, if it can, and says so. If that is too much to say, the game is given as a whole.
    pub(crate) fn play(&mut self, choice: u16, conversation: &mut Conversation<QUEUE>) {
        let legal = self.game.position().legal_moves();
        if self.loading || conversation.is_torn() || self.game.outcome().is_some() || legal.is_empty() {
            return;
        }
        let ply = u16::try_from(self.game.moves().len()).expect("a short game");
        let mv = legal[usize::from(choice) % legal.len()];
        self.game.play(mv).expect("a legal move");
        let said = conversation.say(Event::Moved { ply, mv, thought_ms: u32::from(choice) });
        if said.is_err() {
            conversation.condense();
        }
    }

    /// Does what the news say.
    fn take(&mut self, news: &News<'_>, conversation: &Conversation<QUEUE>) {
        match *news {
            News::Event(event) => self.act(event),
            News::Loading(_) => self.loading = true,
            News::Loaded(basis) => {
                self.loading = false;
                for event in conversation.standing(basis).collect::<Vec<_>>() {
                    self.act(event);
                }
            }
            News::Wood(wood) => self.wood.push(wood),
            News::Live(live) => self.live.push(live),
            News::Online(_) | News::Goodbye(_) => {}
        }
    }

    /// What was said is never out of place: not twice, not too late, and not about another game.
    fn act(&mut self, event: Event) {
        self.heard.push(event);
        if let Event::Moved { ply, mv, .. } = event {
            assert_eq!(usize::from(ply), self.game.moves().len(), "{mv} comes twice, or something before it is lost");
            self.game.play(mv).expect("a move that was legal where it was made");
        }
    }
}

/// Frames on their way, in both directions.
#[derive(Default)]
pub(crate) struct Wire {
    pub(crate) to_relay: VecDeque<Vec<u8>>,
    pub(crate) to_board: VecDeque<Vec<u8>>,
}

/// How far the relay has let the connection in.
enum Door {
    Shut,
    /// The board has knocked, and the relay has answered.
    Open(Channel),
    In,
}

/// A board, a relay, and the connection between them.
pub(crate) struct World {
    pub(crate) now: Instant,
    random: u64,
    pub(crate) key: [u8; 32],
    pub(crate) board: BoardEnd<QUEUE>,
    pub(crate) board_player: Player<FixedSheet>,
    pub(crate) relay: Conversation<QUEUE>,
    pub(crate) relay_player: Player<Roll>,
    door: Door,
    pub(crate) wire: Wire,
    /// Frames of connections that are gone. The network may still have them.
    pub(crate) late: Vec<Vec<u8>>,
    /// Why connections broke.
    pub(crate) broken: Vec<Broken>,
}

fn conversation(end: End, journal: &Journal) -> Conversation<QUEUE> {
    Conversation::new(end, "test", &journal.memory, journal.events.iter().copied())
}

fn condense(conversation: &mut Conversation<QUEUE>) {
    let Memory { said, acknowledged, .. } = conversation.memory();
    if said - acknowledged < 3 && !conversation.is_torn() {
        conversation.condense();
    }
}

pub(crate) fn table() -> Table<'static> {
    Table { game: 1, seat: Seat::White, ..Table::LOCAL }
}

impl World {
    pub(crate) fn new() -> Self {
        let [board, relay] = [11, 22].map(Journal::blank);
        Self {
            now: Instant::at(0),
            random: 99,
            key: KEY,
            board: BoardEnd::new(PairingKey::new(KEY), conversation(End::Board, &board)),
            board_player: Player::new(board),
            relay: conversation(End::Relay, &relay),
            relay_player: Player::new(relay),
            door: Door::Shut,
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

    /// Opens a connection. The relay may still think that it has the old one.
    pub(crate) fn connect(&mut self) {
        self.lose_frames();
        self.mend_board();
        let ephemeral = self.ephemeral();
        self.board.connected(ephemeral, self.now);
        self.door = Door::Shut;
    }

    /// Frames that have not arrived are lost, or come later than anybody expects.
    fn lose_frames(&mut self) {
        let Wire { to_relay, to_board } = std::mem::take(&mut self.wire);
        self.late.extend(to_relay.into_iter().chain(to_board));
    }

    /// The connection breaks, and both sides learn of it.
    pub(crate) fn cut(&mut self) {
        self.lose_frames();
        let random = self.random() as u32;
        self.board.disconnected(random, self.now);
        self.relay.close();
        self.door = Door::Shut;
        self.mend_board();
        self.mend_relay();
    }

    /// A board has memory for one game. If it is left with half of one, it does as after a restart.
    fn mend_board(&mut self) {
        if self.board.conversation().is_torn() {
            self.restart_board();
        }
    }

    /// A relay lets a game come into another place, so its own is whole.
    fn mend_relay(&mut self) {
        self.relay_player.loading = false;
        self.relay.mended();
    }

    fn restart_board(&mut self) {
        let is_written = self.random().is_multiple_of(2);
        self.board_player = Player::new(self.board_player.found(is_written));
        let conversation = conversation(End::Board, &self.board_player.journal);
        self.board = BoardEnd::new(PairingKey::new(self.key), conversation);
    }

    pub(crate) fn crash_board(&mut self) {
        self.cut();
        self.restart_board();
    }

    pub(crate) fn crash_relay(&mut self) {
        self.cut();
        let is_written = self.random().is_multiple_of(2);
        self.relay_player = Player::new(self.relay_player.found(is_written));
        self.relay = conversation(End::Relay, &self.relay_player.journal);
    }

    /// The board is reset, and everything that it had written down is gone.
    pub(crate) fn wipe_board(&mut self) {
        self.board_player.journal = Journal::blank(self.random());
        self.board_player.writing = None;
        self.crash_board();
    }

    /// The relay loses everything that it had written down.
    pub(crate) fn wipe_relay(&mut self) {
        self.relay_player.journal = Journal::blank(self.random());
        self.relay_player.writing = None;
        self.crash_relay();
    }

    pub(crate) fn keep_board(&mut self) {
        self.board_player.keep(self.board.conversation_mut());
    }

    pub(crate) fn keep_relay(&mut self) {
        self.relay_player.keep(&mut self.relay);
    }

    pub(crate) fn write_board(&mut self) {
        self.board_player.have_written(self.board.conversation_mut());
        self.board_player.begin_to_write(self.board.conversation());
    }

    pub(crate) fn write_relay(&mut self) {
        self.relay_player.have_written(&mut self.relay);
        self.relay_player.begin_to_write(&self.relay);
    }

    /// The board has White, the relay has Black.
    pub(crate) fn play_board(&mut self, choice: u16) {
        if self.board_player.game.position().turn() == Color::White {
            self.board_player.play(choice, self.board.conversation_mut());
        }
    }

    pub(crate) fn play_relay(&mut self, choice: u16) {
        if self.relay_player.game.position().turn() == Color::Black {
            self.relay_player.play(choice, &mut self.relay);
        }
    }

    /// As often as there is room to remember what was said before: a side that has more to say than it can remember may
    /// lose it if the other side does the same, and that is what a queue of a sensible length is for.
    pub(crate) fn condense_board(&mut self) {
        condense(self.board.conversation_mut());
    }

    pub(crate) fn condense_relay(&mut self) {
        condense(&mut self.relay);
    }

    pub(crate) fn renew_board(&mut self, start: Position) {
        if !self.board_player.loading && !self.board.conversation().is_torn() {
            self.board_player.game.restart(start);
            self.board.conversation_mut().renew();
        }
    }

    pub(crate) fn renew_relay(&mut self, start: Position) {
        if !self.relay_player.loading {
            self.relay_player.game.restart(start);
            self.relay.renew();
        }
    }

    /// The board sends a frame, if it has one.
    pub(crate) fn send_board(&mut self) -> bool {
        let mut buffer = [0; MAX_FRAME];
        match self.board.transmit(&table(), &self.board_player.game, &mut buffer, self.now) {
            Ok(sent) => self.wire.to_relay.extend(sent.map(|len| buffer[..len].to_vec())),
            Err(broken) => self.give_up(broken),
        }
        buffer != [0; MAX_FRAME]
    }

    /// The relay sends a frame, if it has one.
    pub(crate) fn send_relay(&mut self) -> bool {
        // What it has to say to a connection that is gone is lost.
        let mut buffer = [0; MAX_FRAME];
        match self.relay.transmit(&table(), &self.relay_player.game, &mut buffer, self.now) {
            Ok(Some(len)) if matches!(self.door, Door::In) => self.wire.to_board.push_back(buffer[..len].to_vec()),
            Ok(_) => {}
            Err(broken) if matches!(self.door, Door::In) => self.give_up(broken),
            Err(_) => {
                self.relay.close();
                self.mend_relay();
            }
        }
        buffer != [0; MAX_FRAME]
    }

    /// The relay gets a frame, if there is one.
    pub(crate) fn deliver_to_relay(&mut self) -> bool {
        let Some(mut frame) = self.wire.to_relay.pop_front() else { return false };
        match std::mem::replace(&mut self.door, Door::Shut) {
            Door::Shut => {
                let ephemeral = self.ephemeral();
                let key = PairingKey::new(KEY);
                let answer = Knock::read(&frame).map_err(|_| Refusal::Version { lowest: 1, highest: 1 });
                let answer = answer.and_then(|knock| {
                    let known = knock.board() == key.board_id();
                    let answer = known.then(|| knock.answer(&key, ephemeral).ok()).flatten();
                    answer.ok_or(Refusal::UnknownBoard)
                });
                match answer {
                    Ok((answer, channel)) => {
                        self.wire.to_board.push_back(answer.to_vec());
                        self.door = Door::Open(channel);
                    }
                    Err(refusal) => self.wire.to_board.push_back(refusal.frame().to_vec()),
                }
            }
            Door::Open(channel) => match self.relay.accept(channel, &mut frame, self.now) {
                Ok(news) => {
                    // The old connection is given up only now, and with it whatever was half done on it.
                    self.door = Door::In;
                    self.relay_player.loading = false;
                    self.relay.mended();
                    self.relay_player.take(&news, &self.relay);
                }
                Err(broken) => self.give_up(broken),
            },
            Door::In => {
                self.door = Door::In;
                match self.relay.receive(&mut frame, &mut self.relay_player.coming, self.now) {
                    Ok(news) => {
                        if let Some(News::Loaded(_)) = news {
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

    /// The board gets a frame, if there is one.
    pub(crate) fn deliver_to_board(&mut self) -> bool {
        let Some(mut frame) = self.wire.to_board.pop_front() else { return false };
        match self.board.receive(&mut frame, &mut self.board_player.game, self.now) {
            Ok(Some(news)) => self.board_player.take(&news, self.board.conversation()),
            Ok(None) => {}
            Err(broken) => self.give_up(broken),
        }
        true
    }

    fn give_up(&mut self, broken: Broken) {
        self.broken.push(broken);
        self.cut();
    }

    /// From now on everything goes well: frames arrive, everything is written down, and connections are made in time.
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

    /// Both sides know the same, and nothing is left to say.
    #[track_caller]
    pub(crate) fn assert_agreement(&self) {
        assert_eq!(*self.board_player.game, *self.relay_player.game);
        let (board, relay) = (self.board.conversation(), &self.relay);
        assert!(board.is_online() && relay.is_online());
        assert!(!board.unkept() && !relay.unkept());
        assert_eq!((board.pending().count(), relay.pending().count()), (0, 0));
        let (board, relay) = (board.memory(), relay.memory());
        assert_eq!((board.stream, board.said), (relay.seen.stream, relay.seen.last));
        assert_eq!((relay.stream, relay.said), (board.seen.stream, board.seen.last));
    }
}
