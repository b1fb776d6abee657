//! Translates between the events of one client and its room, without I/O.
//!
//! A promotion takes two events of the client, and is one move of the room: until the client has chosen a piece, the move is only known here
//! and to the clients that were told of it by [`Transient::Promoting`].

use chess::{Color, Move, Position, Promotion, Square};
use rules::{Ply, Verdict};

use super::arguments::RoomRequest;
use super::event::ServerEvent;
use crate::dialect::View;
use crate::relay::{RoomUpdate, Transient, Update};
use crate::room::{Act, Ending, Fact, Offer, Phase, Presence, Room, reason_of};

/// The state of one client in one room.
#[derive(Default)]
pub(super) struct Translator {
    /// A pawn stands on the last rank, and its player is choosing a piece.
    promotion: Option<Pending>,
    /// The client has chosen, and waits for the result.
    has_chosen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    color: Color,
    mv: Move,
}

/// What follows from a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Translated {
    Act(Act),
    /// The move is a promotion: tell all clients that its player is choosing.
    Promoting(Move, Vec<ServerEvent>),
    Reply(ServerEvent),
}

impl Translator {
    /// The events for a client that has entered. `returns` says that it has come back with its token.
    pub(super) fn welcome(view: &View<'_>, token: Option<&str>, returns: bool) -> Vec<ServerEvent> {
        let room = view.room;
        let mut events = vec![ServerEvent::GetGameId(room.code().clone())];
        events.extend(token.map(|token| ServerEvent::SeatToken(token.to_owned())));
        if let (true, Some(color)) = (returns, view.color) {
            events.push(ServerEvent::ReJoinSuccess { color, fen: fen(room) });
        }
        match room.phase() {
            Phase::Counting { .. } => events.push(ServerEvent::StartCountDown),
            Phase::Playing if !returns => {
                events.extend(view.color.map(ServerEvent::PlayerColor));
                events.push(ServerEvent::StartGame { fen: fen(room) });
            }
            Phase::Waiting | Phase::Playing | Phase::Over | Phase::Closed => {}
        }
        events
    }

    pub(super) fn request(&mut self, request: RoomRequest, view: &View<'_>) -> Translated {
        let number = view.room.game().len();
        let Some(color) = view.color else { return Translated::Reply(request.refusal("only the players can do that")) };
        match request {
            RoomRequest::Move(_) if self.promotion.is_some() => Translated::Reply(ServerEvent::ErrorPawnPromotion),
            RoomRequest::Move(mv) => {
                let is_on_move = view.room.phase() == Phase::Playing && view.room.game().to_move() == color;
                if is_on_move && let Some((before, queened)) = queened(view.room, mv) {
                    self.promotion = Some(Pending { color, mv });
                    Translated::Promoting(mv, promoting(color, mv.to(), before, &queened))
                } else {
                    Translated::Act(Act::Move { ply: Ply::of_move(mv), number: Some(number) })
                }
            }
            RoomRequest::Promote(piece) => match (self.promotion, Promotion::to(piece.role())) {
                (Some(pending), Some(promotion)) if pending.color == color && piece.color() == color => {
                    self.has_chosen = true;
                    let ply = Ply::of_move(pending.mv.promoting(Some(promotion)));
                    Translated::Act(Act::Move { ply, number: Some(number) })
                }
                _ => Translated::Reply(ServerEvent::ErrorPawnPromotion),
            },
            RoomRequest::OfferDraw => Translated::Act(Act::OfferDraw),
            RoomRequest::AcceptDraw => Translated::Act(Act::AcceptDraw { number }),
            RoomRequest::DeclineDraw => Translated::Act(Act::DeclineDraw),
            RoomRequest::Resign => Translated::Act(Act::Resign),
        }
    }

    /// A request was refused by the room.
    pub(super) fn refused(&mut self, request: RoomRequest, reason: impl std::fmt::Display) -> ServerEvent {
        self.has_chosen = false;
        request.refusal(reason)
    }

    /// The events for an update. `before` is the room before it, `view` after it.
    pub(super) fn update(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<ServerEvent> {
        match &update.update {
            Update::Transient(Transient::Promoting { id, ply }) => match (view.room.seat_of(id), ply.to_move()) {
                (Some(color), Some(mv)) => self.promoting(color, mv, view),
                _ => Vec::new(),
            },
            Update::Transient(_) => Vec::new(),
            Update::Entry(entry) => self.entry(before, &entry.fact, view),
        }
    }

    fn promoting(&mut self, color: Color, mv: Move, view: &View<'_>) -> Vec<ServerEvent> {
        let room = view.room;
        // The client itself has been answered at once.
        if view.color == Some(color) || room.phase() != Phase::Playing || room.game().to_move() != color {
            return Vec::new();
        }
        let Some((before, queened)) = queened(room, mv) else { return Vec::new() };
        self.promotion = Some(Pending { color, mv });
        promoting(color, mv.to(), before, &queened)
    }

    fn entry(&mut self, before: &Room, fact: &Fact, view: &View<'_>) -> Vec<ServerEvent> {
        let room = view.room;
        match fact {
            Fact::CountdownStarted { .. } => vec![ServerEvent::StartCountDown],
            Fact::CountdownStopped => vec![ServerEvent::EndCountDownDisconnect],
            Fact::Began { .. } => {
                self.clear();
                let color = view.color.map(ServerEvent::PlayerColor);
                color.into_iter().chain([ServerEvent::StartGame { fen: fen(room) }]).collect()
            }
            Fact::Moved { .. } => {
                let has_chosen = self.has_chosen && view.color == Some(before.game().to_move());
                self.clear();
                let mut events = vec![ServerEvent::BoardUpdated { fen: fen(room) }];
                if has_chosen {
                    events.push(ServerEvent::SuccessPawnPromotion);
                }
                events
            }
            Fact::TakenBack { .. } | Fact::Corrected { .. } => {
                self.clear();
                vec![ServerEvent::BoardUpdated { fen: fen(room) }]
            }
            Fact::Ended(ending) => {
                self.clear();
                ended(*ending)
            }
            Fact::DrawOffered { color } => vec![ServerEvent::DrawOffered(*color)],
            Fact::DrawDeclined | Fact::Withdrawn { offer: Offer::Draw } => vec![ServerEvent::DrawDeclined],
            Fact::Disconnected { color, .. } if view.color != Some(*color) && is_away(room, *color) => {
                vec![ServerEvent::PlayerDisconnect]
            }
            Fact::Left { color } if view.color != Some(*color) && !is_away(before, *color) => {
                vec![ServerEvent::PlayerDisconnect]
            }
            Fact::Connected { color, .. } if view.color != Some(*color) && is_away(before, *color) => {
                let mut events = vec![ServerEvent::PlayerJoined];
                // The choice of a player who was disconnected is lost: the pawn is back on its square.
                if self.promotion.is_some_and(|pending| pending.color == *color) {
                    self.clear();
                    events.push(ServerEvent::BoardUpdated { fen: fen(room) });
                }
                events
            }
            _ => Vec::new(),
        }
    }

    const fn clear(&mut self) {
        self.promotion = None;
        self.has_chosen = false;
    }
}

fn ended(ending: Ending) -> Vec<ServerEvent> {
    let verdict = ending.verdict;
    let event = match verdict {
        _ if ending.leaver().is_some() => ServerEvent::EndGameDisconnect,
        Verdict::Abandoned => ServerEvent::EndGameDisconnect,
        Verdict::Aborted => ServerEvent::Aborted,
        Verdict::Won { winner, .. } => ServerEvent::Victory(winner),
        Verdict::Drawn(_) => ServerEvent::Draw,
    };
    vec![event, ServerEvent::GameOver { result: verdict.result(), reason: reason_of(verdict) }]
}

fn is_away(room: &Room, color: Color) -> bool {
    room.seat(color).is_none_or(|seated| matches!(seated.presence, Presence::Away(_)))
}

fn fen(room: &Room) -> String {
    room.game().chess().map(|game| game.position().fen().to_string()).unwrap_or_default()
}

/// The position before a move, and after it with a queen, if the move is a promotion.
fn queened(room: &Room, mv: Move) -> Option<(&Position, Position)> {
    let before = room.game().chess()?.position();
    Some((before, before.play(mv.promoting(Some(Promotion::Queen))).ok()?))
}

/// The events of a pawn on the last rank whose player is choosing.
fn promoting(color: Color, to: Square, before: &Position, queened: &Position) -> Vec<ServerEvent> {
    vec![ServerEvent::BoardUpdated { fen: with_pawn(to, before, queened) }, ServerEvent::StartPawnPromotion(color)]
}

/// The FEN with the pawn itself on the last rank and the same side to move, as the document has it.
fn with_pawn(to: Square, before: &Position, queened: &Position) -> String {
    let fen = queened.fen().to_string();
    let mut fields = fen.split(' ');
    let placement = fields.next().unwrap_or_default();
    let castling = fields.nth(1).unwrap_or_default();
    let mut ranks: Vec<String> = placement.split('/').map(str::to_owned).collect();
    let (row, column) = (usize::from(to.flip_rank().rank().index()), usize::from(to.file().index()));
    let pawn = if before.turn() == Color::White { 'P' } else { 'p' };
    if let Some(rank) = ranks.get_mut(row) {
        let mut at = 0;
        *rank = rank
            .chars()
            .map(|letter| {
                let is_here = at == column && !letter.is_ascii_digit();
                at += letter.to_digit(10).map_or(1, |count| count as usize);
                if is_here { pawn } else { letter }
            })
            .collect();
    }
    let turn = before.turn().letter();
    format!("{} {turn} {castling} - 0 {}", ranks.join("/"), before.fullmoves())
}
