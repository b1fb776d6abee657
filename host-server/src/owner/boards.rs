//! The boards of the relay, for its owner: what the relay knows of them, what it stores about them, and their consoles.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use chess::Bitboard;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;
use wire::link::MAX_CONSOLE_LINE;

use super::{Authorized, Owner, failed};
use crate::boards::{BoardError, ChallengePolicy, ConsoleError, LiveBoard, Paired};
use crate::page;
use crate::store::StoreError;

pub(super) fn routes() -> Router<Owner> {
    Router::new()
        .route("/owner/boards", get(list))
        .route("/owner/boards/{name}", get(show))
        .route("/owner/boards/{name}/state", get(state))
        .route("/owner/boards/{name}/settings", post(change))
        .route("/owner/boards/{name}/console", post(console))
}

/// The page itself has nothing that only the owner may see.
async fn show(headers: HeaderMap) -> Response {
    page::document("owner.html", &headers)
}

async fn list(_: Authorized, State(owner): State<Owner>) -> Response {
    match owner.boards.registry().list().await {
        Ok(boards) => {
            let boards: Vec<Value> = boards
                .iter()
                .map(|board| json!({ "name": board.name, "connected": owner.boards.console(board).is_some() }))
                .collect();
            fresh(&json!({ "boards": boards }))
        }
        Err(error) => refused(&error.into()),
    }
}

async fn state(_: Authorized, State(owner): State<Owner>, Path(name): Path<String>) -> Response {
    match read(&owner, &name).await {
        Ok(board) => {
            let live = owner.boards.console(&board).map(|console| described(&console.live()));
            fresh(&json!({
                "name": board.name,
                "code": board.code,
                "challenges": board.challenges,
                "live": live,
            }))
        }
        Err(error) => refused(&error),
    }
}

/// What a connected board says about itself.
fn described(live: &LiveBoard) -> Value {
    let squares = |squares: Bitboard| squares.squares().map(|square| square.to_string()).collect::<Vec<_>>();
    json!({
        "software": live.software,
        "connected_s": Instant::now().duration_since(live.since).as_secs(),
        "occupied": live.occupancy.map(|occupancy| squares(occupancy.occupied)),
    })
}

/// A change of what the relay stores about a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    name: Option<String>,
    challenges: Option<ChallengePolicy>,
}

async fn change(
    _: Authorized,
    State(owner): State<Owner>,
    Path(name): Path<String>,
    Json(settings): Json<Settings>,
) -> Response {
    let changed = async {
        if let Some(challenges) = settings.challenges {
            owner.boards.set_challenges(&name, challenges).await?;
        }
        match settings.name {
            Some(new) => {
                let new = owner.boards.rename(&name, &new).await?;
                tracing::info!(board = %new, was = name, "board renamed");
                Ok(new)
            }
            None => Ok(read(&owner, &name).await?.name),
        }
    };
    match changed.await {
        Ok(name) => fresh(&json!({ "name": name })),
        Err(error) => refused(&error),
    }
}

/// A line for the console of a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConsoleLine {
    line: String,
}

async fn console(
    _: Authorized,
    State(owner): State<Owner>,
    Path(name): Path<String>,
    Json(ConsoleLine { line }): Json<ConsoleLine>,
) -> Response {
    if line.len() > MAX_CONSOLE_LINE || line.chars().any(char::is_control) {
        let message = format!("A line has at most {MAX_CONSOLE_LINE} bytes and no control characters.");
        return failed(StatusCode::BAD_REQUEST, &message);
    }
    let board = match read(&owner, &name).await {
        Ok(board) => board,
        Err(error) => return refused(&error),
    };
    let began = Instant::now();
    let answer = match owner.boards.console(&board) {
        Some(console) => console.run(line).await,
        None => Err(ConsoleError::Offline),
    };
    match answer {
        Ok(answer) => fresh(&json!({ "answer": answer, "took_ms": began.elapsed().as_millis() })),
        Err(error) => {
            let status = match error {
                ConsoleError::Offline | ConsoleError::TooOld => StatusCode::CONFLICT,
                ConsoleError::Busy => StatusCode::TOO_MANY_REQUESTS,
                ConsoleError::Timeout | ConsoleError::Disconnected => StatusCode::GATEWAY_TIMEOUT,
            };
            failed(status, &error.to_string())
        }
    }
}

async fn read(owner: &Owner, name: &str) -> Result<Paired, BoardError> {
    let found = owner.boards.registry().read(name).await.map_err(|error: StoreError| BoardError::Store(error))?;
    found.map(|(board, _)| board).ok_or_else(|| BoardError::Unknown(name.to_owned()))
}

fn fresh(body: &Value) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

fn refused(error: &BoardError) -> Response {
    let status = match error {
        BoardError::Unknown(_) => StatusCode::NOT_FOUND,
        BoardError::Exists(_) => StatusCode::CONFLICT,
        BoardError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    failed(status, &error.to_string())
}
