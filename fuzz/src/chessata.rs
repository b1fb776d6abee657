use chess::Color;
use host_server::room::{
    Command, Entry, Fact, Phase, Player, RelayId, Room, RoomId, Terms, Time, TokenHash, UserId, Wish,
};
use host_server::tongue::chessata::command;

/// Says each line of the data to a room in which two people play, White first and then in turn, and holds the room to its
/// promises: it is the sum of its log, and a refusal changes nothing.
pub fn chessata(data: &[u8]) {
    let mut table = Table::new();
    for (line, color) in data.split(|&byte| byte == b'\n').zip([Color::White, Color::Black].into_iter().cycle()) {
        // A frame that is not UTF-8 never gets this far.
        let Ok(text) = std::str::from_utf8(line) else { continue };
        if let Some(command) = command(text, &table.room, color) {
            table.attempt(&command);
        }
    }
    table.check();
}

struct Table {
    log: Vec<Entry>,
    room: Room,
    now: u64,
}

impl Table {
    fn new() -> Self {
        let code = "fuzz".parse().expect("a code");
        let fact = Fact::Opened { room: RoomId(1), code, terms: Terms::default(), on: 0 };
        let log = vec![Entry { at: Time(0), pen: 1, from: None, fact }];
        let room = Room::from_log(&log).expect("a room is opened");
        let mut table = Self { log, room, now: 0 };
        for (color, id) in [(Color::White, "white_______"), (Color::Black, "black_______")] {
            let id: UserId = id.parse().expect("an id");
            let player = Player { id, name: "somebody".parse().expect("a name"), token: TokenHash::of("secret") };
            table.attempt(&Command::Sit { player, wish: Wish::First, dice: 1 });
            table.attempt(&Command::Come { color, relay: RelayId(1) });
        }
        assert_eq!(table.room.phase(), Phase::Playing);
        table
    }

    fn attempt(&mut self, command: &Command) {
        self.now += 10;
        let now = Time(self.now);
        let draft = self.room.attempt(command, None, now, now, 1);
        let grown = self.room.version() + draft.entries.len() as u64;
        assert_eq!(draft.after.version(), grown);
        // Nothing is due in so short a time, so what is refused leaves no trace.
        assert!(draft.refused.is_none() || draft.entries.is_empty(), "{command:?}: {:?}", draft.entries);
        self.room = std::sync::Arc::unwrap_or_clone(draft.after);
        self.log.extend(draft.entries);
    }

    fn check(&self) {
        let again = Room::from_log(&self.log).expect("a room is opened");
        assert_eq!(format!("{again:?}"), format!("{:?}", self.room));
        let written: Vec<u8> = serde_json::to_vec(&self.log).expect("a log can be written");
        let read: Vec<Entry> = serde_json::from_slice(&written).expect("what was written can be read");
        assert_eq!(read, self.log);
        assert!(self.room.game().outcome().is_none() || self.room.phase() != Phase::Playing);
    }
}
