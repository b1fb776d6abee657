//! DGT LiveChess: `/api/v1.0` on a port of its own, for lichess.org, chess.com and broadcast tools.
//!
//! ```text
//! boards::BoardFeed -> follower.rs (a tracker for each board) -> connection.rs (a client)
//! ```
//!
//! - `tracker.rs`: the moves since the last set-up; `message.rs`: the JSON.
//! - `remote.rs`: the feed of a board for `tabiya livechess` on another machine.
//!
//! docs/livechess.md is for players, docs/protocol.md specifies the messages.

mod connection;
mod follower;
mod message;
pub(crate) mod remote;
mod tracker;

use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ORIGIN, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use tokio_util::sync::CancellationToken;

use crate::boards::{BoardFeed, BoardView};
use crate::config::AllowedOrigins;
use crate::store::Store;
use follower::Follower;
use message::Call;
use tracker::Tracker;

#[derive(Clone)]
struct LiveChessState {
    follower: Follower,
    /// Origins of pages that may connect.
    origins: Arc<AllowedOrigins>,
    stop: CancellationToken,
}

/// The routes of the LiveChess listener. With a store, set-ups survive a restart.
pub(crate) fn routes(
    feed: &BoardFeed,
    store: Option<Arc<dyn Store>>,
    origins: AllowedOrigins,
    stop: CancellationToken,
) -> Router {
    let state = LiveChessState { follower: Follower::start(feed, store), origins: Arc::new(origins), stop };
    Router::new()
        .route("/api/v1.0", get(connect))
        .route("/api/v1.0/eboards", get(list))
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state)
}

/// Rejects pages of other origins, and names that resolve to this machine by DNS rebinding.
async fn guard(State(state): State<LiveChessState>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let origin = headers.get(ORIGIN).cloned();
    if let Err(error) = AllowedOrigins::default().check_host(headers) {
        return (StatusCode::FORBIDDEN, format!("{error}\n")).into_response();
    }
    if state.origins.check(headers).is_err() {
        return (StatusCode::FORBIDDEN, "This origin is not on the list of --livechess-origins.\n").into_response();
    }
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        response.headers_mut().append(VARY, HeaderValue::from_static("origin"));
    }
    response
}

async fn connect(State(state): State<LiveChessState>, upgrade: WebSocketUpgrade) -> Response {
    let LiveChessState { follower, stop, .. } = state;
    upgrade.max_message_size(connection::LONGEST).on_upgrade(move |socket| connection::serve(socket, follower, stop))
}

async fn list(State(state): State<LiveChessState>) -> Response {
    let shown = state.follower.shown.borrow().clone();
    Json(connection::boards(&shown)).into_response()
}

/// Follows a board whose feed sends the first line, and decodes the other lines as calls of a client, for the fuzzer.
#[doc(hidden)]
pub fn decode_lines(text: &str) {
    let mut lines = text.lines();
    let view = lines.next().and_then(|line| serde_json::from_str::<BoardView>(line).ok());
    let mut tracker = view.as_ref().map(Tracker::new);
    for line in lines {
        let Ok((_, call)) = message::decode(line) else { continue };
        if let (Call::SetUp { fen, .. }, Some(tracker), Some(view)) = (call, &mut tracker, &view) {
            // A set-up that is accepted starts an empty list on the position that the board shows.
            if tracker.set_up(&fen, view).is_ok() {
                assert!(tracker.san().is_empty() && tracker.matches(view));
                tracker.follow(view);
                assert!(tracker.san().is_empty());
            }
        }
    }
}
