//! Dialects: protocol adapters between one kind of client and the [relay](crate::relay).
//!
//! A dialect is one folder and one line in [`DIALECTS`]. It knows nothing of the other dialects, so participants of one room
//! may each use another one.
//!
//! - `Dialect`: translates acts and updates for clients that enter one room.
//! - `connection.rs`: the connection loop of the board link, Chessata and chezz. LiveChess follows boards and not a room, and the sockets of Socket.IO
//!   belong to its library, so these two have loops of their own (ARCHITECTURE.md).
//! - `frames.rs`, `json_error.rs`, `notation.rs`, `played.rs`, `script_terms.rs`, `terms.rs`: what several dialects need.

pub mod board;
mod builder;
pub mod chessata;
pub mod chezz;
mod connection;
mod frames;
pub mod games;
mod gmo;
mod json_error;
mod laboratory;
pub mod livechess;
mod notation;
mod played;
mod script_terms;
mod scripts;
pub mod socketio;
mod terms;
#[cfg(test)]
mod test_table;

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes};
use chess::Color;
use serde::Serialize;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::metrics;
use crate::relay::{ActError, Relay, RoomUpdate};
use crate::room::{Act, Participant, Room, Terms, Time};
use crate::server::RetryAfter;
use board::BoardServer;
use connection::End;

/// A dialect in the list of those that a relay speaks.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// The name, which is also the label in the metrics.
    pub name: &'static str,
    /// Where clients connect, for logs and documentation.
    pub path: &'static str,
    routes: fn(&Services) -> Router,
}

/// What the routes of dialects need.
#[derive(Clone, Debug)]
pub struct Services {
    #[expect(missing_docs, reason = "the name says it")]
    pub relay: Relay,
    /// The default terms of new rooms.
    pub terms: Terms,
    /// The boards that are connected to this relay.
    pub boards: BoardServer,
    /// Whether the relay itself serves https.
    pub tls: bool,
    /// Cancelled when the relay stops.
    pub stopping: CancellationToken,
}

/// All dialects. A new one is a folder and a line here.
pub const DIALECTS: &[Listed] = &[
    Listed { name: "chessata", path: "/ws/api/{username}/{code}/", routes: chessata::routes },
    Listed { name: "board", path: "/ws/board", routes: |services| services.boards.routes() },
    Listed { name: "games", path: "/games", routes: games::routes },
    Listed { name: "gmo", path: "/genome/{hash}", routes: gmo::routes },
    Listed { name: "laboratory", path: "/lab/look", routes: laboratory::routes },
    Listed { name: "scripts", path: "/scripts", routes: scripts::routes },
    Listed { name: "builder", path: "/load_script/", routes: builder::routes },
    Listed { name: "chezz", path: "/play/{id}", routes: chezz::routes },
    Listed { name: "socketio", path: "/socket.io/", routes: socketio::routes },
];

/// The routes of all dialects.
pub fn routes(services: &Services) -> Router {
    DIALECTS.iter().fold(Router::new(), |routes, dialect| {
        // The gauge exists from the start, so that a dialect without connections shows as 0.
        drop(metrics::connected(dialect.name));
        routes.merge((dialect.routes)(services))
    })
}

/// Translates between one client in a room and the room. The value is the state of one connection.
trait Dialect: Send + 'static {
    /// The name in [`DIALECTS`].
    const NAME: &'static str;

    /// The messages for a client that has entered.
    fn welcome(&mut self, view: &View<'_>, spectators: usize) -> Vec<Message>;

    /// Decodes a message into a request, or into an error message in the format of the dialect.
    fn decode(&mut self, message: &Message, view: &View<'_>) -> Result<Request, Message>;

    /// Encodes an update. `view` is the room after it.
    fn encode(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<Message>;

    /// The error message for a refused request.
    fn refuse(&mut self, refused: Refused) -> Message;

    /// A message before the connection is closed by the relay.
    fn last_message(&mut self, end: &End) -> Option<Message>;

    /// When to call [`Dialect::wake`], for a dialect with timers.
    fn wake_at(&self) -> Option<Instant> {
        None
    }

    /// The messages that are due by the dialect's timer.
    fn wake(&mut self, _view: &View<'_>) -> Vec<Message> {
        Vec::new()
    }
}

/// What a client may see.
struct View<'a> {
    room: &'a Room,
    participant: &'a Participant,
    /// The side that the participant plays.
    color: Option<Color>,
    now: Time,
}

/// A decoded message of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Request {
    /// An act for the room.
    Act(Act),
    /// The dialect answers by itself.
    Reply(Message),
    /// The client disconnects.
    Disconnect,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refused {
    Act(ActError),
    Rate(RetryAfter),
}

/// Most messages are shorter than this, in bytes. A buffer that grows would be copied a few times for each of them.
const MESSAGE: usize = 1_024;

/// Encodes a value as JSON.
fn json(value: &impl Serialize) -> String {
    let mut text = Vec::with_capacity(MESSAGE);
    // Fails only for maps with keys that are not strings, and for failing writers. Neither occurs here.
    let written = serde_json::to_writer(&mut text, value);
    written.ok().and_then(|()| String::from_utf8(text).ok()).unwrap_or_default()
}

/// Encodes a value as a JSON text frame.
fn frame(value: &impl Serialize) -> Utf8Bytes {
    json(value).into()
}
