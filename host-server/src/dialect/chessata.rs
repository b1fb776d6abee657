//! The JSON dialect of players and spectators, after the Chessata document: `/ws/api/{username}/{code}/`.
//!
//! - `query.rs`: decodes the upgrade request of a client that enters.
//! - `adapter.rs`: the `Dialect` of a connection.
//! - `fields.rs`, `scalar.rs`, `request.rs`: decode a message into an act.
//! - `message.rs`: the messages to a client; `position.rs`: the position in them.
//! - `stored.rs`: a game that is over, for a client that only looks at it.
//! - `welcome.rs`: the messages on entering; `broadcast.rs`: those of an update; `view.rs`: what both have in common.
//!
//! docs/protocol.md specifies the dialect, with examples that a test runs.
//!
//! **Invariant:** without `?extras=1` a client receives only messages and fields of the Chessata document.

mod adapter;
mod broadcast;
mod fields;
mod message;
mod position;
mod premoves;
mod query;
mod request;
mod scalar;
mod stored;
#[cfg(test)]
mod tests;
mod view;
mod welcome;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use chess::Color;

use super::Services;
use super::connection::participant::{Entered, serve};
use super::json_error::JsonError;
use crate::boards::Registry;
use crate::metrics::{self, JoinResult};
use crate::relay::{Claim, EnterError, Relay, RoomHandle};
use crate::room::{Act, Participant, Room, Terms};
use crate::server::{ClientContext, CloseReason, close, send};
use adapter::Chessata;
use query::Arrival;
use request::Request;
use stored::StoredGameRequest;

pub(super) fn routes(services: &Services) -> Router {
    let state = ChessataState {
        relay: services.relay.clone(),
        registry: services.boards.registry().clone(),
        terms: Arc::new(services.terms.clone()),
    };
    Router::new()
        .route("/ws/api/{username}/{code}/", get(connect))
        .route("/ws/api/{username}/{code}", get(connect))
        .with_state(state)
}

#[derive(Clone)]
struct ChessataState {
    relay: Relay,
    registry: Registry,
    /// The default terms of new rooms.
    terms: Arc<Terms>,
}

/// What a client gets.
enum Admitted {
    /// It has entered a room.
    Entered {
        handle: RoomHandle,
        extras: bool,
        /// The token of the seat, if the client knows it or may learn it.
        token: Option<Box<str>>,
    },
    /// The messages of a stored game.
    Stored(Vec<Utf8Bytes>),
}

/// Why a client has not entered.
enum NotEntered {
    /// The room is closed, or the client's seat is gone. What was played there may be stored.
    Past(EnterError),
    Refused(JsonError),
}

impl<E> From<E> for NotEntered
where
    JsonError: From<E>,
{
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

async fn connect(
    State(state): State<ChessataState>,
    path: Result<Path<(String, String)>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
    client: ClientContext,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, JsonError> {
    let arrival = match path {
        Ok(Path((username, code))) => Arrival::read(&username, &code, &uri, &headers, &state.terms),
        Err(_) => Err(JsonError::bad("The address is not UTF-8.")),
    };
    let Ok(upgrade) = upgrade else {
        return Err(arrival
            .err()
            .unwrap_or_else(|| JsonError::new(StatusCode::UPGRADE_REQUIRED, "A WebSocket upgrade is required.")));
    };
    let admitted = match arrival {
        Ok(arrival) => state.admit(arrival, &client).await.inspect_err(|_| metrics::joined(JoinResult::Refused)),
        Err(error) => Err(error),
    };
    let upgrade = client.upgrade(upgrade).protocols(query::subprotocols(&headers));
    match admitted {
        Ok(Admitted::Stored(messages)) => Ok(upgrade.on_upgrade(move |socket| show(socket, messages, client))),
        Ok(Admitted::Entered { handle, extras, token }) => {
            let can_return = token.is_some();
            let entered = Box::new(Entered { client, handle, can_return, dialect: Chessata { extras, token } });
            Ok(upgrade.on_upgrade(move |socket| serve(socket, entered)))
        }
        Err(error) if query::is_to_be_explained(&uri) => {
            Ok(upgrade.on_upgrade(move |socket| refuse(socket, error, client)))
        }
        Err(error) => Err(error),
    }
}

/// Sends the error and closes the connection, which counts until then.
async fn refuse(socket: WebSocket, error: JsonError, _client: ClientContext) {
    close(socket, CloseReason::Refused("refused".into()), Some(Message::Text(error.frame()))).await;
}

/// Sends a stored game and closes the connection.
async fn show(mut socket: WebSocket, messages: Vec<Utf8Bytes>, _client: ClientContext) {
    for message in messages {
        if send(&mut socket, Message::Text(message)).await.is_err() {
            return;
        }
    }
    close(socket, CloseReason::Done, None).await;
}

impl ChessataState {
    /// Enters the room before the upgrade to a WebSocket, so that a refusal is an HTTP status. A client with extensions is shown
    /// the game that it asks for, and the last game of a room that it cannot enter any more.
    async fn admit(&self, arrival: Arrival, client: &ClientContext) -> Result<Admitted, JsonError> {
        let shown = StoredGameRequest {
            code: arrival.code.clone(),
            game: arrival.game,
            room: arrival.room,
            name: arrival.name.clone(),
            token: match &arrival.claim {
                Claim::Resume { token } => Some(token.clone()),
                _ => None,
            },
        };
        let has_extras = arrival.extras;
        if has_extras && (shown.game.is_some() || shown.room.is_some()) {
            // A game that is still played is watched instead.
            if let Some(messages) = self.stored(&shown, client).await? {
                return Ok(Admitted::Stored(messages));
            }
        }
        match self.enter(arrival, client).await {
            Ok(admitted) => Ok(admitted),
            Err(NotEntered::Past(_)) if has_extras && let Some(messages) = self.stored(&shown, client).await? => {
                Ok(Admitted::Stored(messages))
            }
            Err(NotEntered::Past(error)) => Err(error.into()),
            Err(NotEntered::Refused(error)) => Err(error),
        }
    }

    async fn enter(&self, arrival: Arrival, client: &ClientContext) -> Result<Admitted, NotEntered> {
        let Arrival { name, mut code, extras, claim, terms, .. } = arrival;
        let known = match &claim {
            Claim::Resume { token } => Some(token.clone()),
            _ => None,
        };
        // A new room under the code of a board, or of a stored game, would replace what the link leads to.
        let terms = if self.registry.may_open(&code, None).await? { terms } else { None };
        let mut found = self.relay.store().find(&code).await?;
        if found.is_none()
            && let Some(full) = self.relay.find_short_code(&code).await?
        {
            // A guess counts as one, also if it is right.
            client.try_code()?;
            found = self.relay.store().find(&full).await?;
            code = full;
        }
        match found {
            None if self.registry.with_code(&code).await?.is_some() => {}
            // A room that is opened is charged below, also if its code is known from an earlier room.
            None if terms.is_some() => {}
            None => client.try_code()?,
            // The token will prove that the client has not guessed the code.
            Some(_) if known.is_some() => {}
            Some(_) => client.try_known_code(&code)?,
        }
        if let Some(refusal) = self.registry.refusal(&code, &claim).await? {
            return Err(refusal.into());
        }
        if let Some(room) = found {
            self.relay.charge_replay(room, |cost| client.try_replay(cost)).await??;
        }
        // Coming back to a seat is counted as well: a reconnect is written to the log.
        if !matches!(claim, Claim::Watch) {
            client.try_seat()?;
        }
        let charge = || client.try_open_room().map_err(|wait| wait.0);
        let entered =
            self.relay.enter_charged(&code, Participant::new(name.clone()), claim, terms.as_ref(), charge).await;
        let handle = match entered {
            Err(EnterError::WrongToken) => {
                // Limits guesses, although 132 random bits cannot be guessed.
                client.try_code()?;
                return Err(NotEntered::Past(EnterError::WrongToken));
            }
            Err(error @ (EnterError::NoRoom | EnterError::Closed)) => {
                let board = if known.is_none() { self.registry.with_code(&code).await? } else { None };
                let Some(board) = board else {
                    return Err(if error == EnterError::Closed { NotEntered::Past(error) } else { error.into() });
                };
                match self.registry.local_game(&board).await?.and_then(|local| local.room) {
                    // Two people play on the board: their game can be watched.
                    Some(room) => {
                        self.relay.charge_replay(room, |cost| client.try_replay(cost)).await??;
                        self.relay.enter_room(room, Participant::new(name), Claim::Watch).await?
                    }
                    None => return Err(self.registry.why_away(board, &self.relay).await?.into()),
                }
            }
            entered => entered?,
        };
        let token = if known.is_some() || !extras { known.as_deref() } else { handle.token() }.map(Box::from);
        metrics::joined(match (handle.color(), &known) {
            (Some(_), Some(_)) => JoinResult::Return,
            (Some(_), None) => JoinResult::Player,
            (None, _) => JoinResult::Spectator,
        });
        Ok(Admitted::Entered { handle, extras, token })
    }
}

/// Decodes a client's message into an act, for the fuzzer.
#[doc(hidden)]
#[must_use]
pub fn act(text: &str, room: &Room, color: Color) -> Option<Act> {
    match Request::read(text, room, Some(color)).ok()? {
        Request::Act(act) => Some(act),
        Request::Ping | Request::Premoves | Request::Disconnect => None,
    }
}
