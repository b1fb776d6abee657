use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use axum::{Extension, Router};
use parking_lot::{Mutex, MutexGuard};
use rules::Verdict;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::link::{BoardId, Channel, MAX_FRAME};

use super::connection::BoardConnection;
use super::handshake;
use crate::boards::{
    BoardConsole, BoardError, BoardFeed, BoardsAnswer, BoardsRequest, ChallengePolicy, ConsoleEndpoint, Consoles,
    Index, ListedGame, Lobby, Paired, Registry,
};
use crate::dialect::json_error::JsonError;
use crate::relay::Relay;
use crate::room::{Name, Room};
use crate::server::{ClientAddress, ClientContext};
use crate::store::StoreError;

/// Capacity of the queue of new connections of one board.
const CALLERS: usize = 4;

/// Addresses of boards that are remembered for the log.
const MAX_ADDRESSES: usize = 1_000;

/// All boards that are connected to this relay.
#[derive(Clone, Debug)]
pub struct BoardServer {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    relay: Relay,
    registry: Registry,
    index: Index,
    lobby: Lobby,
    feed: BoardFeed,
    consoles: Consoles,
    /// The mailboxes of the tasks of connected boards.
    connections: Mutex<HashMap<BoardId, mpsc::Sender<Caller>>>,
    /// The board that was connected last from each address, to name it in the log if its key is refused later.
    last_seen: Mutex<HashMap<ClientAddress, Name>>,
    /// Wakes all connections after a change of the registry.
    registry_changed: Notify,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// A new connection of a board, with the first encrypted frame, which the session verifies.
pub(super) struct Caller {
    pub(super) channel: Channel,
    pub(super) hello: Vec<u8>,
    pub(super) socket: WebSocket,
    /// Keeps the connection counted.
    pub(super) client: Option<ClientContext>,
}

impl BoardServer {
    /// A server for the boards in the store of a relay.
    #[must_use]
    pub fn new(relay: Relay) -> Self {
        let shared = Shared {
            registry: Registry::new(relay.store().clone()),
            relay,
            index: Index::default(),
            lobby: Lobby::default(),
            feed: BoardFeed::default(),
            consoles: Consoles::default(),
            connections: Mutex::default(),
            last_seen: Mutex::default(),
            registry_changed: Notify::new(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Drops the cached list of free boards.
    #[cfg(test)]
    pub(super) async fn expire_lobby(&self) {
        self.shared.lobby.expire().await;
    }

    /// The WebSocket of boards, and the HTTP list of free boards.
    pub fn routes(&self) -> Router {
        Router::new()
            .route("/ws/board", get(connect))
            .route("/boards", get(list))
            .route("/boards/{name}", get(show))
            .route("/boards/{name}/games", get(games))
            .route("/boards/{name}/challenge", get(challenge))
            .with_state(self.clone())
    }

    /// The registry of paired boards.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.shared.registry
    }

    /// The current state of the connected boards.
    #[must_use]
    pub fn feed(&self) -> &BoardFeed {
        &self.shared.feed
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub fn relay(&self) -> &Relay {
        &self.shared.relay
    }

    /// Answers a request of `tabiya boards` on the control socket. `None` for other requests. The port is that for boards, if they can connect.
    pub async fn answer(&self, question: &Value, board_port: Option<u16>) -> Option<Value> {
        let request: BoardsRequest = serde_json::from_value(question.clone()).ok()?;
        let mut answer = self.execute(request).await;
        if let BoardsAnswer::Added { port, .. } = &mut answer {
            *port = board_port;
        }
        // Serialisation of names and numbers cannot fail.
        serde_json::to_value(answer).ok()
    }

    pub(super) async fn execute(&self, request: BoardsRequest) -> BoardsAnswer {
        let answer = self.shared.registry.execute(request, Some(&self.shared.relay)).await;
        self.announce_change().await;
        answer
    }

    /// Pairs a board, as `tabiya boards add` does.
    pub(crate) async fn add(&self, name: &str) -> Result<Paired, BoardError> {
        let board = self.shared.registry.add(name).await?;
        self.announce_change().await;
        Ok(board)
    }

    /// Removes a board whose key has reached no one. A failure is logged.
    pub(crate) async fn forget_board(&self, name: &str) {
        if let Err(error) = self.shared.registry.remove(name).await {
            tracing::warn!(board = name, %error, "removing a board that was not paired failed, remove it with `tabiya boards remove`");
        }
        self.announce_change().await;
    }

    /// Gives a board another name.
    pub(crate) async fn rename(&self, name: &str, new: &str) -> Result<Name, BoardError> {
        let new = self.shared.registry.rename(name, new).await?;
        self.announce_change().await;
        Ok(new)
    }

    /// Sets who may challenge a board.
    pub(crate) async fn set_challenges(&self, name: &str, challenges: ChallengePolicy) -> Result<(), BoardError> {
        self.shared.registry.set_challenges(name, challenges).await?;
        self.announce_change().await;
        Ok(())
    }

    /// The console of a board, if it is connected to this relay.
    pub(crate) fn console(&self, board: &Paired) -> Option<BoardConsole> {
        board.ids().find_map(|id| self.shared.consoles.get(id))
    }

    pub(super) fn open_console(&self, id: BoardId, software: String) -> ConsoleEndpoint {
        self.shared.consoles.open(id, software)
    }

    async fn announce_change(&self) {
        self.shared.index.look_again().await;
        self.shared.registry_changed.notify_waiters();
    }

    /// Closes all sessions and waits for their tasks.
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

    pub(super) fn registry_changed(&self) -> &Notify {
        &self.shared.registry_changed
    }

    /// Remembers from which address a board has connected. The number of addresses is bounded.
    pub(super) fn note_address(&self, board: &Paired, client: Option<&ClientContext>) {
        let Some(client) = client else { return };
        let mut last_seen = self.shared.last_seen.lock();
        if last_seen.len() >= MAX_ADDRESSES {
            last_seen.clear();
        }
        last_seen.insert(client.address(), board.name.clone());
    }

    /// The name of the board that was connected last from this address.
    pub(super) fn last_board_at(&self, address: ClientAddress) -> Option<Name> {
        self.shared.last_seen.lock().get(&address).cloned()
    }

    /// Passes a connection to the task of the board. The task is started if there is none.
    pub(super) async fn hand_over(&self, board: Paired, mut caller: Caller) {
        let id = board.id();
        while !self.shared.stop.is_cancelled() {
            let connection = self.connection(&board);
            match connection.send(caller).await {
                Ok(()) => return,
                // The task has just ended: the next iteration starts another one.
                Err(mpsc::error::SendError(back)) => {
                    caller = back;
                    self.forget(id, &connection);
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }

    fn connection(&self, board: &Paired) -> mpsc::Sender<Caller> {
        let mut connections = self.connections();
        if let Some(connection) = connections.get(&board.id()).filter(|connection| !connection.is_closed()) {
            return connection.clone();
        }
        let (callers, mailbox) = mpsc::channel(CALLERS);
        connections.insert(board.id(), callers.clone());
        let (server, board, way) = (self.clone(), board.clone(), callers.clone().downgrade());
        self.shared.tasks.spawn(async move {
            let id = board.id();
            // Boxed because the future is big.
            Box::pin(BoardConnection::serve(server.clone(), board, mailbox)).await;
            if let Some(way) = way.upgrade() {
                server.forget(id, &way);
            }
        });
        callers
    }

    fn forget(&self, id: BoardId, connection: &mpsc::Sender<Caller>) {
        let mut connections = self.connections();
        if connections.get(&id).is_some_and(|known| known.same_channel(connection)) {
            connections.remove(&id);
        }
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<BoardId, mpsc::Sender<Caller>>> {
        // Nothing is ever half-done in it.
        self.shared.connections.lock()
    }
}

async fn connect(
    State(server): State<BoardServer>,
    client: Option<Extension<ClientContext>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let client = client.map(|Extension(client)| client);
    let upgrade = match &client {
        Some(client) => client.upgrade(upgrade),
        None => upgrade,
    };
    // The maximum length of a frame of the link.
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    upgrade.on_upgrade(move |socket| handshake::answer(server, socket, client))
}

/// The free boards; with `?all` all that everyone may challenge.
async fn list(State(server): State<BoardServer>, RawQuery(query): RawQuery) -> Response {
    match server.shared.lobby.boards(&server.shared.registry, &server.shared.relay).await {
        Ok(boards) if query.as_deref() == Some("all") => Json(json!({ "boards": boards.all })).into_response(),
        Ok(boards) => Json(json!({ "boards": boards.waiting })).into_response(),
        Err(error) => unavailable(&error),
    }
}

async fn show(State(server): State<BoardServer>, Path(name): Path<String>) -> Response {
    match server.shared.lobby.boards(&server.shared.registry, &server.shared.relay).await {
        Ok(boards) => match boards.waiting.into_iter().find(|board| board.name.as_str() == name) {
            Some(board) => Json(board).into_response(),
            // The same answer for unknown, offline and busy boards, so that names cannot be probed.
            None => (StatusCode::NOT_FOUND, Json(json!({ "error": "No free board has that name." }))).into_response(),
        },
        Err(error) => unavailable(&error),
    }
}

/// The games of a board, which is addressed by its code: clients that know only the name do not see them.
async fn games(
    State(server): State<BoardServer>,
    client: Option<Extension<ClientContext>>,
    Path(code): Path<String>,
) -> Response {
    let unknown = || (StatusCode::NOT_FOUND, Json(json!({ "error": "No board has that code." }))).into_response();
    let Ok(code) = code.parse() else { return unknown() };
    let registry = &server.shared.registry;
    let found = async {
        match registry.with_code(&code).await? {
            Some(board) => {
                let mut games = registry.games(&code).await?;
                // The list is stored at the begin and the end of a game. Only the newest one can go on meanwhile.
                if let Some(newest) = games.first_mut().filter(|game| game.verdict.is_none())
                    && let Some(plies) = server.plies_of(newest, client.as_ref()).await?
                {
                    newest.plies = plies;
                }
                Ok(Some((board.name, games)))
            }
            None => Ok(None),
        }
    };
    match found.await {
        Ok(Some((name, games))) => {
            let games: Vec<Value> = games.iter().map(listed).collect();
            let headers = [(CACHE_CONTROL, "no-store")];
            (headers, Json(json!({ "board": name, "games": games }))).into_response()
        }
        Ok(None) => match client.map(|Extension(client)| client.try_code()) {
            // A code must not be found by trying.
            Some(Err(wait)) => JsonError::from(wait).into_response(),
            _ => unknown(),
        },
        Err(error) => unavailable(&error),
    }
}

impl BoardServer {
    /// How many plies a game that is played has by now. `None` if the client has to pay too much for it, or the room plays another one.
    async fn plies_of(
        &self,
        game: &ListedGame,
        client: Option<&Extension<ClientContext>>,
    ) -> Result<Option<usize>, StoreError> {
        let relay = &self.shared.relay;
        let plies = |room: &Room, number| (room.games() == number).then(|| room.game().len());
        if let Some(room) = relay.copy(game.room).await {
            return Ok(plies(&room, game.game));
        }
        if let Some(Extension(client)) = client
            && client.try_replay(relay.replay_cost(game.room).await?).is_err()
        {
            return Ok(None);
        }
        let number = game.game;
        let replayed =
            relay.replay_log(game.room, move |log| Room::from_log(&log).and_then(|room| plies(&room, number)));
        Ok(replayed.await?.flatten())
    }
}

/// State of a challenge, for the challenger, who knows the code of the room.
async fn challenge(State(server): State<BoardServer>, Path(name): Path<String>, uri: Uri) -> Response {
    let unknown = || (StatusCode::NOT_FOUND, Json(json!({ "error": "There is no such challenge." }))).into_response();
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(&uri).map(|pairs| pairs.0).unwrap_or_default();
    let code = pairs.into_iter().find(|(key, _)| key == "code").and_then(|(_, code)| code.parse().ok());
    let Some(code) = code else { return unknown() };
    match server.shared.registry.challenge_status(&name, &code).await {
        Ok(Some(status)) => ([(CACHE_CONTROL, "no-store")], Json(json!({ "answer": status }))).into_response(),
        Ok(None) => unknown(),
        Err(error) => unavailable(&error),
    }
}

/// A game in the list of a board. One that is played has no ending.
fn listed(game: &ListedGame) -> Value {
    let mut listed = serde_json::to_value(game).unwrap_or_default();
    listed["result"] = game.verdict.map_or("*", Verdict::result).into();
    listed
}

fn unavailable(error: &StoreError) -> Response {
    tracing::warn!(%error, "listing boards failed");
    (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": "The list of boards is not available." }))).into_response()
}
