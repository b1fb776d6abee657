//! Several games in one request: what a browser knows of its own games, and their PGN in one file.

use std::collections::{HashMap, HashSet};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chess::Color;
use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::played;
use super::{GamesState, Kind, record};
use crate::dialect::json_error::JsonError;
use crate::dialect::notation::AsText;
use crate::relay::LONG_LOG;
use crate::room::{Code, Entry, Name, Phase, Room, RoomId};
use crate::server::ClientContext;

/// Maximum number of games in a request.
const MOST: usize = 50;

/// As many games of a request are charged as one expensive request: most logs are short.
const CHARGED_TOGETHER: usize = 10;

#[derive(Debug, Deserialize)]
struct Request {
    games: Vec<RequestedGame>,
}

/// A game. The id of its room proves that the client has not guessed the code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
struct RequestedGame {
    code: Code,
    room: RoomId,
    /// The number of the game in the room; without it, the last one.
    #[serde(default)]
    game: Option<u32>,
}

/// The state of a game in a list.
#[derive(Clone, Debug, Serialize)]
struct Status {
    code: Code,
    room: RoomId,
    game: u32,
    phase: &'static str,
    white: Option<Name>,
    black: Option<Name>,
    turn: AsText<Color>,
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
    let mut known = HashMap::new();
    for asked in Request::read(body, &client)?.games {
        let shown = match known.get(&asked) {
            Some(shown) => Option::<Status>::clone(shown),
            None => state.in_log(&asked, &client, status_in).await?,
        };
        known.insert(asked, shown.clone());
        found.push(shown);
    }
    let body = crate::dialect::json(&serde_json::json!({ "games": found }));
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response())
}

/// `POST /games/pgn`: all games that are stored and chess, in one file, each of them once.
pub(super) async fn pgn(
    State(state): State<GamesState>,
    client: ClientContext,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, JsonError> {
    let mut file = String::new();
    let mut known = HashSet::new();
    for asked in Request::read(body, &client)?.games {
        let pgn = |log: &[Entry], asked: &RequestedGame| record::pgn(&played::find(log, asked.game)?);
        if known.insert(asked.clone())
            && let Some(game) = state.in_log(&asked, &client, pgn).await?
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
    /// What a function finds in the log of a room. A long log is charged before it is loaded.
    async fn in_log<T: Send + 'static>(
        &self,
        asked: &RequestedGame,
        client: &ClientContext,
        find: fn(&[Entry], &RequestedGame) -> Option<T>,
    ) -> Result<Option<T>, JsonError> {
        let Some(cost) = self.relay.replay_cost_under(asked.room, &asked.code).await? else { return Ok(None) };
        if cost > LONG_LOG {
            client.try_replay(cost)?;
        }
        let asked = asked.clone();
        Ok(self.relay.replay_log(asked.room, move |log| find(&log, &asked)).await?.flatten())
    }
}

fn status_in(log: &[Entry], asked: &RequestedGame) -> Option<Status> {
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
            // Nothing was played.
            Phase::Closed if game == 0 => "closed",
            Phase::Over | Phase::Closed => "over",
        },
        white: name(Color::White),
        black: name(Color::Black),
        turn: AsText(room.game().to_move()),
        plies: room.game().len(),
        result: room.verdict().map_or("*", Verdict::result),
        date: record::date(date),
    })
}
