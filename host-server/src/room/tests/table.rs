use chess::{Color, Move};

use crate::room::{
    Command, Draft, Entry, Fact, GameId, Name, Origin, Phase, Player, Refusal, RelayId, Room, RoomId, Speaker, Terms,
    Time, TokenHash, UserId, Wish,
};
use wire::link::ClockRule;

pub(super) use chess::Color::{Black, White};

/// The relay through which everybody is here, if nothing else is said.
pub(super) const RELAY: RelayId = RelayId(1);

/// A room, with the log that it is the sum of, and a time that passes when told to.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) room: Room,
    pub(super) log: Vec<Entry>,
    pub(super) now: Time,
    pens: u64,
}

impl Table {
    /// With nobody at it.
    pub(super) fn open(terms: Terms) -> Self {
        let code = "ROOM".parse().unwrap();
        let fact = Fact::Opened { room: RoomId(7), code, terms, on: 1_790_000_000 };
        let now = Time(1_000_000);
        let log = vec![Entry { at: now, pen: 1, from: None, fact }];
        Self { room: Room::from_log(&log).unwrap(), log, now, pens: 1 }
    }

    /// With Ann at White's side and Bob at Black's, both there, and a game that has begun if there is no countdown.
    pub(super) fn set(terms: Terms) -> Self {
        let mut table = Self::open(terms);
        table.sits("ann", Wish::White).unwrap();
        table.comes(White);
        table.sits("bob", Wish::Black).unwrap();
        table.comes(Black);
        table
    }

    /// The same with a clock.
    pub(super) fn timed(base_ms: u32, increment_ms: u32) -> Self {
        Self::set(Terms { clock: Some(ClockRule { base_ms, increment_ms }), ..Terms::default() })
    }

    /// A game that begins from this position.
    pub(super) fn from(fen: &str) -> Self {
        Self::set(Terms { start: Some(fen.to_owned()), ..Terms::default() })
    }

    pub(super) fn draft(&mut self, command: &Command, from: Option<Origin>, received: Time) -> Draft {
        self.pens += 1;
        self.room.attempt(command, from, received, self.now, self.pens)
    }

    pub(super) fn take(&mut self, draft: Draft) -> Result<(), Refusal> {
        for entry in &draft.entries {
            self.room.apply(entry);
        }
        assert_eq!(self.room, *draft.after, "the draft is what comes of its lines");
        self.log.extend(draft.entries);
        draft.refused.map_or(Ok(()), Err)
    }

    /// Somebody wants something now.
    pub(super) fn does(&mut self, command: Command) -> Result<(), Refusal> {
        self.received(command, self.now)
    }

    /// Somebody wanted something then, and the store was slow.
    #[expect(clippy::needless_pass_by_value, reason = "it reads better where it is called")]
    pub(super) fn received(&mut self, command: Command, then: Time) -> Result<(), Refusal> {
        let draft = self.draft(&command, None, then);
        self.take(draft)
    }

    /// So many milliseconds pass. Nobody looks.
    pub(super) fn passes(&mut self, milliseconds: u64) -> &mut Self {
        self.now = self.now.after(milliseconds);
        self
    }

    /// What time has brought is looked at.
    pub(super) fn ticks(&mut self) {
        self.does(Command::Tick { dice: 99 }).unwrap();
    }

    pub(super) fn sits(&mut self, name: &str, wish: Wish) -> Result<(), Refusal> {
        self.does(Command::Sit { player: player(name), wish, dice: 0 })
    }

    pub(super) fn comes(&mut self, color: Color) {
        self.does(Command::Come { color, relay: RELAY }).unwrap();
    }

    pub(super) fn goes(&mut self, color: Color) {
        self.does(Command::Go { color, relay: RELAY }).unwrap();
    }

    /// Whoever has the turn moves.
    pub(super) fn plays(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            let color = self.room.game().position().turn();
            self.moves(color, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        }
    }

    pub(super) fn moves(&mut self, color: Color, mv: &str) -> Result<(), Refusal> {
        self.does(Command::Move { color, mv: uci(mv), ply: None })
    }

    pub(super) fn says(&mut self, text: &str) -> Result<(), Refusal> {
        self.does(Command::Say { speaker: speaker("ann", Some(White)), text: text.to_owned() })
    }

    pub(super) fn left(&self, color: Color) -> u64 {
        self.room.clock().unwrap().left(color, self.now)
    }

    pub(super) fn facts(&self) -> impl DoubleEndedIterator<Item = &Fact> {
        self.log.iter().map(|entry| &entry.fact)
    }

    pub(super) fn last_fact(&self) -> &Fact {
        self.facts().next_back().unwrap()
    }

    /// How many lines a command adds.
    pub(super) fn lines_of(&mut self, command: Command) -> usize {
        let before = self.log.len();
        self.does(command).unwrap();
        self.log.len() - before
    }

    pub(super) fn name_at(&self, color: Color) -> Option<&str> {
        self.room.seat(color).map(|seated| seated.player.name.as_str())
    }

    pub(super) fn is_playing(&self) -> bool {
        self.room.phase() == Phase::Playing
    }

    pub(super) fn game(&self) -> GameId {
        self.room.game_id()
    }
}

pub(super) fn id(name: &str) -> UserId {
    format!("{name:_<12}").parse().unwrap()
}

pub(super) fn player(name: &str) -> Player {
    Player { id: id(name), name: name.parse().unwrap(), token: TokenHash::of(&format!("secret of {name}")) }
}

pub(super) fn speaker(name: &str, color: Option<Color>) -> Speaker {
    let called: Name = name.parse().unwrap();
    Speaker { id: id(name), name: called, color }
}

pub(super) fn uci(mv: &str) -> Move {
    mv.parse().unwrap()
}

pub(super) fn rematch(color: Color) -> Command {
    Command::OfferRematch { color, dice: 4711 }
}
