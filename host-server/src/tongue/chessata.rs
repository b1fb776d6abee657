//! The JSON of players and spectators, as the Chessata document has it: `/ws/api/{username}/{code}/`.
//!
//! - `arrival.rs`: who comes, as the address says it.
//! - `fields.rs` and `scalar.rs`, then `reading.rs`, then `asking.rs`: from a client's text to what it asks of a room.
//! - `writing.rs`: every message that a client can be told; `picture.rs`: the position in it.
//! - `greeting.rs`: what is told to whoever comes; `telling.rs`: what is told when something happens; `scene.rs`: both.
//! - `connection.rs`: the conversation.
//!
//! docs/protocol.md has the whole of it, with examples that a test plays.
//!
//! **Invariant:** without `?extras=1` a client hears nothing that is not in the Chessata document.

mod arrival;
mod asking;
mod connection;
mod fields;
mod greeting;
mod picture;
mod reading;
mod scalar;
mod scene;
mod telling;
mod writing;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use chess::Color;

pub(super) use arrival::{LONGEST_COUNTDOWN, clock_rule, side};

use super::complaint::Complaint;
use crate::relay::{Claim, EnterError, Relay, Visitor};
use crate::room::{Command, Room, Terms};
use crate::server::metrics::{self, Join};
use crate::server::{Door, Goodbye, part};
use arrival::Arrival;
use asking::Asked;
use connection::{Guest, converse};

/// The way in. Rooms that are opened by coming have these terms, unless whoever comes says otherwise.
pub fn routes(relay: Relay, terms: Terms) -> Router {
    let house = House { relay, terms: Arc::new(terms) };
    Router::new()
        .route("/ws/api/{username}/{code}/", get(arrive))
        .route("/ws/api/{username}/{code}", get(arrive))
        .with_state(house)
}

#[derive(Clone)]
struct House {
    relay: Relay,
    terms: Arc<Terms>,
}

async fn arrive(
    State(house): State<House>,
    path: Result<Path<(String, String)>, PathRejection>,
    uri: Uri,
    door: Door,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Complaint> {
    let arrival = match path {
        Ok(Path((username, code))) => Arrival::read(&username, &code, &uri, &house.terms),
        Err(_) => Err(Complaint::bad("The address is not UTF-8.")),
    };
    let Ok(upgrade) = upgrade else {
        return Err(arrival
            .err()
            .unwrap_or_else(|| Complaint::new(StatusCode::UPGRADE_REQUIRED, "This is a WebSocket.")));
    };
    let admitted = match arrival {
        Ok(arrival) => house.admit(arrival, &door).await.inspect_err(|_| metrics::joined(Join::Refused)),
        Err(complaint) => Err(complaint),
    };
    let upgrade = door.upgrade(upgrade);
    match admitted {
        Ok(guest) => Ok(upgrade.on_upgrade(move |socket| converse(socket, guest))),
        Err(complaint) if arrival::is_to_be_explained(&uri) => {
            Ok(upgrade.on_upgrade(move |socket| refuse(socket, complaint, door)))
        }
        Err(complaint) => Err(complaint),
    }
}

/// Says why somebody is not let in, and nothing else.
async fn refuse(socket: WebSocket, complaint: Complaint, _door: Door) {
    part(socket, Goodbye::Refused("refused".into()), Some(Message::Text(complaint.frame()))).await;
}

impl House {
    /// Lets somebody in before the connection becomes a WebSocket, so that a refusal is one that HTTP knows.
    async fn admit(&self, arrival: Arrival, door: &Door) -> Result<Guest, Complaint> {
        let Arrival { name, code, extras, claim, terms } = arrival;
        let known = match &claim {
            Claim::Resume { token } => Some(token.clone()),
            _ => None,
        };
        match self.relay.store().find(&code).await? {
            None => door.try_code()?,
            // Who has the secret of a seat has not guessed the code.
            Some(_) if known.is_some() => {}
            Some(_) => door.try_known_code(&code)?,
        }
        let entered = self.relay.enter(&code, Visitor::new(name), claim, terms.as_ref()).await;
        let attendance = match entered {
            Err(EnterError::WrongToken) => {
                // Nobody guesses a secret of 132 bits, but nobody should try either.
                door.try_code()?;
                return Err(EnterError::WrongToken.into());
            }
            entered => entered?,
        };
        let token = if known.is_some() || !extras { known.clone() } else { attendance.token().map(str::to_owned) };
        metrics::joined(match (attendance.color(), known) {
            (Some(_), Some(_)) => Join::Return,
            (Some(_), None) => Join::Player,
            (None, _) => Join::Spectator,
        });
        Ok(Guest { attendance, extras, token, door: door.clone() })
    }
}

/// What a client's text asks of a room, as a command; nothing, if it asks nothing of it. This is for the fuzzer: there is
/// no other way from a text to a room.
#[doc(hidden)]
#[must_use]
pub fn command(text: &str, room: &Room, color: Color) -> Option<Command> {
    match asking::ask(text, room, Some(color), 1).ok()? {
        Asked::Play(want) => Some(want.by(color)),
        Asked::Say(text) => {
            let player = &room.seat(color)?.player;
            let speaker = crate::room::Speaker { id: player.id.clone(), name: player.name.clone(), color: Some(color) };
            Some(Command::Say { speaker, text })
        }
        Asked::Pong | Asked::Leave => None,
    }
}
