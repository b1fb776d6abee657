//! Games over plain HTTP: `POST /games` opens a room, and `GET /games/{code}.pgn`, `.json` and `.bin` show what was played in
//! it. With `?game=2` it is the second game of the room, otherwise the last.

mod creation;
mod played;
mod record;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::complaint::Complaint;
use crate::relay::Relay;
use crate::room::{Code, Room, Terms};
use crate::server::Door;
use creation::Order;
use played::Played;
use record::Record;

/// The way in. Rooms that are opened here have these terms, unless whoever opens them says otherwise.
pub fn routes(relay: Relay, terms: Terms) -> Router {
    let desk = Desk { relay, terms: Arc::new(terms) };
    Router::new().route("/games", post(open)).route("/games/{file}", get(show)).with_state(desk)
}

#[derive(Clone)]
struct Desk {
    relay: Relay,
    terms: Arc<Terms>,
}

async fn open(
    State(desk): State<Desk>,
    door: Door,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Complaint> {
    let body = body.map_err(|rejection| Complaint::new(rejection.status(), rejection.body_text()))?;
    let order = Order::read(&body, &desk.terms)?;
    door.try_code()?;
    let opened = order.fulfil(&desk.relay).await?;
    Ok((StatusCode::CREATED, [(CONTENT_TYPE, "application/json")], super::json(&opened)).into_response())
}

/// What a game is shown as.
#[derive(Clone, Copy)]
enum Kind {
    Pgn,
    Json,
    State,
}

impl Kind {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Pgn => "application/vnd.chess-pgn; charset=utf-8",
            Self::Json => "application/json",
            Self::State => "application/octet-stream",
        }
    }
}

async fn show(
    State(desk): State<Desk>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
    door: Door,
) -> Result<Response, Complaint> {
    let unknown = || Complaint::new(StatusCode::NOT_FOUND, "A game is shown as .pgn, .json or .bin.");
    let Path(file) = path.map_err(|_| unknown())?;
    let (code, kind) = read_name(&file).ok_or_else(unknown)?;
    let number = read_number(&uri)?;
    let Some(log) = desk.relay.log(&code).await? else {
        door.try_code()?;
        return Err(Complaint::new(StatusCode::NOT_FOUND, "There is no match with this code."));
    };
    door.try_known_code(&code)?;
    let game = played::find(&log, number)
        .ok_or_else(|| Complaint::new(StatusCode::NOT_FOUND, "There was no such game in this match."))?;
    let body: Bytes = match kind {
        Kind::Pgn => record::pgn(&game).into(),
        Kind::Json => super::json(&Record::of(&game)).into(),
        Kind::State => state(&game.room)?.into(),
    };
    let Played { number, .. } = game;
    let extension = file.rsplit('.').next().unwrap_or_default();
    let name = format!("inline; filename=\"{code}-{number}.{extension}\"");
    let headers = [(CONTENT_TYPE, kind.media_type().to_owned()), (CONTENT_DISPOSITION, name)];
    // Another move may come at any time, and another room with the same code.
    Ok((headers, [(CACHE_CONTROL, "no-store")], body).into_response())
}

fn read_name(file: &str) -> Option<(Code, Kind)> {
    let (code, extension) = file.rsplit_once('.')?;
    let kind = match extension {
        "pgn" => Kind::Pgn,
        "json" => Kind::Json,
        "bin" => Kind::State,
        _ => return None,
    };
    Some((code.parse().ok()?, kind))
}

fn read_number(uri: &Uri) -> Result<Option<u32>, Complaint> {
    let wrong = || Complaint::bad("In the query, game must be a number from 1.");
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| wrong())?;
    let number = pairs.0.into_iter().find(|(key, _)| key == "game");
    number.map(|(_, number)| number.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)).transpose()
}

/// The documented state, if the game has one: a game that began from elsewhere may not.
fn state(room: &Room) -> Result<Vec<u8>, Complaint> {
    let mut bytes = vec![0; wire::layout::MAX_LEN];
    let len = wire::layout::encode(room.game(), &mut bytes).map_err(|error| {
        let message = format!("This game has no state in bytes: {error}.");
        Complaint::new(StatusCode::CONFLICT, message)
    })?;
    bytes.truncate(len);
    Ok(bytes)
}
