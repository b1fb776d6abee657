//! Translates between the texts of chezz and the room.

use axum::extract::ws;
use chess::Color;

use super::message::{Message, Presence, board, player, relation};
use super::request;
use crate::dialect::connection::End;
use crate::dialect::{Dialect, Refused, Request, View};
use crate::relay::{RoomUpdate, Update};
use crate::room::{Fact, Offer, Room, Seated};

/// Longest text of a client, in bytes.
const LONGEST: usize = 64;

/// The state of one connection.
#[derive(Default)]
pub(super) struct Chezz {
    /// The presence that the client was told last.
    presence: Option<Presence>,
}

impl Chezz {
    /// The presence of the players, if it has changed. The client's own seat counts as connected.
    fn presence(&mut self, view: &View<'_>) -> Option<Message<'static>> {
        let is_here = |color| view.color == Some(color) || view.room.seat(color).is_some_and(Seated::is_here);
        let presence = Presence { white: is_here(Color::White), black: is_here(Color::Black) };
        (self.presence.replace(presence) != Some(presence)).then_some(Message::Presence(presence))
    }
}

impl Dialect for Chezz {
    const NAME: &'static str = "chezz";

    fn welcome(&mut self, view: &View<'_>, _spectators: usize) -> Vec<ws::Message> {
        let init = Message::Init { relation: relation(view.color) };
        let clock = Message::clock(view.room, view.now);
        [Some(init), self.presence(view), clock].into_iter().flatten().map(|message| text(&message)).collect()
    }

    fn decode(&mut self, message: &ws::Message, view: &View<'_>) -> Result<Request, ws::Message> {
        let unreadable = || error("UNPARSEABLE_MOVE", "A message is one move as text");
        let ws::Message::Text(content) = message else { return Err(unreadable()) };
        if content.len() > LONGEST {
            return Err(unreadable());
        }
        match request::decode(content, view.room, view.color) {
            Ok(act) => Ok(Request::Act(act)),
            Err(refused) => Err(error(refused.code, &refused.error)),
        }
    }

    fn encode(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<ws::Message> {
        let Update::Entry(entry) = &update.update else { return Vec::new() };
        let room = view.room;
        let clock = || Message::clock(room, view.now);
        let messages = match &entry.fact {
            Fact::Moved { ply, .. } => vec![Message::moved(before, *ply, room), clock()],
            Fact::Began { .. } => {
                vec![Some(Message::Start { relation: relation(view.color), board: board(room) }), clock()]
            }
            Fact::TakenBack { plies, .. } => {
                vec![Some(Message::Takeback { plies: *plies, board: board(room) }), clock()]
            }
            Fact::Corrected { .. } => vec![Some(Message::Takeback { plies: 1, board: board(room) }), clock()],
            Fact::DrawOffered { color } => vec![Some(Message::DrawOffer { player: player(Some(*color)) })],
            Fact::DrawDeclined | Fact::Withdrawn { offer: Offer::Draw } => vec![Some(Message::DrawDeclined)],
            Fact::Ended(ending) => vec![Some(Message::end(ending.verdict)), clock()],
            Fact::Sat { .. } | Fact::Connected { .. } | Fact::Disconnected { .. } | Fact::Left { .. } => {
                vec![self.presence(view)]
            }
            _ => Vec::new(),
        };
        messages.into_iter().flatten().map(|message| text(&message)).collect()
    }

    fn refuse(&mut self, refused: Refused) -> ws::Message {
        match refused {
            Refused::Act(reason) => error("REFUSED", &reason.to_string()),
            Refused::Rate(wait) => error("TOO_MANY_MESSAGES", &wait.to_string()),
        }
    }

    fn last_message(&mut self, _end: &End) -> Option<ws::Message> {
        None
    }
}

fn text(message: &Message<'_>) -> ws::Message {
    ws::Message::Text(message.frame())
}

fn error(code: &'static str, error: &str) -> ws::Message {
    text(&Message::Error { error: error.to_owned(), code })
}
