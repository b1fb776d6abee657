//! What a client is told. The first fields of each message are the document's, in the document's order; what was added
//! comes behind them, and only to those who have asked for it.

use std::num::NonZero;

use chess::{Bitboard, Color, DrawClaim, Fen};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use wire::link::ClockRule;

use super::picture::{Board, EnPassant, Kings, Rooks};
use crate::room::{Clock, Line, Name, Phase, Reason, Room, Time, UserId};
use crate::tongue::notation::{Recalled, Shown, Written};

/// What the document calls somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    Player,
    Spectator,
}

impl From<Option<Color>> for Role {
    fn from(color: Option<Color>) -> Self {
        if color.is_some() { Self::Player } else { Self::Spectator }
    }
}

/// A side by its name, or `undefined`, as the document calls it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side(pub(super) Option<Color>);

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(color) => serializer.collect_str(&color),
            None => serializer.serialize_str("undefined"),
        }
    }
}

/// The squares of a set, by their names.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareList(pub(super) Bitboard);

impl Serialize for SquareList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.squares().map(Shown))
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "init")]
pub(super) struct Init<'a> {
    pub(super) user_id: &'a UserId,
    pub(super) role: Role,
    #[serde(flatten)]
    pub(super) extras: Option<InitExtras<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct InitExtras<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<&'a str>,
    pub(super) color: Side,
    pub(super) code: &'a str,
    pub(super) name: &'a Name,
    pub(super) chat: Vec<Chat<'a>>,
    pub(super) players: Players<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) watching: Option<NonZero<usize>>,
}

/// How time is counted.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Rule {
    base_ms: u32,
    increment_ms: u32,
}

impl From<ClockRule> for Rule {
    fn from(ClockRule { base_ms, increment_ms }: ClockRule) -> Self {
        Self { base_ms, increment_ms }
    }
}

/// Both players, as far as they are there.
#[derive(Debug, Serialize)]
pub(super) struct Players<'a> {
    white: Option<Person<'a>>,
    black: Option<Person<'a>>,
}

#[derive(Debug, Serialize)]
struct Person<'a> {
    user_id: &'a UserId,
    username: &'a Name,
    here: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hints: bool,
}

impl<'a> Players<'a> {
    pub(super) fn of(room: &'a Room) -> Self {
        let person = |color| {
            let seated = room.seat(color)?;
            let here = seated.is_here();
            let hints = room.agrees_to_hints(color);
            Some(Person { user_id: &seated.player.id, username: &seated.player.name, here, hints })
        };
        Self { white: person(Color::White), black: person(Color::Black) }
    }
}

/// That somebody has come or gone.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Passage<'a> {
    Join(Passer<'a>),
    Leave(Passer<'a>),
}

#[derive(Debug, Serialize)]
pub(super) struct Passer<'a> {
    pub(super) user_id: &'a UserId,
    pub(super) username: &'a Name,
    pub(super) role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<Side>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "start")]
pub(super) struct Start<'a> {
    pub(super) color: Side,
    #[serde(flatten)]
    pub(super) extras: Option<StartExtras<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct StartExtras<'a> {
    pub(super) game: u32,
    pub(super) players: Players<'a>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "game_state")]
pub(super) struct GameState<'a> {
    pub(super) player_turn_id: Option<&'a UserId>,
    pub(super) board: Board,
    pub(super) allow_en_passant: EnPassant,
    pub(super) has_king_moved: Kings,
    pub(super) has_rook_moved: Rooks,
    #[serde(flatten)]
    pub(super) extras: Option<StateExtras<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct StateExtras<'a> {
    pub(super) fen: Shown<Fen<'a>>,
    pub(super) ply: usize,
    pub(super) game: u32,
    pub(super) phase: &'static str,
    pub(super) last_move: Option<Written>,
    pub(super) check: Option<Shown<Color>>,
    pub(super) legal_moves: LegalMoves<'a>,
    pub(super) clock: Option<Clocks>,
    pub(super) offers: Offers,
    pub(super) hints: bool,
    /// For what whoever is to move may claim a draw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) claims: Vec<&'static str>,
    /// Where the game began, if not where chess begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<Shown<Fen<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<Recalled>>,
}

/// The draws that could be claimed in a room.
pub(super) fn claims(room: &Room) -> Vec<&'static str> {
    let claims = [(DrawClaim::ThreefoldRepetition, "threefold"), (DrawClaim::FiftyMoves, "fifty")];
    let is_open = |&(claim, _): &(DrawClaim, _)| room.phase() == Phase::Playing && room.game().can_claim(claim);
    claims.into_iter().filter(is_open).map(|(_, name)| name).collect()
}

pub(super) const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Counting { .. } => "counting",
        Phase::Playing => "playing",
        Phase::Over => "over",
        Phase::Closed => "closed",
    }
}

/// All legal moves, by the square that they start from: `{"e2":["e3","e4"],"a7":["a8=qrbn"]}`. Nothing, if nobody may move.
#[derive(Debug)]
pub(super) struct LegalMoves<'a>(pub(super) &'a Room);

impl Serialize for LegalMoves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let Self(room) = self;
        if room.phase() == Phase::Playing && room.game().outcome().is_none() {
            let position = room.game().position();
            let legal = position.legal();
            let pawns = position.of_role(chess::Role::Pawn);
            for from in position.of_color(position.turn()) {
                let to = legal.from(from);
                if to.any() {
                    map.serialize_entry(&Shown(from), &Targets { to, is_pawn: pawns.has(from) })?;
                }
            }
        }
        map.end()
    }
}

struct Targets {
    to: Bitboard,
    is_pawn: bool,
}

impl Serialize for Targets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let last_ranks = Bitboard::rank(chess::Rank::First) | Bitboard::rank(chess::Rank::Eighth);
        serializer.collect_seq(self.to.squares().map(|to| Target { to, promotes: self.is_pawn && last_ranks.has(to) }))
    }
}

struct Target {
    to: chess::Square,
    promotes: bool,
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let choice = if self.promotes { "=qrbn" } else { "" };
        serializer.collect_str(&format_args!("{}{choice}", self.to))
    }
}

/// What the clocks showed at a moment of the relay's time.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Clocks {
    white_ms: u64,
    black_ms: u64,
    running: Option<Shown<Color>>,
    at: u64,
}

impl Clocks {
    pub(super) fn of(clock: &Clock, at: Time) -> Self {
        Self {
            white_ms: clock.left(Color::White, at),
            black_ms: clock.left(Color::Black, at),
            running: clock.running().map(Shown),
            at: at.0,
        }
    }
}

/// What waits for an answer.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Offers {
    draw: Option<Shown<Color>>,
    takeback: Option<Asked>,
    rematch: Option<Shown<Color>>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Asked {
    color: Shown<Color>,
    plies: u8,
}

impl Offers {
    pub(super) fn of(room: &Room) -> Self {
        Self {
            draw: room.draw_offer().map(Shown),
            takeback: room.takeback().map(|(color, plies)| Asked { color: Shown(color), plies }),
            rematch: room.rematch().map(Shown),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "chat")]
pub(super) struct Chat<'a> {
    pub(super) username: &'a Name,
    pub(super) message: &'a str,
    #[serde(flatten)]
    pub(super) extras: Option<ChatExtras<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ChatExtras<'a> {
    pub(super) user_id: &'a UserId,
    pub(super) color: Side,
}

impl<'a> From<&'a Line> for Chat<'a> {
    fn from(Line { speaker, text }: &'a Line) -> Self {
        let extras = ChatExtras { user_id: &speaker.id, color: Side(speaker.color) };
        Self { username: &speaker.name, message: text, extras: Some(extras) }
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "note")]
pub(super) struct Note {
    pub(super) message: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "close")]
pub(super) struct Close {
    pub(super) message: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "end_of_game")]
pub(super) struct EndOfGame<'a> {
    pub(super) result: &'static str,
    pub(super) winner_id: Option<&'a UserId>,
    #[serde(flatten)]
    pub(super) extras: Option<EndExtras>,
}

#[derive(Debug, Serialize)]
pub(super) struct EndExtras {
    pub(super) reason: Reason,
    pub(super) result_text: &'static str,
    pub(super) clock: Option<Clocks>,
}

/// What only those hear who have asked for more than the document has.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Extra<'a> {
    Countdown {
        ms: u64,
    },
    CountdownStopped,
    Offer {
        kind: &'a str,
        color: Shown<Color>,
        #[serde(skip_serializing_if = "Option::is_none")]
        plies: Option<u8>,
    },
    OfferDeclined {
        kind: &'a str,
    },
    Presence {
        color: Shown<Color>,
        here: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        grace_ms: Option<u64>,
    },
    Watching {
        count: usize,
    },
    Wood {
        color: Shown<Color>,
        occupied: SquareList,
        in_hand: SquareList,
        astray: SquareList,
    },
    Hints {
        color: Shown<Color>,
        on: bool,
        agreed: bool,
    },
    Reconnect {
        after_ms: u64,
    },
    Pong {
        at: u64,
    },
}
