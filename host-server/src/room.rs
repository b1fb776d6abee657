//! A room as an event-sourced state machine without I/O: commands and time in, facts out.
//!
//! A room is the fold of its [event log](Entry), so every relay that has the log has the same room. A change takes three
//! steps: [`Room::attempt`] decides which [facts](Fact) a command adds; the store appends them if the log has not grown
//! meanwhile (compare-and-append); only then does the relay apply them and notify the participants.
//!
//! - `act.rs`: what a participant can do; `command.rs`: what a relay can request.
//! - `board_game.rs`: follows a game that two people play on a board.
//! - `attempt.rs`: decides about commands; `refusal.rs`: why a command is refused.
//! - `computer.rs`: the seat of the computer, and what the room expects of it.
//! - `consequence.rs`: what is due without a command, by the rules or by timeout.
//! - `told.rs`: games whose rules are a script; `ruling.rs`: the answers of the script.
//! - `fact.rs`: the entries of the log; `apply.rs`: what each of them changes; `repr.rs`, `reason.rs`: how they are stored.

mod act;
mod apply;
mod attempt;
mod board_game;
mod checkpoints;
mod clock;
mod command;
mod computer;
mod consequence;
mod fact;
mod name;
mod reason;
mod refusal;
pub(crate) mod repr;
mod ruling;
mod seat;
mod sheet;
mod terms;
#[cfg(test)]
mod tests;
mod time;
mod told;

use std::collections::VecDeque;
use std::sync::Arc;

use chess::Color;
use rules::{Play, Ply, Verdict};

pub use act::Act;
pub(crate) use attempt::MAX_CHAT_BYTES_OF_SPECTATORS;
pub use attempt::{Draft, Stamp};
use checkpoints::Checkpoints;
pub use clock::Clock;
pub use command::{BoardGame, Command, EventId, EventOrigin, Participant, SideChoice, Speaker};
pub use computer::{Computer, Expected};
pub use fact::{Ending, Entry, Fact, Offer};
pub use name::{BadCode, BadEngineName, BadName, Code, EngineName, GameId, Name, RelayId, RoomId, ScriptId, UserId};
pub use reason::reason_of;
pub use refusal::Refusal;
pub(crate) use repr::{ply_text, verdict_or_none};
pub use ruling::{MAX_TOLD_PLIES, Ruling, TooManyMoves};
pub use seat::{Ability, Player, Presence, Seated, TokenHash};
pub use sheet::Sheet;
pub use terms::Terms;
pub(crate) use terms::read_start;
pub use time::Time;
pub use told::{Answered, Ask, Footprints, Reply, ScriptQuestion, ScriptTerms};

/// How many chat messages a room keeps for participants who enter later.
const CHAT_KEPT: usize = 30;

/// The state of a room after its log. Two rooms are equal if they had equal logs, as far as any behaviour depends on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    id: RoomId,
    code: Code,
    terms: Terms,
    /// Seconds since 1970.
    opened_on: u64,
    opened_at: Time,
    /// Number of entries in the log.
    version: u64,
    /// Time of the last entry.
    last_at: Time,
    /// When the side to move got the turn.
    moved_at: Time,
    /// When the last game began.
    began_at: Time,
    /// The seat that a person took first. The player of it has invited the other one.
    host: Option<Color>,
    /// Shared with the copies of the room: few entries change them.
    seats: [Option<Arc<Seated>>; 2],
    /// Who gave up a seat after the last game, until the next game begins or the seat is taken again.
    left: [Option<Box<Player>>; 2],
    phase: Phase,
    game_id: GameId,
    /// Number of games begun.
    games: u32,
    /// Copied when it changes: a chat line or a connection shares it with the room before, and all games of chess without a move are
    /// one.
    game: Arc<Play<Sheet>>,
    checkpoints: Checkpoints,
    /// The answers of the script, if the rules are one: the start, and one for each ply.
    rulings: Vec<Ruling>,
    /// What they take in the log, including those that were taken back, in bytes.
    ruling_bytes: usize,
    /// The same of all games of the room.
    ruling_bytes_in_total: usize,
    /// Whether the footprints of the turn are known.
    has_footprints: bool,
    clock: Option<Clock>,
    /// Until when no ply is accepted, because the last one has frozen the game.
    frozen_until: Option<Time>,
    /// Remaining time of the mover after each move, in milliseconds. Empty without clocks.
    clock_after: Vec<u32>,
    /// How the game ended. The game itself knows only the ends that follow from its plies.
    verdict: Option<Verdict>,
    /// The player whose departure or absence ended the game.
    leaver: Option<Color>,
    draw_offer: Option<Color>,
    /// The number of plies at each side's last draw offer, to limit repeated offers.
    draw_asked: [Option<usize>; 2],
    takeback: Option<TakebackRequest>,
    /// Number of takebacks in this game.
    takebacks: u32,
    rematch: Option<Color>,
    /// Which players allow suggested moves.
    hints: [bool; 2],
    chat: VecDeque<Arc<ChatLine>>,
    /// How often a player was disconnected.
    disconnections: u32,
    /// Number and size in bytes of all chat messages, including those that are no longer kept.
    lines: u32,
    chat_bytes: usize,
}

/// The state of play in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A player is missing.
    Waiting,
    /// Both players are connected, and the game begins after a countdown.
    Counting {
        /// When the game begins.
        until: Time,
    },
    /// A game is in progress.
    Playing,
    /// The game is over. A rematch is possible.
    Over,
    /// The room accepts no commands any more, and its code is free.
    Closed,
}

impl Phase {
    /// The name in the JSON of players.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Counting { .. } => "counting",
            Self::Playing => "playing",
            Self::Over => "over",
            Self::Closed => "closed",
        }
    }
}

/// A pending takeback request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakebackRequest {
    /// The side that asks.
    pub by: Color,
    /// How many plies to take back.
    pub plies: u8,
}

/// A chat message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatLine {
    /// The participant who wrote it.
    pub speaker: Speaker,
    #[expect(missing_docs, reason = "the name says it")]
    pub text: String,
}

impl Room {
    /// Replays a whole log. `None` unless its first entry opens a room.
    #[must_use]
    pub fn from_log(log: &[Entry]) -> Option<Self> {
        let (first, rest) = log.split_first()?;
        let mut room = Self::open(first)?;
        for entry in rest {
            room.apply(entry);
        }
        Some(room)
    }

    /// The permanent id.
    #[must_use]
    pub const fn id(&self) -> RoomId {
        self.id
    }

    /// The code that participants enter with.
    #[must_use]
    pub const fn code(&self) -> &Code {
        &self.code
    }

    /// The conditions of play.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// When the room was opened, in seconds since 1970.
    #[must_use]
    pub const fn opened_on(&self) -> u64 {
        self.opened_on
    }

    /// Number of entries in the log.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Time of the last entry of the log.
    #[must_use]
    pub const fn last_at(&self) -> Time {
        self.last_at
    }

    /// The player at a side.
    #[must_use]
    pub fn seat(&self, color: Color) -> Option<&Seated> {
        self.seats[seat::index(color)].as_deref()
    }

    /// The side that a user plays.
    #[must_use]
    pub fn seat_of(&self, user: &UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.seat(color).is_some_and(|seated| seated.player.id == *user))
    }

    /// The side whose seat this token opens.
    #[must_use]
    pub fn seat_by_token(&self, token: &str) -> Option<Color> {
        let opens = |color| self.seat(color).is_some_and(|seated| seated.player.token.opens_with(token));
        Color::ALL.into_iter().find(|&color| opens(color))
    }

    /// The player who had this seat in the last game and has left since.
    #[must_use]
    pub fn left(&self, color: Color) -> Option<&Player> {
        self.left[seat::index(color)].as_deref()
    }

    /// The seat that the next player gets who prefers none. `None` if no seat can be taken.
    #[must_use]
    pub fn open_seat(&self) -> Option<Color> {
        if self.phase != Phase::Waiting {
            return None;
        }
        Color::ALL.into_iter().find(|&color| self.seat(color).is_none())
    }

    /// The state of play.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The current or last game; the start position before the first.
    #[must_use]
    pub fn game(&self) -> &Play<Sheet> {
        &self.game
    }

    /// Whether a later state of the room still has the same game with the same plies.
    #[must_use]
    pub(crate) fn has_game_of(&self, later: &Self) -> bool {
        self.games == later.games && Arc::ptr_eq(&self.game, &later.game)
    }

    /// The id of the current or last game; 0 before the first.
    #[must_use]
    pub const fn game_id(&self) -> GameId {
        self.game_id
    }

    /// The game that acts refer to: the one in progress, or the last one while a rematch is possible.
    #[must_use]
    pub const fn current_game(&self) -> Option<GameId> {
        match self.phase {
            Phase::Playing | Phase::Over => Some(self.game_id),
            Phase::Waiting | Phase::Counting { .. } | Phase::Closed => None,
        }
    }

    /// Number of games begun.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// The last ply of the game.
    #[must_use]
    pub fn last_ply(&self) -> Option<Ply> {
        self.game.last()
    }

    /// The clock, if the game is played with one.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// How long no ply is accepted, in milliseconds, because the last one has frozen the game.
    #[must_use]
    pub fn frozen_ms(&self, now: Time) -> u64 {
        self.frozen_until.map_or(0, |until| until.since(now))
    }

    /// Remaining time of the mover after each move, in milliseconds; empty without clocks.
    #[must_use]
    pub fn clock_after(&self) -> &[u32] {
        &self.clock_after
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The player whose departure or absence ended the game, if it was one player.
    #[must_use]
    pub const fn leaver(&self) -> Option<Color> {
        self.leaver
    }

    /// The side that offers a draw.
    #[must_use]
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// The pending takeback request.
    #[must_use]
    pub const fn takeback(&self) -> Option<TakebackRequest> {
        self.takeback
    }

    /// The side that offers a rematch.
    #[must_use]
    pub const fn rematch(&self) -> Option<Color> {
        self.rematch
    }

    /// Whether moves may be suggested to the players: if both allow it, or if they may not know the rules, because those are a script or DNA.
    #[must_use]
    pub fn hints(&self) -> bool {
        let is_unusual = self.terms.script.is_some() || self.terms.start().setup().is_some();
        is_unusual || (self.hints[0] && self.hints[1])
    }

    /// Whether this player allows suggested moves.
    #[must_use]
    pub const fn agrees_to_hints(&self, color: Color) -> bool {
        self.hints[seat::index(color)]
    }

    /// The last chat messages, oldest first.
    pub fn chat(&self) -> impl Iterator<Item = &ChatLine> {
        self.chat.iter().map(Arc::as_ref)
    }
}
