//! The messages to a client. Fields of the document come first, in the document's order; extensions follow, and only for clients
//! that ask for them.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::num::NonZero;

use chess::{Color, DrawClaim, Fen};
use rules::{Ply, Situation};
use serde::{Serialize, Serializer};
use wire::link::ClockRule;

use super::position::{Board, EnPassant, Kings, Rooks};
use crate::dialect::notation::{AsText, Letters, Recalled, SquareList, Written, add_choice};
use crate::room::{ChatLine, Clock, Name, Phase, Player, Room, ScriptId, Time, UserId};

/// The document's roles.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) grace_ms: Option<u64>,
    /// The id of the room, for permanent links to its games.
    pub(super) room: String,
    /// The name of the rules.
    pub(super) rules: &'static str,
    /// The name of the script, if the rules are one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) script: Option<ScriptName<'a>>,
    /// If this is a stored game, which is only to be looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) review: Option<Review>,
}

/// Which game of a match is shown.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Review {
    pub(super) game: u32,
    /// How many games the match has.
    pub(super) games: u32,
    /// Whether the match goes on.
    pub(super) is_open: bool,
}

/// A script that has the rules.
#[derive(Debug, Serialize)]
pub(super) struct ScriptName<'a> {
    pub(super) id: ScriptId,
    pub(super) title: &'a str,
}

/// The time control.
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

/// Both seats.
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
    /// Whether the player has left after the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    left: bool,
    /// How long the player may be absent still before it has a consequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    grace_ms: Option<u64>,
}

impl<'a> Players<'a> {
    pub(super) fn of(room: &'a Room, now: Time) -> Self {
        let person = |color| match room.seat(color) {
            Some(seated) => {
                let (here, hints) = (seated.is_here(), room.agrees_to_hints(color));
                let Player { id, name, .. } = &seated.player;
                let grace_ms = room.absence_ends(color).map(|until| until.since(now));
                Some(Person { user_id: id, username: name, here, hints, left: false, grace_ms })
            }
            // While a player is awaited, the seat is shown as open.
            None if room.phase() == Phase::Waiting => None,
            None => {
                let Player { id, name, .. } = room.left(color)?;
                Some(Person { user_id: id, username: name, here: false, hints: false, left: true, grace_ms: None })
            }
        };
        Self { white: person(Color::White), black: person(Color::Black) }
    }

    /// The players of a stored game, and whether they were connected when it ended. `open` is the room now, if it is open.
    pub(super) fn of_stored(room: &'a Room, open: Option<&Room>) -> Self {
        let person = |color| {
            let seated = room.seat(color)?;
            let (Player { id, name, .. }, here) = (&seated.player, seated.is_here());
            let left = open.is_some_and(|open| open.seat_of(id).is_none());
            Some(Person { user_id: id, username: name, here, hints: false, left, grace_ms: None })
        };
        Self { white: person(Color::White), black: person(Color::Black) }
    }
}

/// A participant has entered or left.
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
    /// The position of a game of chess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fen: Option<AsText<Fen<'a>>>,
    /// The position of another game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) placement: Option<String>,
    /// What the letters of all placements in this message stand for.
    #[serde(skip_serializing_if = "Letters::is_empty")]
    pub(super) pieces: Letters,
    pub(super) ply: usize,
    pub(super) game: u32,
    pub(super) phase: &'static str,
    pub(super) last_move: Option<Written>,
    pub(super) check: Option<AsText<Color>>,
    pub(super) turn: AsText<Color>,
    #[serde(skip_serializing_if = "SquareList::is_empty")]
    pub(super) checked: SquareList,
    /// What the letters of choices in the legal moves stand for, if it is not chess.
    #[serde(skip_serializing_if = "Letters::is_empty")]
    pub(super) choices: Letters,
    pub(super) legal_moves: LegalMoves<'a>,
    pub(super) clock: Option<Clocks>,
    pub(super) offers: Offers,
    pub(super) hints: bool,
    /// How long no move is accepted.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) frozen_ms: u64,
    /// The draws that the side to move may claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) claims: Vec<&'static str>,
    /// The position before the first of `moves`, in chess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<AsText<Fen<'a>>>,
    /// The position before the first of `moves`, in another game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_placement: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<Recalled>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The draws that could be claimed in a room.
pub(super) fn claims(room: &Room) -> Vec<&'static str> {
    let claims = [(DrawClaim::ThreefoldRepetition, "threefold"), (DrawClaim::FiftyMoves, "fifty")];
    let is_open = |&(claim, _): &(DrawClaim, _)| room.phase() == Phase::Playing && room.game().can_claim(claim);
    claims.into_iter().filter(is_open).map(|(_, name)| name).collect()
}

/// All legal moves, by the square that they start from: `{"e2":["e3","e4"],"a7":["a8=qrbn"]}`. Empty if no side may move.
#[derive(Debug)]
pub(super) struct LegalMoves<'a> {
    here: Situation<'a>,
    /// Ordered by their squares. The choices between the same squares are in the order of the rules.
    plies: Vec<Ply>,
}

impl<'a> LegalMoves<'a> {
    pub(super) fn of(room: &'a Room) -> Self {
        let here = room.game().situation();
        let may_move = room.phase() == Phase::Playing && room.game().verdict().is_none();
        let mut plies = if may_move { here.plies().to_vec() } else { Vec::new() };
        plies.sort_by_key(|ply| (ply.from(), ply.to()));
        Self { here, plies }
    }

    /// What the letters of the choices stand for. Promotions of chess have none.
    pub(super) fn choices(&self) -> Letters {
        let mut letters = Letters::new();
        for ply in &self.plies {
            add_choice(self.here, ply.choice(), &mut letters);
        }
        letters
    }
}

impl Serialize for LegalMoves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { here, plies } = self;
        let pieces = plies.chunk_by(|one, other| one.from() == other.from());
        serializer.collect_map(pieces.filter_map(|plies| {
            let from = plies.first()?.from();
            Some((AsText(from), Targets { here: *here, plies }))
        }))
    }
}

/// The squares that one piece may go to.
struct Targets<'a> {
    here: Situation<'a>,
    plies: &'a [Ply],
}

impl Serialize for Targets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ways = self.plies.chunk_by(|one, other| one.is_same_way(*other));
        serializer.collect_seq(ways.map(|choices| AsText(Target { here: self.here, choices })))
    }
}

/// A square, and the letters of what can be chosen there.
struct Target<'a> {
    here: Situation<'a>,
    choices: &'a [Ply],
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.choices.first() else { return Ok(()) };
        first.to().fmt(f)?;
        let mut letters = self.choices.iter().filter_map(|ply| self.here.choice(ply.choice())).peekable();
        if letters.peek().is_some() {
            f.write_char('=')?;
        }
        letters.try_for_each(|choice| f.write_char(choice.letter))
    }
}

/// The clocks at a time of the store.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Clocks {
    white_ms: u64,
    black_ms: u64,
    running: Option<AsText<Color>>,
    at: u64,
}

impl Clocks {
    pub(super) fn of(clock: &Clock, at: Time) -> Self {
        Self {
            white_ms: clock.left(Color::White, at),
            black_ms: clock.left(Color::Black, at),
            running: clock.running().map(AsText),
            at: at.0,
        }
    }
}

/// Pending offers and requests.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Offers {
    draw: Option<AsText<Color>>,
    takeback: Option<TakebackOffer>,
    rematch: Option<AsText<Color>>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct TakebackOffer {
    color: AsText<Color>,
    plies: u8,
}

impl Offers {
    pub(super) fn of(room: &Room) -> Self {
        Self {
            draw: room.draw_offer().map(AsText),
            takeback: room.takeback().map(|request| TakebackOffer { color: AsText(request.by), plies: request.plies }),
            rematch: room.rematch().map(AsText),
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

impl<'a> From<&'a ChatLine> for Chat<'a> {
    fn from(ChatLine { speaker, text }: &'a ChatLine) -> Self {
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
    pub(super) reason: &'static str,
    pub(super) result_text: &'static str,
    pub(super) clock: Option<Clocks>,
}

/// Messages that the document does not have, only for clients with `extras`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Extra<'a> {
    Countdown {
        ms: u64,
    },
    CountdownStopped,
    Offer {
        kind: &'a str,
        color: AsText<Color>,
        #[serde(skip_serializing_if = "Option::is_none")]
        plies: Option<u8>,
    },
    OfferDeclined {
        kind: &'a str,
    },
    OfferWithdrawn {
        kind: &'a str,
    },
    Corrected {
        color: AsText<Color>,
    },
    Presence {
        color: AsText<Color>,
        here: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        grace_ms: Option<u64>,
    },
    Watching {
        count: usize,
    },
    Occupancy {
        color: AsText<Color>,
        occupied: SquareList,
        in_hand: SquareList,
        astray: SquareList,
    },
    Hints {
        color: AsText<Color>,
        on: bool,
        agreed: bool,
    },
    Reconnect {
        after_ms: u64,
    },
    Pong {
        at: u64,
    },
    Premoves {
        ply: usize,
        moves: BTreeMap<String, Vec<String>>,
    },
}
