use chess::Color;
use host_server::room::{
    Ability, Act, Command, Entry, Fact, Participant, Phase, Player, RelayId, Room, RoomId, SideChoice, Stamp, Terms,
    Time, TokenHash, UserId,
};

/// A room in which two players have begun a game, with its log.
pub(crate) struct Table {
    log: Vec<Entry>,
    pub(crate) room: Room,
    now: u64,
}

impl Table {
    pub(crate) fn new() -> Self {
        let code = "fuzz".parse().expect("a code");
        let fact = Fact::Opened { room: RoomId(1), code, terms: Terms::default(), on: 0 };
        let log = vec![Entry { at: Time(0), write_id: 1, from: None, fact }];
        let room = Room::from_log(&log).expect("a room is opened");
        let mut table = Self { log, room, now: 0 };
        for id in ["white_______", "black_______"] {
            let id: UserId = id.parse().expect("an id");
            let player = Player {
                id: id.clone(),
                name: "player".parse().expect("a name"),
                token: TokenHash::of("secret"),
                ability: Ability::Documented,
            };
            table.attempt(&Command::Sit { player, side: SideChoice::First });
            table.attempt(&Command::Connect { user: id, relay: RelayId(1) });
        }
        assert_eq!(table.room.phase(), Phase::Playing);
        table
    }

    /// Executes an act of the player with this color. Returns whether the room accepted it.
    pub(crate) fn act(&mut self, color: Color, act: Act) -> bool {
        let Some(seated) = self.room.seat(color) else { return false };
        let by = Participant { id: seated.player.id.clone(), name: seated.player.name.clone() };
        self.attempt(&Command::Act { by, act, game: self.room.current_game(), event: None })
    }

    /// The number of entries in the log.
    pub(crate) fn len(&self) -> usize {
        self.log.len()
    }

    /// The entries after the first ones.
    pub(crate) fn since(&self, known: usize) -> &[Entry] {
        self.log.get(known..).unwrap_or_default()
    }

    fn attempt(&mut self, command: &Command) -> bool {
        self.now += 10;
        let now = Time(self.now);
        let draft = self.room.attempt(command, Stamp { received: now, now, write_id: 1 });
        let grown = self.room.version() + draft.entries.len() as u64;
        assert_eq!(draft.after.version(), grown);
        // No timeout is due yet, so a refused command adds no entries.
        assert!(draft.refused.is_none() || draft.entries.is_empty(), "{command:?}: {:?}", draft.entries);
        self.room = std::sync::Arc::unwrap_or_clone(draft.after);
        self.log.extend(draft.entries);
        draft.refused.is_none()
    }

    /// Checks that the room equals the replay of its log, also after the log was written and read.
    pub(crate) fn check(&self) {
        let again = Room::from_log(&self.log).expect("a room is opened");
        assert_eq!(format!("{again:?}"), format!("{:?}", self.room));
        let written: Vec<u8> = serde_json::to_vec(&self.log).expect("a log can be written");
        let read: Vec<Entry> = serde_json::from_slice(&written).expect("what was written can be read");
        assert_eq!(read, self.log);
        assert!(self.room.game().verdict().is_none() || self.room.phase() != Phase::Playing);
    }
}
