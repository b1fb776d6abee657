//! Translates between the Chessata document's JSON and the room.

use axum::extract::ws::Message;

use super::broadcast::{self, Recipient};
use super::message::Extra;
use super::premoves::premoves;
use super::request::{self, LONGEST};
use super::welcome::{Newcomer, welcome};
use crate::dialect::connection::End;
use crate::dialect::json_error::JsonError;
use crate::dialect::{Dialect, Refused, Request, View, frame};
use crate::relay::RoomUpdate;
use crate::room::Room;

/// Bounds of the random delay after which clients reconnect to a restarted relay, in milliseconds. Without it all of them
/// would reconnect at the same moment.
const RECONNECT_AFTER_MS: std::ops::Range<u64> = 200..2_000;

/// The state of one Chessata connection.
pub(super) struct Chessata {
    /// Whether the client understands the extensions of the document.
    pub(super) extras: bool,
    /// The token of the seat, until the welcome has sent it to the client.
    pub(super) token: Option<Box<str>>,
}

impl Dialect for Chessata {
    const NAME: &'static str = "chessata";

    fn welcome(&mut self, view: &View<'_>, spectators: usize) -> Vec<Message> {
        let token = self.token.take();
        let newcomer = Newcomer {
            participant: view.participant,
            color: view.color,
            token: token.as_deref(),
            extras: self.extras,
            spectators,
        };
        welcome(newcomer, view.room, view.now).into_iter().map(Message::Text).collect()
    }

    fn decode(&mut self, message: &Message, view: &View<'_>) -> Result<Request, Message> {
        let Message::Text(text) = message else {
            return Err(text_of(&JsonError::bad("Messages must be JSON in text frames.")));
        };
        if text.len() > LONGEST {
            return Err(text_of(&JsonError::too_large(format!("A message has at most {LONGEST} bytes."))));
        }
        match request::Request::read(text, view.room, view.color) {
            Ok(request::Request::Act(act)) => Ok(Request::Act(act)),
            Ok(request::Request::Ping) => Ok(Request::Reply(Message::Text(frame(&Extra::Pong { at: view.now.0 })))),
            Ok(request::Request::Premoves) => {
                let (ply, moves) = (view.room.game().len(), premoves(view.room, view.color));
                Ok(Request::Reply(Message::Text(frame(&Extra::Premoves { ply, moves }))))
            }
            Ok(request::Request::Disconnect) => Ok(Request::Disconnect),
            Err(error) => Err(text_of(&error)),
        }
    }

    fn encode(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<Message> {
        let frames = broadcast::frames_of(before, update, self.extras);
        let recipient = Recipient { id: &view.participant.id, color: view.color };
        broadcast::for_recipient(&frames, &update.update, recipient).cloned().map(Message::Text).collect()
    }

    fn refuse(&mut self, refused: Refused) -> Message {
        text_of(&match refused {
            Refused::Act(error) => error.into(),
            Refused::Rate(wait) => wait.into(),
        })
    }

    fn last_message(&mut self, end: &End) -> Option<Message> {
        match end {
            End::Restart if self.extras => {
                let spread = RECONNECT_AFTER_MS.end - RECONNECT_AFTER_MS.start;
                let after_ms = RECONNECT_AFTER_MS.start + crate::random::roll() % spread;
                Some(Message::Text(frame(&Extra::Reconnect { after_ms })))
            }
            End::TooLarge => Some(text_of(&JsonError::too_large("The message is too large. Connect again."))),
            _ => None,
        }
    }
}

fn text_of(error: &JsonError) -> Message {
    Message::Text(error.frame())
}
