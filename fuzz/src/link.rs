use board::Instant;
use chess::Color;
use host_server::dialect::board::{BoardSeat, RelaySession};
use host_server::room::{
    Ability, Act, Code, Command, Entry, EventId, Fact, Name, Participant, Player, RelayId, Room, RoomId, SideChoice,
    Stamp, Terms, Time, TokenHash, UserId,
};
use wire::link::{Channel, Ephemeral, Initiator, MAX_FRAME, Message, PairingKey, Responder};

const ROOM: RoomId = RoomId(7);

/// A paired board that misbehaves: after the handshake it sends the given bytes as messages, in any order,
/// while another player moves in its room, and the relay restarts now and then. Nothing panics, the room stays the sum of
/// its log, and the relay session can always resume from its record.
pub fn link(data: &[u8]) {
    let mut table = Table::new();
    let mut rest = data;
    while let Some((&op, after)) = rest.split_first() {
        rest = after;
        match op {
            // The opponent: a move, or another command.
            0xf0..=0xf7 => table.other(op, rest.first().copied().unwrap_or(0)),
            // The connection closes, and the board reconnects; the relay may have restarted in between.
            0xf8 => table.connect(),
            0xf9 => {
                table.restart();
                table.connect();
            }
            // The owner sends a line to the console of the board.
            0xfa => table.relay_session.send_line("stats".to_owned()),
            len => {
                let (message, after) = rest.split_at(usize::from(len).min(rest.len()));
                rest = after;
                table.receive(message);
            }
        }
        table.settle();
    }
    let copy = Room::from_log(&table.log).expect("a log has a room");
    assert_eq!(*copy.game(), *table.room.game());
    table.restart();
}

struct Table {
    relay_session: RelaySession,
    room: Room,
    log: Vec<Entry>,
    us: Color,
    /// The board's end of the connection, if there is one.
    board: Option<Channel>,
    now: u64,
}

impl Table {
    fn new() -> Self {
        let code: Code = "TABLE".parse().expect("a code");
        let terms = Terms::default();
        let fact = Fact::Opened { room: ROOM, code: code.clone(), terms: terms.clone(), on: 0 };
        let first = Entry { at: Time(0), write_id: 1, from: None, fact };
        let room = Room::from_log(std::slice::from_ref(&first)).expect("it is opened");
        let seat = BoardSeat::new(code, SideChoice::White, terms);
        let board = player(seat.user.clone(), "Board");
        let mut table =
            Self { relay_session: RelaySession::new(5), room, log: vec![first], us: Color::White, board: None, now: 0 };
        table.relay_session.seek(seat, None);
        table.relay_session.sat_down(ROOM);
        let other = player("abcdefghijkl".parse().expect("twelve letters"), "Other");
        for (player, side) in [(board, SideChoice::White), (other, SideChoice::Black)] {
            let connect = Command::Connect { user: player.id.clone(), relay: RelayId(1) };
            table.attempt(&Command::Sit { player, side });
            table.attempt(&connect);
        }
        table.connect();
        table
    }

    fn attempt(&mut self, command: &Command) -> bool {
        let now = Time(self.now);
        let draft = self.room.attempt(command, Stamp { received: now, now, write_id: self.now + 2 });
        for entry in draft.entries {
            self.room.apply(&entry);
            self.log.push(entry);
        }
        draft.refused.is_none()
    }

    fn other(&mut self, op: u8, choice: u8) {
        let plies = self.room.game().situation().plies();
        let ply = plies.get(usize::from(choice) % plies.len().max(1)).copied();
        let act = match (op, ply) {
            (0xf0..=0xf2, Some(ply)) => Act::Move { ply, number: Some(self.room.game().len()) },
            (0xf3, _) => Act::OfferDraw,
            (0xf4, _) => Act::DeclineDraw,
            (0xf5, _) => Act::AskTakeback { plies: choice % 4 },
            (0xf6, _) => Act::AcceptTakeback { plies: choice % 4 },
            (0xf7, _) if choice & 1 == 1 => Act::AcceptDraw { number: self.room.game().len() },
            _ => Act::DeclineTakeback,
        };
        self.act(!self.us, act, None);
    }

    fn act(&mut self, color: Color, act: Act, event: Option<EventId>) -> bool {
        let Some(seated) = self.room.seat(color) else { return false };
        let by = Participant { id: seated.player.id.clone(), name: seated.player.name.clone() };
        let game = self.room.current_game();
        self.attempt(&Command::Act { by, act, game, event })
    }

    /// The board performs the handshake. The bytes decide its messages, including the hello.
    fn connect(&mut self) {
        let key = PairingKey::new([0x42; 32]);
        let (call, first_frame) = Initiator::new(&key, Ephemeral::new([1; 32]));
        let first_frame = Responder::read(&first_frame).expect("a first frame");
        let (answer, relay) = first_frame.answer(&key, Ephemeral::new([2; 32])).expect("the same key");
        let mut board = call.answered(&answer).expect("an answer");
        let hello =
            wire::link::Hello { stream: 9, seen: wire::link::Seen::default(), features: 0, software: "a board" };
        let mut buffer = [0; MAX_FRAME];
        let len = board.send(&Message::Hello(hello), &mut buffer).expect("a hello");
        let accepted = self.relay_session.accept(relay, &mut buffer[..len], Instant::at(self.now));
        self.board = accepted.is_ok().then_some(board);
    }

    fn restart(&mut self) {
        if self.relay_session.is_whole() {
            let record = self.relay_session.record();
            let bytes = serde_json::to_vec(&record).expect("a record can be written");
            let read = serde_json::from_slice(&bytes).expect("and read");
            assert_eq!(record, read);
            self.relay_session = RelaySession::from_record(read).expect("and gone on from");
        }
        self.board = None;
    }

    /// The board sends a message, if it can be encoded.
    fn receive(&mut self, message: &[u8]) {
        let Some(board) = &mut self.board else { return };
        let Ok(message) = Message::read(message) else { return };
        let mut buffer = [0; MAX_FRAME];
        let Ok(len) = board.send(&message, &mut buffer) else { return };
        if self.relay_session.receive(&mut buffer[..len], Instant::at(self.now)).is_err() {
            // A failed connection is closed, and the board reconnects.
            return self.connect();
        }
        let _ = self.relay_session.console_answer();
        while let Some(pending) = self.relay_session.next_act(Some(&self.room)) {
            let is_done = pending.act.is_some_and(|act| self.act(self.us, act, pending.event));
            self.relay_session.answered(is_done);
        }
    }

    /// Sends and persists all pending messages.
    fn settle(&mut self) {
        self.now += 1;
        let mut buffer = [0; MAX_FRAME];
        for _ in 0..100 {
            self.relay_session.settle(Some(&self.room), Time(self.now));
            let _ = self.relay_session.plan(Some(&self.room), Some(1));
            if self.relay_session.needs_storing() {
                let record = self.relay_session.record();
                self.relay_session.mark_stored(&record);
            }
            match self.relay_session.transmit(&mut buffer, Instant::at(self.now)) {
                Ok(Some(len)) => {
                    if let Some(board) = &mut self.board {
                        board.receive(&mut buffer[..len]).expect("the board can read it");
                    }
                }
                Ok(None) => return,
                Err(_) => return self.connect(),
            }
        }
    }
}

fn player(id: UserId, name: &str) -> Player {
    let name: Name = name.parse().expect("a name");
    Player { id, name, token: TokenHash::of(""), ability: Ability::Documented }
}
