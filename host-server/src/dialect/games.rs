//! Games over plain HTTP: `POST /games` opens a room, and `GET /games/{code}.pgn`, `.json` and `.bin` show what was played in
//! it, `.analysis` how well, and `.table` what a visitor with the code can do. `GET /computer` lists the computer opponents. With `?game=2` it is
//! the second game of the room, otherwise the last. With `?room=` it is the room with this id, also if another room has the code by now.
//! `POST /games/status` and `POST /games/pgn` answer for several games.

mod analysis;
mod cache;
mod creation;
mod listing;
mod record;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use engine::Level;

use super::Services;
use super::json_error::JsonError;
use super::played::{self, Played};
use crate::boards::Registry;
use crate::genome::Library;
use crate::relay::Relay;
use crate::room::{Code, EngineName, Entry, Fact, Room, RoomId, Terms};
use crate::server::ClientContext;
use analysis::Analyses;
use cache::{FinishedGames, Key};
use creation::CreationRequest;
use record::GameRecord;

pub(super) fn routes(services: &Services) -> Router {
    let state = GamesState {
        relay: services.relay.clone(),
        terms: Arc::new(services.terms.clone()),
        finished: Arc::default(),
        library: Library::new(services.relay.store().clone()),
        boards: services.boards.registry().clone(),
        analyses: Arc::default(),
    };
    Router::new()
        .route("/games", post(open))
        .route("/games/status", post(listing::status))
        .route("/games/pgn", post(listing::pgn))
        .route("/games/{file}", get(show))
        .route("/computer", get(computers))
        .with_state(state)
}

#[derive(Clone)]
struct GamesState {
    relay: Relay,
    terms: Arc<Terms>,
    finished: Arc<FinishedGames>,
    library: Library,
    boards: Registry,
    analyses: Arc<Analyses>,
}

/// The computers that can be chosen as opponents.
async fn computers(State(state): State<GamesState>) -> Response {
    let engines: Vec<&EngineName> = state.relay.computers().engines().collect();
    let list = serde_json::json!({ "levels": Level::FULL.number(), "engines": engines });
    ([(CONTENT_TYPE, "application/json")], super::json(&list)).into_response()
}

async fn open(
    State(state): State<GamesState>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let body = body.map_err(|rejection| JsonError::new(rejection.status(), rejection.body_text()))?;
    let mut request = CreationRequest::read(&body, &state.terms)?;
    client.try_open_room()?;
    request.deal(&state.library).await?;
    request.ask_script(&state.relay).await?;
    if let Some(script) = request.script() {
        client.try_store(script.start.size())?;
    }
    request.check(&state.relay, &state.boards, client.is_local()).await?;
    let opened = request.fulfil(&state.relay, &state.boards, client.is_local()).await?;
    Ok((StatusCode::CREATED, [(CONTENT_TYPE, "application/json")], super::json(&opened)).into_response())
}

/// The format of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Pgn,
    Json,
    State,
    Analysis,
}

impl Kind {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Pgn => "application/vnd.chess-pgn; charset=utf-8",
            Self::Json | Self::Analysis => "application/json",
            Self::State => "application/octet-stream",
        }
    }
}

async fn show(
    State(state): State<GamesState>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
    client: ClientContext,
) -> Result<Response, JsonError> {
    let unknown =
        || JsonError::new(StatusCode::NOT_FOUND, "A game has the formats .pgn, .json, .bin, .analysis and .table.");
    let Path(file) = path.map_err(|_| unknown())?;
    if let Some(code) = file.strip_suffix(".table") {
        return state.table(&code.parse().map_err(|_| unknown())?, &client).await;
    }
    let (code, kind) = read_name(&file).ok_or_else(unknown)?;
    let number = read_number(&uri)?;
    let room = match read_room(&uri)? {
        Some(room) => Some(room),
        None => state.relay.find(&code).await?,
    };
    let shown = match room {
        Some(room) if kind == Kind::Analysis => state.analysis(&code, room, number, &client).await?,
        Some(room) => state.shown(&code, Key { room, number, kind }, &client).await?,
        None => None,
    };
    let Some(RenderedGame { number, body }) = shown else {
        client.try_code()?;
        return Err(JsonError::new(StatusCode::NOT_FOUND, "There is no game with this code."));
    };
    let extension = file.rsplit('.').next().unwrap_or_default();
    let name = format!("inline; filename=\"{code}-{number}.{extension}\"");
    let headers = [(CONTENT_TYPE, kind.media_type().to_owned()), (CONTENT_DISPOSITION, name)];
    // The game may go on, and the code may be reused.
    Ok((headers, [(CACHE_CONTROL, "no-store")], body).into_response())
}

/// A game in one of the formats.
#[derive(Clone)]
struct RenderedGame {
    number: u32,
    body: Bytes,
}

impl GamesState {
    /// Shows a game. `None` if there is no such room, or if it had another code.
    async fn shown(&self, code: &Code, key: Key, client: &ClientContext) -> Result<Option<RenderedGame>, JsonError> {
        if let Some(shown) = self.finished.get(code, key) {
            client.try_known_code(code)?;
            return Ok(Some(shown));
        }
        let Some(cost) = self.relay.replay_cost_under(key.room, code).await? else { return Ok(None) };
        client.try_known_code(code)?;
        client.try_replay(cost)?;
        let show = move |log: Vec<Entry>| {
            let is_finished = matches!(log.last(), Some(Entry { fact: Fact::Closed, .. }));
            show_in(&log, key).map(|shown| (shown, is_finished))
        };
        // It may have expired meanwhile.
        let Some(shown) = self.relay.replay_log(key.room, show).await? else { return Ok(None) };
        let (shown, is_finished) = shown?;
        if is_finished {
            self.finished.put(code.clone(), key, shown.clone());
        }
        Ok(Some(shown))
    }
}

fn show_in(log: &[Entry], Key { number, kind, .. }: Key) -> Result<RenderedGame, JsonError> {
    let game = played::find(log, number)
        .ok_or_else(|| JsonError::new(StatusCode::NOT_FOUND, "There is no game with this number under this code."))?;
    let body: Bytes = match kind {
        Kind::Pgn => record::pgn(&game).ok_or_else(|| not_chess(&game.room, "PGN"))?.into(),
        // An analysis needs the computers; it is not shown from the log alone.
        Kind::Json | Kind::Analysis => super::json(&GameRecord::of(&game)).into(),
        Kind::State => state_bytes(&game.room)?.into(),
    };
    let Played { number, .. } = game;
    Ok(RenderedGame { number, body })
}

fn read_name(file: &str) -> Option<(Code, Kind)> {
    let (code, extension) = file.rsplit_once('.')?;
    let kind = match extension {
        "pgn" => Kind::Pgn,
        "json" => Kind::Json,
        "bin" => Kind::State,
        "analysis" => Kind::Analysis,
        _ => return None,
    };
    Some((code.parse().ok()?, kind))
}

fn read_number(uri: &Uri) -> Result<Option<u32>, JsonError> {
    let wrong = || JsonError::bad("In the query, game must be a number from 1.");
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| wrong())?;
    let number = pairs.0.into_iter().find(|(key, _)| key == "game");
    number.map(|(_, number)| number.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)).transpose()
}

/// The id of a room in the query.
fn read_room(uri: &Uri) -> Result<Option<RoomId>, JsonError> {
    let wrong = || JsonError::bad("In the query, room must be the id of a room.");
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| wrong())?;
    let room = pairs.0.into_iter().find(|(key, _)| key == "room");
    room.map(|(_, room)| room.parse().map_err(|_| wrong())).transpose()
}

/// A game under other rules cannot be written in a format of chess.
fn not_chess(room: &Room, format: &str) -> JsonError {
    let rules = room.terms().start().name();
    JsonError::new(StatusCode::CONFLICT, format!("This game has no {format}: its rules are {rules}, not chess."))
}

/// The documented state. A game with another start position may not have one.
fn state_bytes(room: &Room) -> Result<Vec<u8>, JsonError> {
    let game = room.game().chess().ok_or_else(|| not_chess(room, "binary state"))?;
    let mut bytes = vec![0; wire::layout::MAX_LEN];
    let len = wire::layout::encode(game, &mut bytes).map_err(|error| {
        let message = format!("This game has no binary state: {error}.");
        JsonError::new(StatusCode::CONFLICT, message)
    })?;
    bytes.truncate(len);
    Ok(bytes)
}
