use board::Instant;
use chess::Color;
use host_server::room::{
    Code, Command, Entry, Fact, Name, Origin, Player, RelayId, Room, RoomId, Terms, Time, TokenHash, UserId, Wish,
};
use host_server::tongue::board::{Agent, Place, Want};
use wire::link::{Call, Channel, Ephemeral, Knock, MAX_FRAME, Message, PairingKey};

const ROOM: RoomId = RoomId(7);

/// A board that is paired, but has lost its mind: after the handshake it says whatever the bytes are, in whatever order,
/// while somebody else plays in its room, and the relay restarts now and then. Nothing panics, the room stays the sum of
/// its log, and the agent can always go on from its record.
pub fn link(data: &[u8]) {
    let mut table = Table::new();
    let mut rest = data;
    while let Some((&op, after)) = rest.split_first() {
        rest = after;
        match op {
            // The somebody else: a move, or a word.
            0xf0..=0xf7 => table.other(op, rest.first().copied().unwrap_or(0)),
            // The connection breaks, and the board comes back; in between the relay may have restarted.
            0xf8 => table.connect(),
            0xf9 => {
                table.restart();
                table.connect();
            }
            len => {
                let (message, after) = rest.split_at(usize::from(len).min(rest.len()));
                rest = after;
                table.hear(message);
            }
        }
        table.settle();
    }
    let copy = Room::from_log(&table.log).expect("a log has a room");
    assert_eq!(*copy.game(), *table.room.game());
    table.restart();
}

struct Table {
    agent: Agent,
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
        let first = Entry { at: Time(0), pen: 1, from: None, fact };
        let room = Room::from_log(std::slice::from_ref(&first)).expect("it is opened");
        let place = Place::new(code, Wish::White, terms);
        let board = player(place.user.clone(), "Board");
        let mut table = Self { agent: Agent::new(5), room, log: vec![first], us: Color::White, board: None, now: 0 };
        table.agent.seek(place, None);
        table.agent.sat_down(ROOM);
        let other = player("abcdefghijkl".parse().expect("twelve letters"), "Other");
        for (player, wish) in [(board, Wish::White), (other, Wish::Black)] {
            table.attempt(&Command::Sit { player, wish, dice: 1 }, None);
        }
        for color in Color::ALL {
            table.attempt(&Command::Come { color, relay: RelayId(1) }, None);
        }
        table.connect();
        table
    }

    fn attempt(&mut self, command: &Command, from: Option<Origin>) -> bool {
        let now = Time(self.now);
        let draft = self.room.attempt(command, from, now, now, self.now + 2);
        for entry in draft.entries {
            self.room.apply(&entry);
            self.log.push(entry);
        }
        draft.refused.is_none()
    }

    fn other(&mut self, op: u8, choice: u8) {
        let moves = self.room.game().position().legal_moves();
        let mv = moves.get(usize::from(choice) % moves.len().max(1)).copied();
        let want = match (op, mv) {
            (0xf0..=0xf2, Some(mv)) => Want::Move { mv, ply: self.room.game().moves().len() },
            (0xf3, _) => Want::Draw,
            (0xf4, _) => Want::NoDraw,
            (0xf5, _) => Want::Takeback { plies: choice % 4 },
            (0xf6, _) => Want::AllowTakeback { plies: choice % 4 },
            (0xf7, _) if choice & 1 == 1 => Want::AcceptDraw { ply: self.room.game().moves().len() },
            _ => Want::NoTakeback,
        };
        if let Some(command) = want.command(!self.us, 3) {
            self.attempt(&command, None);
        }
    }

    /// The board shakes hands. What it says then is up to the bytes, and so is whether it says hello.
    fn connect(&mut self) {
        let key = PairingKey::new([0x42; 32]);
        let (call, knock) = Call::new(&key, Ephemeral::new([1; 32]));
        let knock = Knock::read(&knock).expect("a knock");
        let (answer, relay) = knock.answer(&key, Ephemeral::new([2; 32])).expect("the same key");
        let mut board = call.answered(&answer).expect("an answer");
        let hello =
            wire::link::Hello { stream: 9, seen: wire::link::Seen::default(), features: 0, software: "a board" };
        let mut buffer = [0; MAX_FRAME];
        let len = board.send(&Message::Hello(hello), &mut buffer).expect("a hello");
        let accepted = self.agent.accept(relay, &mut buffer[..len], Instant::at(self.now));
        self.board = accepted.is_ok().then_some(board);
    }

    fn restart(&mut self) {
        if self.agent.is_whole() {
            let record = self.agent.record();
            let bytes = serde_json::to_vec(&record).expect("a record can be written");
            let read = serde_json::from_slice(&bytes).expect("and read");
            assert_eq!(record, read);
            self.agent = Agent::from_record(read).expect("and gone on from");
        }
        self.board = None;
    }

    /// The board says something, if it is something that can be said.
    fn hear(&mut self, message: &[u8]) {
        let Some(board) = &mut self.board else { return };
        let Ok(message) = Message::read(message) else { return };
        let mut buffer = [0; MAX_FRAME];
        let Ok(len) = board.send(&message, &mut buffer) else { return };
        if self.agent.receive(&mut buffer[..len], Instant::at(self.now)).is_err() {
            // A connection that is broken is closed, and the board comes back.
            return self.connect();
        }
        while let Some(errand) = self.agent.errand(Some(&self.room)) {
            let from = errand.from.map(|(stream, number)| Origin { color: self.us, stream, number });
            let is_done = errand.want.command(self.us, 3).is_some_and(|command| self.attempt(&command, from));
            self.agent.answered(is_done);
        }
    }

    /// Says all there is to say, and keeps it.
    fn settle(&mut self) {
        self.now += 1;
        let mut buffer = [0; MAX_FRAME];
        for _ in 0..100 {
            self.agent.settle(Some(&self.room), Time(self.now));
            let _ = self.agent.plan(Some(&self.room), Some(1));
            if self.agent.is_unkept() {
                let record = self.agent.record();
                self.agent.kept(&record);
            }
            match self.agent.transmit(&mut buffer, Instant::at(self.now)) {
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
    Player { id, name, token: TokenHash::of("") }
}
