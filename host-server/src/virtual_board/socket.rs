//! WebSocket `/ws/panel`: shows a board in a browser, and receives the commands of the user.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use wire::panel::{MAX_PANEL_MESSAGE, PanelMessage};

use super::panels::{PanelHandle, Panels};
use super::touch::Touch;
use super::view::View;
use crate::config::TouchPolicy;
use crate::metrics;
use crate::page::{document, files};
use crate::server::{ClientContext, CloseReason, Keepalive, KeepaliveAction, MessageRate, close, close_reason, send};

/// Shortest interval between updates: 60 frames per second.
const FRAME_INTERVAL: Duration = Duration::from_millis(16);
/// Longest command in bytes.
const MAX_COMMAND: usize = 512;
/// Messages over the rate limit that are answered with an error before the connection is closed.
const MAX_EXCESS: u32 = 100;

#[derive(Clone)]
struct SocketState {
    panels: Panels,
    touch: TouchPolicy,
}

/// The page of the board and its socket.
pub(crate) fn routes(panels: Panels, touch: TouchPolicy) -> Router {
    Router::new().route("/board", get(page)).route("/ws/panel", get(connect)).with_state(SocketState { panels, touch })
}

/// The page of a board by itself, without a relay.
pub(crate) fn standalone_routes(panels: Panels, touch: TouchPolicy) -> Router {
    Router::new().route("/", get(async || Redirect::temporary("/board"))).merge(files()).merge(routes(panels, touch))
}

async fn page(headers: HeaderMap) -> Response {
    document("virtual-board.html", &headers)
}

async fn connect(
    State(state): State<SocketState>,
    Extension(client): Extension<ClientContext>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let may_touch = state.touch == TouchPolicy::All || client.is_local();
    let Some(handle) = state.panels.connect(may_touch, client.address()) else {
        let body = json!({ "error": "Too many browsers show this board." });
        return (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response();
    };
    let upgrade = client.upgrade(upgrade).max_message_size(MAX_COMMAND).max_frame_size(MAX_COMMAND);
    upgrade.on_upgrade(move |socket| async move {
        let mut connection = PanelConnection {
            socket,
            rate: client.messages(),
            client,
            handle,
            may_touch,
            sent: None,
            excess: 0,
            _connected: metrics::connected("panel"),
        };
        let reason = connection.run().await;
        connection.handle.disconnect().await;
        if let Some(reason) = reason {
            close(connection.socket, reason, None).await;
        }
    })
}

/// The socket of one browser.
struct PanelConnection {
    socket: WebSocket,
    client: ClientContext,
    handle: PanelHandle,
    may_touch: bool,
    rate: MessageRate,
    /// The view that was sent last.
    sent: Option<View>,
    /// Messages over the rate limit, minus those within it.
    excess: u32,
    _connected: metrics::ConnectionGauge,
}

impl PanelConnection {
    /// Serves the browser until the connection ends. Returns the close reason, or `None` if the browser has disconnected.
    async fn run(&mut self) -> Option<CloseReason> {
        let mut keepalive = Keepalive::default();
        let mut next_frame = Instant::now();
        loop {
            let changed = async {
                sleep_until(next_frame).await;
                self.handle.view.changed().await
            };
            tokio::select! {
                () = self.client.stopping().cancelled() => return Some(CloseReason::Restart),
                result = changed => {
                    if result.is_err() {
                        return Some(CloseReason::Restart);
                    }
                    let view = self.handle.view.borrow_and_update().clone();
                    for message in self.changes(&view) {
                        if send(&mut self.socket, message).await.is_err() {
                            return Some(CloseReason::Slow);
                        }
                    }
                    self.sent = Some(view);
                    next_frame = Instant::now() + FRAME_INTERVAL;
                }
                message = self.socket.recv() => {
                    keepalive.received();
                    match message {
                        Some(Ok(message)) => match self.handle_message(message).await {
                            Ok(None) => {}
                            Ok(Some(problem)) => {
                                let error = json!({ "type": "error", "message": problem });
                                if send(&mut self.socket, text(&error)).await.is_err() {
                                    return Some(CloseReason::Slow);
                                }
                            }
                            Err(reason) => return reason,
                        },
                        Some(Err(error)) => return close_reason(&error),
                        None => return None,
                    }
                }
                action = keepalive.next() => match action {
                    KeepaliveAction::Ping => {
                        if send(&mut self.socket, Message::Ping(Bytes::new())).await.is_err() {
                            return Some(CloseReason::Slow);
                        }
                    }
                    KeepaliveAction::TimedOut => return Some(CloseReason::Dead),
                },
            }
        }
    }

    /// Executes the command of a browser. `Ok` is an error message for the user, if any; `Err` ends the connection.
    async fn handle_message(&mut self, message: Message) -> Result<Option<String>, Option<CloseReason>> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Ok(Some("commands must be JSON in text messages".to_owned())),
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(None),
        };
        if let Err(retry) = self.rate.check() {
            self.excess += 1;
            return if self.excess > MAX_EXCESS { Err(Some(CloseReason::Rate)) } else { Ok(Some(retry.to_string())) };
        }
        self.excess = self.excess.saturating_sub(1);
        if !self.may_touch {
            return Ok(Some("only clients on the machine of this board may move its pieces".to_owned()));
        }
        Ok(match Touch::read(&text) {
            Ok(touch) => self.handle.touch(touch).await.err(),
            Err(problem) => Some(problem),
        })
    }

    /// Messages for everything that differs from the last view.
    fn changes(&self, view: &View) -> Vec<Message> {
        let sent = self.sent.as_ref();
        let mut messages = Vec::new();
        if sent.is_none_or(|sent| sent.state != view.state) {
            messages.push(text(&view.state_for(self.may_touch)));
        }
        if sent.is_none_or(|sent| sent.pieces != view.pieces) {
            messages.push(text(&view.pieces_for(self.handle.owner)));
        }
        let mut add = |message: PanelMessage| {
            let mut buffer = [0; MAX_PANEL_MESSAGE];
            messages.push(Message::Binary(message.write(&mut buffer).to_vec().into()));
        };
        if sent.is_none_or(|sent| sent.raw != view.raw) {
            add(PanelMessage::Occupied(view.raw));
        }
        if sent.is_none_or(|sent| sent.settled != view.settled) {
            add(PanelMessage::Settled(view.settled));
        }
        if sent.is_none_or(|sent| sent.lights != view.lights) {
            add(PanelMessage::Lights(view.lights));
        }
        messages
    }
}

fn text(value: &Value) -> Message {
    Message::Text(Utf8Bytes::from(value.to_string()))
}
