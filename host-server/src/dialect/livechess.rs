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
use chess::Position;
use tokio_util::sync::CancellationToken;

use crate::boards::{BoardFeed, BoardView, Serial};
use crate::config::AllowedOrigins;
use crate::server::ClientContext;
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

/// The routes of the LiveChess listener. With a store, set-ups and lists survive a restart. `virtual_board` is listed after all others.
pub(crate) fn routes(
    feed: &BoardFeed,
    store: Option<Arc<dyn Store>>,
    virtual_board: Option<Serial>,
    origins: AllowedOrigins,
    stop: CancellationToken,
) -> Router {
    let state =
        LiveChessState { follower: Follower::start(feed, store, virtual_board), origins: Arc::new(origins), stop };
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

async fn connect(State(state): State<LiveChessState>, client: ClientContext, upgrade: WebSocketUpgrade) -> Response {
    let LiveChessState { follower, stop, .. } = state;
    let upgrade = upgrade.max_message_size(connection::LONGEST);
    upgrade.on_upgrade(move |socket| connection::serve(socket, client, follower, stop))
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
    let now = tokio::time::Instant::now();
    for line in lines {
        let Ok((_, call)) = message::decode(line) else { continue };
        if let (Call::SetUp { fen, .. }, Some(tracker), Some(view)) = (call, &mut tracker, &view) {
            let Ok(start) = fen.parse::<Position>() else {
                assert!(tracker.set_up(&fen, view).is_err());
                continue;
            };
            // Every position starts the list again, with moves that can be played from it. They lead to what the board shows.
            assert_eq!(tracker.set_up(&fen, view), Ok(()));
            tracker.follow(view, now);
            tracker.follow(view, now + tracker::REST);
            let play = |position: Position, san: &String| position.play(position.parse_san(san).ok()?).ok();
            let after = tracker.san().iter().try_fold(start, play);
            assert!(after.is_some(), "{:?} cannot be played", tracker.san());
            let is_match = after.is_some_and(|after| after.board() == view.position.board()) && view.is_exact();
            assert_eq!(tracker.matches(view), is_match);
            assert!(start.board() != view.position.board() || tracker.san().is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::num::NonZeroU32;

    use axum::body::Body;
    use futures_util::{SinkExt, StreamExt};
    use tokio::net::TcpStream;
    use tokio_tungstenite::tungstenite::{Error, Message};
    use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
    use tower::ServiceExt;

    use super::*;
    use crate::config::LimitConfig;
    use crate::server::{Listener, Shutdown};

    fn start(limits: LimitConfig) -> SocketAddr {
        start_until(limits, Shutdown::new())
    }

    fn start_until(limits: LimitConfig, shutdown: Shutdown) -> SocketAddr {
        let listener = Listener::bind(([127, 0, 0, 1], 0).into()).unwrap();
        let (address, feed) = (listener.address(), BoardFeed::default());
        let routes = routes(&feed, None, None, AllowedOrigins::default(), shutdown.stopping().clone());
        tokio::spawn(async move {
            listener.run(routes, &limits, shutdown).await;
            // Clients are disconnected when it ends.
            drop(feed);
        });
        address
    }

    async fn connect_to(address: SocketAddr) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
        connect_async(format!("ws://{address}/api/v1.0")).await.map(|(socket, _)| socket)
    }

    #[tokio::test]
    async fn a_client_counts_as_a_connection_while_it_is_there() {
        let limits = LimitConfig { connections_per_address: NonZeroU32::new(2), ..LimitConfig::unlimited(65_536) };
        let address = start(limits);
        let first = connect_to(address).await.unwrap();
        let _second = connect_to(address).await.unwrap();
        let refused = connect_to(address).await;
        assert!(matches!(&refused, Err(Error::Http(response)) if response.status() == 429), "{refused:?}");
        drop(first);
        while connect_to(address).await.is_err() {
            // The relay has not noticed yet that the first client is gone.
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_relay_that_stops_asks_its_clients_to_reconnect() {
        let shutdown = Shutdown::new();
        let mut socket = connect_to(start_until(LimitConfig::unlimited(65_536), shutdown.clone())).await.unwrap();
        shutdown.stop();
        let closed = socket.next().await;
        let Some(Ok(Message::Close(Some(frame)))) = &closed else { panic!("{closed:?}") };
        assert_eq!(u16::from(frame.code), 1012);
    }

    #[tokio::test]
    async fn only_pages_of_listed_origins_may_read_the_list_of_boards() {
        let origins = AllowedOrigins::from(vec!["https://lichess.org".parse().unwrap()]);
        let routes = routes(&BoardFeed::default(), None, None, origins, CancellationToken::new());
        for (origin, status) in [
            (Some("https://lichess.org"), StatusCode::OK),
            (None, StatusCode::OK),
            (Some("https://elsewhere.example"), StatusCode::FORBIDDEN),
        ] {
            let mut request = axum::http::Request::get("/api/v1.0/eboards").header("host", "localhost:1982");
            if let Some(origin) = origin {
                request = request.header(ORIGIN, origin);
            }
            let response = routes.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            assert_eq!(response.status(), status, "{origin:?}");
            let allowed = response.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).map(|value| value.to_str().unwrap());
            assert_eq!(allowed, origin.filter(|_| status == StatusCode::OK));
            let vary = response.headers().get(VARY).is_some_and(|value| value == "origin");
            assert_eq!(vary, allowed.is_some());
        }
    }

    #[tokio::test]
    async fn a_client_that_sends_too_much_is_disconnected() {
        let limits = LimitConfig { messages_per_second: NonZeroU32::new(1), ..LimitConfig::unlimited(65_536) };
        let mut socket = connect_to(start(limits)).await.unwrap();
        let call = r#"{"id":1,"call":"unsubscribe","param":{"feed":"eboardevent","id":1}}"#;
        for sent in 0.. {
            assert!(sent < 100_000, "it is served for ever");
            if socket.send(Message::text(call)).await.is_err() {
                return;
            }
            match socket.next().await {
                Some(Ok(Message::Text(_))) => {}
                Some(Ok(Message::Close(Some(frame)))) => {
                    assert_eq!(u16::from(frame.code), 1008);
                    return;
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
