use std::sync::Arc;

use chess::Color;
use rules::Ply;
use serde_json::Value;

use super::arguments::Request;
use super::translator::{Translated, Translator};
use crate::dialect::View;
use crate::relay::{RoomUpdate, Transient, Update};
use crate::room::{Act, Entry, Participant, Room};

/// A client of a player, without a socket.
#[derive(Default)]
pub struct FuzzedClient(Translator);

/// What follows from an event of the client.
pub enum Effect {
    /// An act for the room. `is_certain` says that the room must accept it.
    Act {
        #[expect(missing_docs, reason = "the name says it")]
        act: Act,
        /// Whether it completes a promotion.
        is_certain: bool,
    },
    /// All clients are to receive a promotion.
    Promoting(Ply),
}

impl FuzzedClient {
    /// Handles an event with its arguments as JSON.
    #[must_use]
    pub fn event(&mut self, event: &str, arguments: &str, room: &Room, color: Color) -> Option<Effect> {
        let arguments = serde_json::from_str::<Vec<Value>>(arguments).ok()?;
        let Some(Ok(Request::InRoom { what, .. })) = Request::decode(event, &arguments) else { return None };
        let participant = participant(room, color)?;
        let view = View { room, participant: &participant, color: Some(color), now: room.last_at() };
        match self.0.request(what, &view) {
            Translated::Act(act) => {
                let is_certain = matches!(what, super::arguments::RoomRequest::Promote(_));
                Some(Effect::Act { act, is_certain })
            }
            Translated::Promoting(mv, _) => Some(Effect::Promoting(Ply::of_move(mv))),
            Translated::Reply(_) => None,
        }
    }

    /// Handles an entry of the log. Returns how many events the client gets.
    pub fn entry(&mut self, before: &Room, entry: &Entry, after: &Room, color: Color) -> usize {
        self.update(before, Update::Entry(Arc::new(entry.clone())), after, color)
    }

    /// Handles the announcement of a promotion of this player.
    pub fn announced(&mut self, by: Color, ply: Ply, room: &Room, color: Color) -> usize {
        let Some(Participant { id, .. }) = participant(room, by) else { return 0 };
        self.update(room, Update::Transient(Transient::Promoting { id, ply }), room, color)
    }

    fn update(&mut self, before: &Room, update: Update, after: &Room, color: Color) -> usize {
        let Some(participant) = participant(after, color).or_else(|| participant(before, color)) else { return 0 };
        let update = RoomUpdate::detached(update, Arc::new(after.clone()));
        let color = after.seat_of(&participant.id);
        let view = View { room: after, participant: &participant, color, now: after.last_at() };
        self.0.update(before, &update, &view).len()
    }
}

fn participant(room: &Room, color: Color) -> Option<Participant> {
    let player = &room.seat(color)?.player;
    Some(Participant { id: player.id.clone(), name: player.name.clone() })
}
