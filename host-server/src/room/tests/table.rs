use chess::Color;
use rules::{Ply, Start};

use crate::room::{
    Ability, Act, Command, Draft, Entry, EventId, Fact, GameId, Name, Participant, Phase, Player, Refusal, RelayId,
    Room, RoomId, SideChoice, Speaker, Stamp, Terms, Time, TokenHash, UserId,
};
use wire::link::ClockRule;

pub(super) use chess::Color::{Black, White};

/// The relay of all connections unless a test names another one.
pub(super) const RELAY: RelayId = RelayId(1);

/// A room with its log and a clock that the test advances.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) room: Room,
    pub(super) log: Vec<Entry>,
    pub(super) now: Time,
    /// The id of the last write, which also decides random sides.
    pub(super) write_ids: u64,
    /// What the clients of the next players can do.
    pub(super) ability: Ability,
}

impl Table {
    /// An open room without players.
    pub(super) fn open(terms: Terms) -> Self {
        let code = "ROOM".parse().unwrap();
        let fact = Fact::Opened { room: RoomId(7), code, terms, on: 1_790_000_000 };
        let now = Time(1_000_000);
        let log = vec![Entry { at: now, write_id: 1, from: None, fact }];
        Self { room: Room::from_log(&log).unwrap(), log, now, write_ids: 1, ability: Ability::Documented }
    }

    /// A room with Ann as White and Bob as Black, both connected. The game has started if the terms have no countdown.
    pub(super) fn set(terms: Terms) -> Self {
        Self::open(terms).with_players()
    }

    /// Like [`Self::set`], with players whose clients can claim a win.
    pub(super) fn claiming(terms: Terms) -> Self {
        Self::set_with(Ability::Claims, terms)
    }

    /// Like [`Self::set`], with players whose clients can do this.
    pub(super) fn set_with(ability: Ability, terms: Terms) -> Self {
        let table = Self::open(terms);
        Self { ability, ..table }.with_players()
    }

    fn with_players(mut self) -> Self {
        let table = &mut self;
        table.sits("ann", SideChoice::White).unwrap();
        table.comes(White);
        table.sits("bob", SideChoice::Black).unwrap();
        table.comes(Black);
        self
    }

    /// Like [`Self::set`], with a time control.
    pub(super) fn timed(base_ms: u32, increment_ms: u32) -> Self {
        Self::set(Terms { clock: Some(ClockRule { base_ms, increment_ms }), ..Terms::default() })
    }

    /// Like [`Self::set`], from this start position.
    pub(super) fn from(fen: &str) -> Self {
        Self::set(Terms { start: Some(Box::new(Start::Chess(fen.parse().unwrap()))), ..Terms::default() })
    }

    pub(super) fn draft(&mut self, step: &Step, received: Time) -> Draft {
        self.write_ids += 1;
        let stamp = Stamp { received, now: self.now, write_id: self.write_ids };
        self.room.attempt(&step.command(&self.room), stamp)
    }

    pub(super) fn take(&mut self, draft: Draft) -> Result<(), Refusal> {
        for entry in &draft.entries {
            self.room.apply(entry);
        }
        assert_eq!(self.room, *draft.after, "replaying the entries of a draft gives its room");
        self.log.extend(draft.entries);
        draft.refused.map_or(Ok(()), Err)
    }

    pub(super) fn does(&mut self, step: impl Into<Step>) -> Result<(), Refusal> {
        self.received(step, self.now)
    }

    /// Executes a command that was received at an earlier time and waited for the store.
    pub(super) fn received(&mut self, step: impl Into<Step>, then: Time) -> Result<(), Refusal> {
        let draft = self.draft(&step.into(), then);
        self.take(draft)
    }

    /// Advances the clock without a tick.
    pub(super) fn passes(&mut self, milliseconds: u64) -> &mut Self {
        self.now = self.now.after(milliseconds);
        self
    }

    /// Executes everything that is due.
    pub(super) fn ticks(&mut self) {
        self.does(Command::Tick).unwrap();
    }

    pub(super) fn sits(&mut self, name: &str, side: SideChoice) -> Result<(), Refusal> {
        let player = Player { ability: self.ability, ..player(name) };
        self.does(Command::Sit { player, side })
    }

    pub(super) fn comes(&mut self, color: Color) {
        self.does(connect(color, RELAY)).unwrap();
    }

    pub(super) fn goes(&mut self, color: Color) {
        self.does(disconnect(color, RELAY)).unwrap();
    }

    /// Plays moves alternately, beginning with the side to move.
    pub(super) fn plays(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            let color = self.room.game().to_move();
            self.moves(color, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
        }
    }

    pub(super) fn moves(&mut self, color: Color, mv: &str) -> Result<(), Refusal> {
        self.does((color, Act::Move { ply: uci(mv), number: None }))
    }

    pub(super) fn says(&mut self, text: &str) -> Result<(), Refusal> {
        self.does(chat("ann", text))
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

    /// The number of entries that a command adds.
    pub(super) fn lines_of(&mut self, command: impl Into<Step>) -> usize {
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
    Player {
        id: id(name),
        name: name.parse().unwrap(),
        token: TokenHash::of(&format!("secret of {name}")),
        ability: Ability::Documented,
    }
}

pub(super) fn speaker(name: &str, color: Option<Color>) -> Speaker {
    let called: Name = name.parse().unwrap();
    Speaker { id: id(name), name: called, color }
}

pub(super) fn uci(mv: &str) -> Ply {
    mv.parse().unwrap()
}

/// Something to be done in a room. The colour of an actor is resolved to the player who has the seat by then.
#[derive(Clone, Debug)]
pub(super) enum Step {
    By(Color, Act, Option<EventId>),
    Named(&'static str, Act),
    Connect(Color, RelayId),
    Disconnect(Color, RelayId),
    Command(Command),
}

impl Step {
    pub(super) fn command(&self, room: &Room) -> Command {
        let at = |color| room.seat(color).map_or_else(|| player("stranger"), |seated| seated.player.clone());
        let act = |Player { id, name, .. }, act: &Act, event| Command::Act {
            by: Participant { id, name },
            act: act.clone(),
            game: room.current_game(),
            event,
        };
        match self {
            Self::By(color, what, event) => act(at(*color), what, *event),
            Self::Named(name, what) => act(player(name), what, None),
            Self::Connect(color, relay) => Command::Connect { user: at(*color).id, relay: *relay },
            Self::Disconnect(color, relay) => Command::Disconnect { user: at(*color).id, relay: *relay },
            Self::Command(command) => command.clone(),
        }
    }
}

impl From<(Color, Act)> for Step {
    fn from((color, act): (Color, Act)) -> Self {
        Self::By(color, act, None)
    }
}

impl From<Command> for Step {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

pub(super) fn connect(color: Color, relay: RelayId) -> Step {
    Step::Connect(color, relay)
}

pub(super) fn disconnect(color: Color, relay: RelayId) -> Step {
    Step::Disconnect(color, relay)
}

pub(super) fn chat(name: &'static str, text: &str) -> Step {
    Step::Named(name, Act::Chat { text: text.to_owned() })
}

pub(super) fn rematch(color: Color) -> (Color, Act) {
    (color, Act::OfferRematch)
}
