//! The HTTP interface of the chess board game builder: `/load_script/`, `/create_game/`, `/join_by_link/`, `/make_move/` and
//! `/get_game_state/{game_id}/{user_id}`. Clients poll.
//!
//! - `message.rs`: bodies and answers. - `players.rs`: the players who poll, each of whom has a handle to a room for as long as they do.
//!
//! A player is known by the number that its client has drawn. It is the secret of the seat. The link is the code of the room, and the id of the
//! game is the same code as a number.

mod message;
mod players;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};

use super::Services;
use crate::relay::{ActError, EnterError, PutError, Relay, RoomHandle};
use crate::room::{Act, Code, Room, Ruling, ScriptId, ScriptTerms, SideChoice, Terms};
use crate::server::{ClientContext, RetryAfter};
use crate::store::{Created, StoreError};
use message::{CreateGame, Failure, JoinByLink, LoadScript, MakeMove, PlayerView, id_of, new_link, read};
use players::Players;

/// How long a seat is kept for a player who does not ask any more, in milliseconds. The original keeps it for ever.
const GRACE_MS: u64 = 86_400_000;

/// The largest body, in bytes. The original refuses bodies of this size, too.
const MAX_BODY: usize = (1 << 20) - 1;

#[derive(Clone)]
struct BuilderState {
    relay: Relay,
    terms: Arc<Terms>,
    players: Players,
}

pub(super) fn routes(services: &Services) -> Router {
    let terms = Arc::new(Terms { grace: GRACE_MS, ..services.terms.clone() });
    let state = BuilderState { relay: services.relay.clone(), terms, players: Players::new(services.relay.clone()) };
    Router::new()
        .route("/load_script/", post(load_script))
        .route("/create_game/", post(create_game))
        .route("/join_by_link/", post(join_by_link))
        .route("/make_move/", post(make_move))
        .route("/get_game_state/{game_id}/{user_id}", get(get_game_state))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(state)
}

type Body = Result<Bytes, BytesRejection>;

/// The body, unless it is too large or was not sent in time.
fn body(body: Body) -> Result<Bytes, Failure> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge,
        status => Failure::Other(status, rejection.body_text()),
    })
}

async fn load_script(
    State(state): State<BuilderState>,
    client: ClientContext,
    sent: Body,
) -> Result<Response, Failure> {
    let LoadScript { script } = read(&body(sent)?)?;
    client.try_expensive()?;
    state.relay.try_script(&script).await.map_err(|error| {
        // A relay that cannot ask the script says nothing of it.
        if error.is_of_script() { Failure::Invalid(error) } else { Failure::Ruling(error) }
    })?;
    let id =
        state.relay.script_library().put(&script, |bytes| client.try_store_text(bytes).map_err(Failure::from)).await?;
    Ok(message::accepted(&message::Loaded { script_id: id.0 }))
}

async fn create_game(
    State(state): State<BuilderState>,
    client: ClientContext,
    sent: Body,
) -> Result<Response, Failure> {
    let CreateGame { script_id, play_as, user_id } = read(&body(sent)?)?;
    client.try_open_room()?;
    let id = ScriptId(script_id);
    let text = state.relay.script_library().get(id).await?;
    let text = text.ok_or_else(|| Failure::Told(format!("There is no script with this script id: {script_id}")))?;
    let start = state.relay.try_script(&text).await.map_err(Failure::Ruling)?;
    client.try_store(start.size())?;
    let script = ScriptTerms { id, name: "script".to_owned(), start };
    let terms = (*state.terms).clone().by_script(script);
    let code = loop {
        let code = new_link();
        if state.relay.open(&code, terms.clone()).await? == Created::Done {
            break code;
        }
    };
    let side = if play_as.is_white() { SideChoice::White } else { SideChoice::Black };
    state.players.sit(&code, user_id, side, &client).await?;
    Ok(message::accepted(&message::Created { id: id_of(&code).unwrap_or_default(), link: code.as_str() }))
}

async fn join_by_link(
    State(state): State<BuilderState>,
    client: ClientContext,
    sent: Body,
) -> Result<Response, Failure> {
    let JoinByLink { link, user_id } = read(&body(sent)?)?;
    let none = || Failure::Told(format!("There is no game to which you can join by link {link}"));
    let Ok(code) = link.parse::<Code>() else { return Err(none()) };
    let room = find(&state, &code, &client).await?.ok_or_else(none)?;
    let game_id = id_of(&code).ok_or_else(none)?;
    if room.script().is_none() {
        return Err(none());
    }
    // A player of this game keeps the seat: the first answer may have been lost, and one player cannot have both sides.
    let entered = if players::has_seat(&room, user_id) {
        enter(&state, game_id, user_id, &client).await
    } else {
        state.players.sit(&code, user_id, SideChoice::First, &client).await
    };
    let handle = match entered {
        Err(Failure::Enter(EnterError::Taken | EnterError::Closed | EnterError::NoRoom)) => return Err(none()),
        other => other?,
    };
    let room = handle.look().await?;
    Ok(message::accepted(&message::Joined { game_id, shown: PlayerView::of(&room, handle_color(&room, &handle)) }))
}

async fn make_move(State(state): State<BuilderState>, client: ClientContext, sent: Body) -> Result<Response, Failure> {
    let MakeMove { game_id, user_id, action } = read(&body(sent)?)?;
    let handle = enter(&state, game_id, user_id, &client).await?;
    let act = match action {
        message::Action::Resign => Act::Resign,
        message::Action::Move(ply) => Act::Move { ply, number: None },
    };
    let is_move = matches!(act, Act::Move { .. });
    let charged = handle.look().await?.expected_ruling(&act);
    client.try_act(charged)?;
    let done = handle.act(act).await;
    let room = handle.look().await?;
    let shown = PlayerView::of(&room, handle_color(&room, &handle));
    Ok(match done {
        Ok(()) => {
            let stored = room.ruling().filter(|_| is_move).map_or(0, Ruling::size);
            if stored > charged {
                client.count_stored(stored - charged);
            }
            message::accepted(&shown)
        }
        Err(error @ ActError::Refused(_)) => message::refused(&error.to_string(), &shown),
        Err(ActError::Script(error)) => {
            if error.is_of_limits() {
                // If the quota is used up, the next requests are refused.
                let _ = client.try_expensive();
            }
            let response = message::refused(&error.to_string(), &shown);
            // A relay that cannot ask the script says nothing of the move.
            if error.is_of_script() { response } else { (StatusCode::SERVICE_UNAVAILABLE, response).into_response() }
        }
        Err(error) => return Err(error.into()),
    })
}

async fn get_game_state(
    State(state): State<BuilderState>,
    path: Result<Path<(String, String)>, PathRejection>,
    client: ClientContext,
) -> Result<Response, Failure> {
    let none = || Failure::Told("There is no game with this id".to_owned());
    let Path((game_id, user_id)) = path.map_err(|_| none())?;
    let game_id = game_id.parse().map_err(|_| none())?;
    let user_id = user_id.parse().map_err(|_| none())?;
    let handle = enter(&state, game_id, user_id, &client).await?;
    let room = handle.look().await?;
    Ok(message::accepted(&PlayerView::of(&room, handle_color(&room, &handle))))
}

/// The side of the player by the current room.
fn handle_color(room: &Room, handle: &RoomHandle) -> Option<chess::Color> {
    room.seat_of(&handle.participant().id)
}

/// The handle of a player of a game.
async fn enter(
    state: &BuilderState,
    game_id: u64,
    user_id: u64,
    client: &ClientContext,
) -> Result<Arc<RoomHandle>, Failure> {
    let none = || Failure::Told("There is no game with this id".to_owned());
    let code = message::code_from(game_id).ok_or_else(none)?;
    if let Some(handle) = state.players.known(&code, user_id) {
        return Ok(handle);
    }
    find(state, &code, client).await?.ok_or_else(none)?;
    match state.players.resume(&code, user_id, client).await {
        Err(Failure::Enter(EnterError::WrongToken | EnterError::NoRoom | EnterError::Closed)) => Err(none()),
        other => other,
    }
}

/// The room with a code. Wrong codes are rate limited, so that they cannot be guessed.
async fn find(state: &BuilderState, code: &Code, client: &ClientContext) -> Result<Option<Room>, Failure> {
    let Some(room) = state.relay.look_charged(code, |cost| client.try_replay(cost)).await?? else {
        client.try_code()?;
        return Ok(None);
    };
    client.try_known_code(code)?;
    Ok(Some(room))
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, wait) = match &self {
            Self::Ruling(error) if !error.is_of_script() => (StatusCode::SERVICE_UNAVAILABLE, None),
            // The original answers with 200.
            Self::TooLarge | Self::Told(_) | Self::Invalid(_) | Self::Ruling(_) | Self::Put(_) => {
                (StatusCode::OK, None)
            }
            Self::Enter(EnterError::Store(_) | EnterError::Stopping) | Self::Store(_) | Self::Act(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, None)
            }
            Self::Enter(_) => (StatusCode::OK, None),
            Self::Rate(wait) => (StatusCode::TOO_MANY_REQUESTS, Some(wait.seconds())),
            Self::Other(status, _) => (*status, None),
        };
        let mut response = (status, Json(self.body())).into_response();
        if let Some(seconds) = wait {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<RetryAfter> for Failure {
    fn from(wait: RetryAfter) -> Self {
        Self::Rate(wait)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "a request of a builder client failed, because the store failed");
        Self::Store(error)
    }
}

impl From<EnterError> for Failure {
    fn from(error: EnterError) -> Self {
        Self::Enter(error)
    }
}

impl From<ActError> for Failure {
    fn from(error: ActError) -> Self {
        Self::Act(error)
    }
}

impl From<PutError> for Failure {
    fn from(error: PutError) -> Self {
        match error {
            PutError::Store(error) => error.into(),
            error => Self::Put(error),
        }
    }
}
