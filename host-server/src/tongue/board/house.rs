use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::link::{BoardId, Channel, MAX_FRAME};

use super::attendant::Attendant;
use super::door;
use crate::boards::{Answer, Index, Lobby, Order, Paired, Registry};
use crate::relay::Relay;
use crate::server::Door;

/// So many connections of one board may wait for the one that it has to be given up.
const CALLERS: usize = 4;

/// All boards that are connected to this relay.
#[derive(Clone, Debug)]
pub struct House {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    relay: Relay,
    registry: Registry,
    index: Index,
    lobby: Lobby,
    /// The way to the tasks that look after boards.
    attendants: Mutex<HashMap<BoardId, mpsc::Sender<Caller>>>,
    /// Something has changed in the registry.
    nudge: Notify,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// A connection through which a board has answered: what came is its hello, if it is the board.
pub(super) struct Caller {
    pub(super) channel: Channel,
    pub(super) hello: Vec<u8>,
    pub(super) socket: WebSocket,
    /// As long as it is there, the connection counts.
    pub(super) door: Option<Door>,
}

impl House {
    /// For the boards in the store of a relay.
    #[must_use]
    pub fn new(relay: Relay) -> Self {
        let shared = Shared {
            registry: Registry::new(relay.store().clone()),
            relay,
            index: Index::default(),
            lobby: Lobby::default(),
            attendants: Mutex::default(),
            nudge: Notify::new(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Where boards knock, and where others see who is there.
    pub fn routes(&self) -> Router {
        Router::new()
            .route("/ws/board", get(connect))
            .route("/boards", get(list))
            .route("/boards/{name}", get(show))
            .with_state(self.clone())
    }

    /// The boards that are paired.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.shared.registry
    }

    /// The relay.
    #[must_use]
    pub fn relay(&self) -> &Relay {
        &self.shared.relay
    }

    /// Answers what `tabiya boards` asks on the control socket. Nothing, if the question is about something else.
    pub async fn answer(&self, question: &Value) -> Option<Value> {
        let order: Order = serde_json::from_value(question.clone()).ok()?;
        let answer = self.obey(order).await;
        // Names and numbers can always be written.
        serde_json::to_value(answer).ok()
    }

    pub(super) async fn obey(&self, order: Order) -> Answer {
        let answer = self.shared.registry.obey(order, Some(&self.shared.relay)).await;
        self.shared.index.look_again().await;
        self.shared.nudge.notify_waiters();
        answer
    }

    /// Takes leave of all boards, and waits until they have been told.
    pub async fn stop(&self) {
        self.shared.stop.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }

    pub(super) fn stopping(&self) -> &CancellationToken {
        &self.shared.stop
    }

    pub(super) fn index(&self) -> &Index {
        &self.shared.index
    }

    pub(super) fn nudge(&self) -> &Notify {
        &self.shared.nudge
    }

    /// Hands a connection to the task that looks after the board; there is one from now on.
    pub(super) async fn hand_over(&self, board: Paired, mut caller: Caller) {
        let id = board.id();
        while !self.shared.stop.is_cancelled() {
            let attendant = self.attendant(&board);
            match attendant.send(caller).await {
                Ok(()) => return,
                // The task had just ended; there will be another one.
                Err(mpsc::error::SendError(back)) => {
                    caller = back;
                    self.forget(id, &attendant);
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }

    fn attendant(&self, board: &Paired) -> mpsc::Sender<Caller> {
        let mut attendants = self.attendants();
        if let Some(attendant) = attendants.get(&board.id()).filter(|attendant| !attendant.is_closed()) {
            return attendant.clone();
        }
        let (callers, mailbox) = mpsc::channel(CALLERS);
        attendants.insert(board.id(), callers.clone());
        let (house, board, way) = (self.clone(), board.clone(), callers.clone().downgrade());
        self.shared.tasks.spawn(async move {
            let id = board.id();
            // It is big, and there may be many.
            Box::pin(Attendant::serve(house.clone(), board, mailbox)).await;
            if let Some(way) = way.upgrade() {
                house.forget(id, &way);
            }
        });
        callers
    }

    fn forget(&self, id: BoardId, attendant: &mpsc::Sender<Caller>) {
        let mut attendants = self.attendants();
        if attendants.get(&id).is_some_and(|known| known.same_channel(attendant)) {
            attendants.remove(&id);
        }
    }

    fn attendants(&self) -> MutexGuard<'_, HashMap<BoardId, mpsc::Sender<Caller>>> {
        // Nothing is ever half-done in it.
        self.shared.attendants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn connect(State(house): State<House>, door: Option<Extension<Door>>, upgrade: WebSocketUpgrade) -> Response {
    let door = door.map(|Extension(door)| door);
    let upgrade = match &door {
        Some(door) => door.upgrade(upgrade),
        None => upgrade,
    };
    // No frame of the link is longer.
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    upgrade.on_upgrade(move |socket| door::answer(house, socket, door))
}

async fn list(State(house): State<House>) -> Response {
    match house.shared.lobby.waiting(&house.shared.registry, &house.shared.relay).await {
        Ok(waiting) => Json(json!({ "boards": waiting })).into_response(),
        Err(error) => unavailable(&error),
    }
}

async fn show(State(house): State<House>, Path(name): Path<String>) -> Response {
    match house.shared.lobby.waiting(&house.shared.registry, &house.shared.relay).await {
        Ok(waiting) => match waiting.into_iter().find(|board| board.name.as_str() == name) {
            Some(board) => Json(board).into_response(),
            // Whether there is one of that name that is away or busy is nobody's business.
            None => (StatusCode::NOT_FOUND, Json(json!({ "error": "No board of that name waits for somebody." })))
                .into_response(),
        },
        Err(error) => unavailable(&error),
    }
}

fn unavailable(error: &crate::store::StoreError) -> Response {
    tracing::warn!(%error, "the boards cannot be listed");
    (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": "The boards cannot be listed now." }))).into_response()
}
