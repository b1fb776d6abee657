//! Rule scripts over HTTP, for the page: `GET /scripts` lists the bundled scripts, `GET /scripts/{name}` shows one, `POST /scripts` stores a script, and
//! `POST /scripts/try` shows how a game by it would start. `POST /games` with the rules `script` opens a game.

use std::borrow::Cow;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use rules::{AnyPosition, Situation};
use serde::Serialize;

use super::Services;
use super::json_error::JsonError;
use super::notation::{Letters, add_pieces, placement};
use super::script_terms::{bundled, unknown};
use crate::relay::Relay;
use crate::room::{Ruling, ScriptId};
use crate::scripts::{BUNDLED, MAX_SCRIPT};
use crate::server::ClientContext;

pub(super) fn routes(services: &Services) -> Router {
    Router::new()
        .route("/scripts", get(list).post(store))
        .route("/scripts/try", post(try_out))
        .route("/scripts/{name}", get(show))
        // One byte more, so that a script that is too long gets this dialect's own answer.
        .layer(DefaultBodyLimit::max(MAX_SCRIPT + 1))
        .with_state(services.relay.clone())
}

const JSON: &str = "application/json";
const PYTHON: &str = "text/x-python; charset=utf-8";

#[derive(Serialize)]
struct Listed {
    /// Names the script in URLs, and in the field `script` of `POST /games`.
    name: &'static str,
    title: &'static str,
}

async fn list() -> Response {
    let listed: Vec<Listed> = BUNDLED.iter().map(|script| Listed { name: script.name, title: script.title }).collect();
    ([(CONTENT_TYPE, JSON)], super::json(&listed)).into_response()
}

async fn show(
    State(relay): State<Relay>,
    path: Result<Path<String>, PathRejection>,
    client: ClientContext,
) -> Result<Response, JsonError> {
    let Path(name) = path.map_err(|_| unknown())?;
    let text = if let Some(script) = bundled(&name) {
        Cow::Borrowed(script.text)
    } else {
        client.try_expensive()?;
        let id: ScriptId = name.parse().map_err(|_| unknown())?;
        let text = relay.script_library().get(id).await?.ok_or_else(unknown)?;
        Cow::Owned(text.to_string())
    };
    // It is what a user has written: no browser may take it for anything else than text.
    let headers = [(CONTENT_TYPE, PYTHON), (X_CONTENT_TYPE_OPTIONS, "nosniff"), (CACHE_CONTROL, "no-cache")];
    Ok((headers, text).into_response())
}

/// The text of a script in the body of a request.
fn read(body: Result<Bytes, BytesRejection>) -> Result<String, JsonError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        status => JsonError::new(status, rejection.body_text()),
    })?;
    if body.len() > MAX_SCRIPT {
        return Err(too_large());
    }
    let text = String::from_utf8(body.into()).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        JsonError::bad(format_args!("A script is UTF-8 text; byte {at} is not."))
    })?;
    Ok(text)
}

fn too_large() -> JsonError {
    JsonError::too_large(format!("A script has at most {MAX_SCRIPT} bytes."))
}

/// How a game by a script would start, or why it would not.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Tried {
    Start(Start),
    Error { message: String, line: Option<u32> },
}

#[derive(Serialize)]
struct Start {
    placement: Option<String>,
    pieces: Letters,
    /// The number of possible moves.
    moves: usize,
    is_over: bool,
}

async fn try_out(
    State(relay): State<Relay>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let text = read(body)?;
    client.try_expensive()?;
    let tried = match relay.try_script(&text).await {
        Ok(ruling) => Tried::Start(Start::of(&ruling)),
        Err(error) if error.is_of_script() => Tried::Error { message: error.reason(), line: error.line() },
        Err(error) => return Err(JsonError::of_new_script(&error)),
    };
    Ok(([(CONTENT_TYPE, JSON)], super::json(&tried)).into_response())
}

impl Start {
    fn of(ruling: &Ruling) -> Self {
        let turn = ruling.turn(0);
        let (moves, is_over) = (turn.told_plies().len(), turn.verdict().is_some());
        let position = AnyPosition::Told(turn);
        let here: Situation<'_> = position.situation();
        let mut pieces = Letters::new();
        add_pieces(here, &mut pieces);
        Self { placement: placement(here), pieces, moves, is_over }
    }
}

#[derive(Serialize)]
struct Stored {
    id: ScriptId,
    /// The same as a number, as in `/create_game/`.
    script_id: u64,
}

async fn store(
    State(relay): State<Relay>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let text = read(body)?;
    client.try_expensive()?;
    relay.try_script(&text).await.map_err(|error| JsonError::of_new_script(&error))?;
    let id = relay.script_library().put(&text, |bytes| client.try_store_text(bytes).map_err(JsonError::from)).await?;
    let stored = Stored { id, script_id: id.0 };
    Ok((StatusCode::CREATED, [(CONTENT_TYPE, JSON)], super::json(&stored)).into_response())
}
