//! The sockets through which windows see a board and touch it: `/ws/panel`.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use wire::panel::{MAX_PANEL_MESSAGE, PanelMessage};

use super::panels::{Onlooker, Panels};
use super::touch::Touch;
use super::view::View;
use crate::page::document;
use crate::server::{Beat, Door, Goodbye, Keepalive, MessageRate, metrics, part, reading_failed, send};

/// No window is told something new more often than this: sixty times a second are enough for any eye.
const FRAME: Duration = Duration::from_millis(16);
/// No touch is longer.
const LONGEST: usize = 512;
/// So many messages beyond the limit are answered, if as many within it do not come in between. Then it is no accident.
const PATIENCE: u32 = 100;

/// Who may touch the pieces. Everybody may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// Those at the machine that the board is on.
    Local,
    /// Everybody.
    All,
}

#[derive(Clone)]
struct Shown {
    panels: Panels,
    hands: Hands,
}

/// The page that shows the board, and where it connects.
pub(crate) fn routes(panels: Panels, hands: Hands) -> Router {
    Router::new().route("/board", get(page)).route("/ws/panel", get(connect)).with_state(Shown { panels, hands })
}

async fn page(headers: HeaderMap) -> Response {
    document("wood.html", &headers)
}

async fn connect(State(shown): State<Shown>, Extension(door): Extension<Door>, upgrade: WebSocketUpgrade) -> Response {
    let may_touch = shown.hands == Hands::All || door.is_local();
    let Some(onlooker) = shown.panels.look(may_touch) else {
        let words = json!({ "error": "Too many windows show this board already." });
        return (StatusCode::SERVICE_UNAVAILABLE, Json(words)).into_response();
    };
    let upgrade = door.upgrade(upgrade).max_message_size(LONGEST).max_frame_size(LONGEST);
    upgrade.on_upgrade(move |socket| async move {
        let mut window = Window {
            socket,
            rate: door.messages(),
            door,
            onlooker,
            may_touch,
            told: None,
            excess: 0,
            _connected: metrics::connected(metrics::Tongue::Panel),
        };
        let goodbye = window.show().await;
        window.onlooker.go().await;
        if let Some(goodbye) = goodbye {
            part(window.socket, goodbye, None).await;
        }
    })
}

struct Window {
    socket: WebSocket,
    door: Door,
    onlooker: Onlooker,
    may_touch: bool,
    rate: MessageRate,
    /// What it was told last.
    told: Option<View>,
    /// How much more was said beyond the limit than within it.
    excess: u32,
    _connected: metrics::Connected,
}

impl Window {
    /// Shows the board until one of both has enough. There is nothing to say to who has gone already.
    async fn show(&mut self) -> Option<Goodbye> {
        let mut keepalive = Keepalive::default();
        let mut next_frame = Instant::now();
        loop {
            let changed = async {
                sleep_until(next_frame).await;
                self.onlooker.view.changed().await
            };
            tokio::select! {
                () = self.door.stopping().cancelled() => return Some(Goodbye::Restart),
                result = changed => {
                    if result.is_err() {
                        return Some(Goodbye::Restart);
                    }
                    let view = self.onlooker.view.borrow_and_update().clone();
                    for message in self.news(&view) {
                        if send(&mut self.socket, message).await.is_err() {
                            return Some(Goodbye::Slow);
                        }
                    }
                    self.told = Some(view);
                    next_frame = Instant::now() + FRAME;
                }
                message = self.socket.recv() => {
                    keepalive.heard();
                    match message {
                        Some(Ok(message)) => match self.hear(message).await {
                            Ok(None) => {}
                            Ok(Some(problem)) => {
                                let words = json!({ "type": "error", "message": problem });
                                if send(&mut self.socket, text(&words)).await.is_err() {
                                    return Some(Goodbye::Slow);
                                }
                            }
                            Err(goodbye) => return goodbye,
                        },
                        Some(Err(error)) => return reading_failed(&error),
                        None => return None,
                    }
                }
                beat = keepalive.beat() => match beat {
                    Beat::Ping => {
                        if send(&mut self.socket, Message::Ping(Bytes::new())).await.is_err() {
                            return Some(Goodbye::Slow);
                        }
                    }
                    Beat::Dead => return Some(Goodbye::Dead),
                },
            }
        }
    }

    /// Does what a window says, and returns what is wrong with it, if anything is; or why there is no more to say.
    async fn hear(&mut self, message: Message) -> Result<Option<String>, Option<Goodbye>> {
        let words = match message {
            Message::Text(words) => words,
            Message::Binary(_) => return Ok(Some("what a panel says here is text, as JSON".to_owned())),
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(None),
        };
        if let Err(wait) = self.rate.check() {
            self.excess += 1;
            return if self.excess > PATIENCE { Err(Some(Goodbye::Rate)) } else { Ok(Some(wait.to_string())) };
        }
        self.excess = self.excess.saturating_sub(1);
        if !self.may_touch {
            return Ok(Some("only somebody at the machine of this board may touch it".to_owned()));
        }
        Ok(match Touch::read(&words) {
            Ok(touch) => self.onlooker.touch(touch).await.err(),
            Err(problem) => Some(problem),
        })
    }

    /// What is new.
    fn news(&self, view: &View) -> Vec<Message> {
        let told = self.told.as_ref();
        let mut news = Vec::new();
        if told.is_none_or(|told| told.state != view.state) {
            news.push(text(&view.state_for(self.may_touch)));
        }
        if told.is_none_or(|told| told.wood != view.wood) {
            news.push(text(&view.wood_for(self.onlooker.owner)));
        }
        let mut add = |message: PanelMessage| {
            let mut buffer = [0; MAX_PANEL_MESSAGE];
            news.push(Message::Binary(message.write(&mut buffer).to_vec().into()));
        };
        if told.is_none_or(|told| told.raw != view.raw) {
            add(PanelMessage::Occupied(view.raw));
        }
        if told.is_none_or(|told| told.settled != view.settled) {
            add(PanelMessage::Settled(view.settled));
        }
        if told.is_none_or(|told| told.lights != view.lights) {
            add(PanelMessage::Lights(view.lights));
        }
        news
    }
}

fn text(words: &Value) -> Message {
    Message::Text(Utf8Bytes::from(words.to_string()))
}
