//! The chezz dialect, after seed 000: games over HTTP (`/game`) and bare moves over a WebSocket (`/play/{id}`).
//!
//! - `session.rs`: the session cookie, from which the token of a seat is derived.
//! - `adapter.rs`: the `Dialect` of a connection; `request.rs`: decodes its texts; `message.rs`: the messages to a client.
//! - `closed.rs`: a connection to a game whose room is closed.
//!
//! docs/protocol.md specifies the dialect, with transcripts that a test replays.

mod adapter;
mod closed;
mod message;
mod request;
mod session;

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;

use super::Services;
use super::connection::participant::{Entered, serve};
use super::json_error::JsonError;
use crate::boards::Registry;
use crate::metrics::{self, JoinResult};
use crate::relay::{Claim, EnterError, Relay, SeatRequest};
use crate::room::{Ability, Code, Name, Participant, Phase, Room, SideChoice, Terms};
use crate::server::ClientContext;
use crate::store::Created;
use adapter::Chezz;
use session::BrowserSession;

pub use request::act;

/// How long a player may be away, in milliseconds: a game of the original is never lost by absence, and kept for a day.
const GRACE_MS: u64 = 86_400_000;

#[derive(Clone)]
struct ChezzState {
    relay: Relay,
    registry: Registry,
    terms: Arc<Terms>,
    /// Whether the relay itself serves https.
    tls: bool,
}

pub(super) fn routes(services: &Services) -> Router {
    // The game of an id is one game: a seat that is given up after it stays empty.
    let terms = Terms { grace: GRACE_MS, by_invitation: true, ..services.terms.clone() };
    let (relay, registry) = (services.relay.clone(), services.boards.registry().clone());
    let state = ChezzState { relay, registry, terms: Arc::new(terms), tls: services.tls };
    Router::new()
        .route("/game", post(create))
        .route("/game/{id}", get(show))
        .route("/play/{id}", get(play))
        .with_state(state)
}

/// `POST /game?is_black=`: opens a game with the requester at one side.
async fn create(
    State(state): State<ChezzState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    client: ClientContext,
) -> Result<Response, JsonError> {
    client.try_open_room()?;
    let session = BrowserSession::of(&headers);
    let code = loop {
        let code = message::decimal_id(crate::random::roll());
        if state.relay.open(&code, (*state.terms).clone()).await? == Created::Done {
            break code;
        }
    };
    let side = if is_black(query.as_deref()) { SideChoice::Black } else { SideChoice::White };
    let claim = Claim::Sit(SeatRequest { side, token: session.token(&code), ability: Ability::Returns });
    // The seat stays taken without a connection, for as long as the grace period.
    drop(state.relay.enter(&code, Participant::new(name()), claim, None).await?);
    let created = json!({ "message": "Game created", "game_id": code });
    let response = (StatusCode::CREATED, Json(created)).into_response();
    Ok(with_cookie(response, &session, &headers, state.tls))
}

/// `GET /game/{id}`: the players, and the documented state.
async fn show(
    State(state): State<ChezzState>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    client: ClientContext,
) -> Result<Response, JsonError> {
    let Ok(Path(id)) = path else { return Ok(not_found(NO_TEXT)) };
    let session = BrowserSession::of(&headers);
    let Some((code, room)) = find(&state, &id, &client).await? else { return Ok(not_found(&id)) };
    let shown = message::GameBody::of(&room, message::side_by_token(&room, &session.token(&code)));
    Ok(with_cookie(Json(shown).into_response(), &session, &headers, state.tls))
}

/// `GET /play/{id}`: plays or watches. The first other session takes the free side during the game; later ones observe.
async fn play(
    State(state): State<ChezzState>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    client: ClientContext,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, JsonError> {
    let Ok(Path(id)) = path else { return Ok(not_found(NO_TEXT)) };
    let session = BrowserSession::of(&headers);
    let Some((code, room)) = find(&state, &id, &client).await? else { return Ok(not_found(&id)) };
    let Ok(upgrade) = upgrade else {
        return Err(JsonError::new(StatusCode::UPGRADE_REQUIRED, "A WebSocket upgrade is required."));
    };
    let token = session.token(&code);
    let past = message::side_by_token(&room, &token);
    let upgrade = client.upgrade(upgrade);
    if room.phase() == Phase::Closed {
        let response = upgrade.on_upgrade(move |socket| closed::serve(socket, client, room, past));
        return Ok(with_cookie(response, &session, &headers, state.tls));
    }
    let (claim, joined) = if room.seat_by_token(&token).is_some() {
        (Claim::Resume { token }, JoinResult::Return)
    } else if room.verdict().is_some() {
        (Claim::Watch, JoinResult::Spectator)
    } else {
        (Claim::Play(SeatRequest { side: SideChoice::First, token, ability: Ability::Returns }), JoinResult::Player)
    };
    if let Some(refusal) = state.registry.refusal(&code, &claim).await? {
        return Err(refusal.into());
    }
    client.try_seat()?;
    let handle = match state.relay.enter(&code, Participant::new(name()), claim, None).await {
        // The last player has left meanwhile.
        Err(EnterError::Closed) => {
            let room = state.relay.look(&code).await?.unwrap_or(room);
            let response = upgrade.on_upgrade(move |socket| closed::serve(socket, client, room, past));
            return Ok(with_cookie(response, &session, &headers, state.tls));
        }
        entered => entered?,
    };
    metrics::joined(if handle.color().is_some() { joined } else { JoinResult::Spectator });
    let entered = Box::new(Entered { client, handle, can_return: true, dialect: Chezz::of_past_player(past) });
    let response = upgrade.on_upgrade(move |socket| serve(socket, entered));
    Ok(with_cookie(response, &session, &headers, state.tls))
}

/// The room with an id. Wrong ids are rate limited, so that they cannot be guessed.
async fn find(state: &ChezzState, id: &str, client: &ClientContext) -> Result<Option<(Code, Room)>, JsonError> {
    let Ok(code) = id.parse::<Code>() else { return Ok(None) };
    let Some(room) = state.relay.look_charged(&code, |cost| client.try_replay(cost)).await?? else {
        client.try_code()?;
        return Ok(None);
    };
    client.try_known_code(&code)?;
    if room.game().chess().is_none() {
        return Err(JsonError::new(StatusCode::CONFLICT, "The rules of this game are not chess."));
    }
    Ok(Some((code, room)))
}

fn is_black(query: Option<&str>) -> bool {
    let mut parameters = query.unwrap_or_default().split('&').filter_map(|parameter| parameter.split_once('='));
    parameters.any(|(name, value)| name == "is_black" && matches!(value, "true" | "1" | "yes"))
}

/// The original has no names.
fn name() -> Name {
    "Player".parse().expect("it is a valid name")
}

/// Stands for an id that is not UTF-8.
const NO_TEXT: &str = "\u{fffd}";

fn not_found(id: &str) -> Response {
    let message = format!("Game with id '{id}' was not found or could not be recovered.");
    (StatusCode::NOT_FOUND, Json(json!({ "message": message, "code": 404 }))).into_response()
}

/// Sets the cookie, also to prolong it.
fn with_cookie(mut response: Response, session: &BrowserSession, headers: &HeaderMap, tls: bool) -> Response {
    if let Ok(cookie) = session.cookie(tls || session::is_forwarded_https(headers)).parse() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}
