//! A room whose updates the tests of dialects translate.

use std::sync::Arc;

use chess::Color;

use super::View;
use crate::relay::{RoomUpdate, Transient, Update};
use crate::room::{
    Ability, Act, Command, Entry, Fact, Participant, Player, Refusal, RelayId, Room, RoomId, SideChoice, Stamp, Terms,
    Time, TokenHash,
};

const RELAY: RelayId = RelayId(1);

/// A room with two players, whose time stands still.
pub(super) struct TestTable {
    pub(super) room: Arc<Room>,
    now: Time,
    writes: u64,
    players: [Participant; 2],
}

/// An update, with the room before it.
pub(super) struct Change {
    pub(super) before: Arc<Room>,
    pub(super) update: RoomUpdate,
}

impl TestTable {
    /// A game of two players whose clients return to their seats with the tokens `white` and `black`.
    pub(super) fn new(terms: Terms) -> Self {
        let now = Time(1_000_000);
        let fact = Fact::Opened { room: RoomId(7), code: "ROOM".parse().unwrap(), terms, on: 1_790_000_000 };
        let room = Room::from_log(&[Entry { at: now, write_id: 1, from: None, fact }]).unwrap();
        let players = ["Ann", "Bob"].map(|name| Participant::new(name.parse().unwrap()));
        let mut table = Self { room: Arc::new(room), now, writes: 1, players };
        for (color, token) in [(Color::White, "white"), (Color::Black, "black")] {
            let Participant { id, name } = table.participant(color).clone();
            let player = Player { id, name, token: TokenHash::of(token), ability: Ability::Returns };
            let side = if color == Color::White { SideChoice::White } else { SideChoice::Black };
            table.does(&Command::Sit { player, side }).unwrap();
            table.connects(color);
        }
        table
    }

    pub(super) fn participant(&self, color: Color) -> &Participant {
        &self.players[usize::from(color == Color::Black)]
    }

    /// What the client of a player may see.
    pub(super) fn view(&self, color: Color) -> View<'_> {
        let participant = self.participant(color);
        View { room: &self.room, participant, color: self.room.seat_of(&participant.id), now: self.now }
    }

    /// Executes a command, and returns what it changes.
    fn does(&mut self, command: &Command) -> Result<Vec<Change>, Refusal> {
        self.writes += 1;
        let draft = self.room.attempt(command, Stamp { received: self.now, now: self.now, write_id: self.writes });
        let mut changes = Vec::new();
        for entry in draft.entries {
            let before = self.room.clone();
            Arc::make_mut(&mut self.room).apply(&entry);
            let update = RoomUpdate::detached(Update::Entry(Arc::new(entry)), self.room.clone());
            changes.push(Change { before, update });
        }
        draft.refused.map_or(Ok(changes), Err)
    }

    pub(super) fn acts(&mut self, color: Color, act: Act) -> Result<Vec<Change>, Refusal> {
        let (by, game) = (self.participant(color).clone(), self.room.current_game());
        self.does(&Command::Act { by, act, game, event: None })
    }

    /// Plays moves alternately.
    pub(super) fn plays(&mut self, moves: &str) -> Vec<Change> {
        let moves = moves.split_ascii_whitespace().map(|mv| Act::Move { ply: mv.parse().unwrap(), number: None });
        moves.flat_map(|act| self.acts(self.room.game().to_move(), act).unwrap()).collect()
    }

    pub(super) fn connects(&mut self, color: Color) -> Vec<Change> {
        let user = self.participant(color).id.clone();
        self.does(&Command::Connect { user, relay: RELAY }).unwrap()
    }

    pub(super) fn disconnects(&mut self, color: Color) -> Vec<Change> {
        let user = self.participant(color).id.clone();
        self.does(&Command::Disconnect { user, relay: RELAY }).unwrap()
    }

    /// The announcement that a player is choosing the piece of a promotion.
    pub(super) fn promoting(&self, color: Color, mv: &str) -> Change {
        let transient = Transient::Promoting { id: self.participant(color).id.clone(), ply: mv.parse().unwrap() };
        let update = RoomUpdate::detached(Update::Transient(transient), self.room.clone());
        Change { before: self.room.clone(), update }
    }
}
