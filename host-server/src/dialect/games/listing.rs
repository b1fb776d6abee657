//! Several games in one request: what a browser knows of its own games, and their PGN in one file.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chess::Color;
use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::played::{self, is_opened_as};
use super::{GamesState, Kind, record};
use crate::dialect::json_error::JsonError;
use crate::dialect::notation::Shown;
use crate::room::{Code, Entry, Name, Phase, Room, RoomId};
use crate::server::ClientContext;

/// Maximum number of games in a request.
const MOST: usize = 50;

/// As many games of a request are charged as one expensive request: most logs are short.
const CHARGED_TOGETHER: usize = 10;

#[derive(Debug, Deserialize)]
struct Request {
    games: Vec<Asked>,
}

/// A game. The id of its room proves that the client has not guessed the code.
#[derive(Debug, Deserialize)]
struct Asked {
    code: Code,
    room: RoomId,
    /// The number of the game in the room; without it, the last one.
    #[serde(default)]
    game: Option<u32>,
}

/// The state of a game in a list.
#[derive(Debug, Serialize)]
struct Status {
    code: Code,
    room: RoomId,
    game: u32,
    phase: &'static str,
    white: Option<Name>,
    black: Option<Name>,
    turn: Shown<Color>,
    plies: usize,
    result: &'static str,
    date: String,
}

impl Request {
    fn read(body: Result<Bytes, BytesRejection>, client: &ClientContext) -> Result<Self, JsonError> {
        let body = body.map_err(|rejection| JsonError::new(rejection.status(), rejection.body_text()))?;
        let request: Self = serde_json::from_slice(&body).map_err(JsonError::bad)?;
        if request.games.len() > MOST {
            return Err(JsonError::bad(format_args!(
                "games must have at most {MOST} elements, not {}.",
                request.games.len()
            )));
        }
        for _ in 0..request.games.len().div_ceil(CHARGED_TOGETHER) {
            client.try_expensive()?;
        }
        Ok(request)
    }
}

/// `POST /games/status`: the state of each game, or `null` for one that is not stored any more.
pub(super) async fn status(
    State(state): State<GamesState>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let mut found = Vec::new();
    for asked in Request::read(body, &client)?.games {
        found.push(match state.log_of(&asked).await? {
            Some(log) => state.relay.replay(move || status_in(&log, &asked)).await,
            None => None,
        });
    }
    let body = crate::dialect::json(&serde_json::json!({ "games": found }));
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response())
}

/// `POST /games/pgn`: all games that are stored and chess, in one file.
pub(super) async fn pgn(
    State(state): State<GamesState>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let mut file = String::new();
    for asked in Request::read(body, &client)?.games {
        if let Some(log) = state.log_of(&asked).await?
            && let Some(game) = state.relay.replay(move || record::pgn(&played::find(&log, asked.game)?)).await
        {
            if !file.is_empty() {
                file.push('\n');
            }
            file.push_str(&game);
        }
    }
    Ok(([(CONTENT_TYPE, Kind::Pgn.media_type()), (CACHE_CONTROL, "no-store")], file).into_response())
}

impl GamesState {
    async fn log_of(&self, asked: &Asked) -> Result<Option<Vec<Entry>>, JsonError> {
        Ok(self.relay.log_of_room(asked.room).await?.filter(|log| is_opened_as(log, &asked.code)))
    }
}

fn status_in(log: &[Entry], asked: &Asked) -> Option<Status> {
    // A room in which no game has begun is listed, too: an invitation.
    let (room, game, date) = match played::find(log, asked.game) {
        Some(played) => (played.room, played.number, played.began_on),
        None if asked.game.is_none() => (Room::from_log(log)?, 0, 0),
        None => return None,
    };
    let date = if game == 0 { room.opened_on() } else { date };
    let is_closed = matches!(log.last()?.fact, crate::room::Fact::Closed);
    let name = |color| room.seat(color).map(|seated| seated.player.name.clone());
    Some(Status {
        code: asked.code.clone(),
        room: asked.room,
        game,
        phase: match room.phase() {
            Phase::Waiting | Phase::Counting { .. } if is_closed => "closed",
            Phase::Waiting | Phase::Counting { .. } => "waiting",
            Phase::Playing => "playing",
            Phase::Over | Phase::Closed => "over",
        },
        white: name(Color::White),
        black: name(Color::Black),
        turn: Shown(room.game().to_move()),
        plies: room.game().len(),
        result: room.verdict().map_or("*", Verdict::result),
        date: record::date(date),
    })
}
