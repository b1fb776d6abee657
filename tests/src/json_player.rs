//! A player at a relay with a blocking interface, on top of [`JsonClient`].

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::json_client::{JsonClient, Received, UpgradeRefused};

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Pause between attempts to reconnect.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// A player with a seat in a room.
pub struct JsonPlayer {
    runtime: Runtime,
    client: JsonClient,
    relay: SocketAddr,
    path: String,
    token: String,
    received_at: Instant,
}

/// Connects, and retries while the relay answers that the board is not connected.
async fn join(relay: SocketAddr, path: &str) -> Result<JsonClient> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match JsonClient::connect(relay, path).await {
            Err(error) if is_unavailable(&error) && Instant::now() < deadline => tokio::time::sleep(RETRY_DELAY).await,
            result => return result,
        }
    }
}

fn is_unavailable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<UpgradeRefused>().is_some_and(|refused| refused.status == 503)
}

impl JsonPlayer {
    /// Joins the room with this code, as soon as its board is connected if the code is that of a board. `query` is appended to
    /// the query string, such as `color=black`.
    pub fn join(relay: SocketAddr, name: &str, code: &str, query: &str) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let path = format!("/ws/api/{name}/{code}/?extras=1");
        let client = runtime.block_on(join(relay, &format!("{path}&{query}")))?;
        let mut player = Self { runtime, client, relay, path, token: String::new(), received_at: Instant::now() };
        let init = player.receive_type("init")?;
        init["token"].as_str().with_context(|| format!("{name} has no seat: {init}"))?.clone_into(&mut player.token);
        Ok(player)
    }

    /// Reconnects to the same seat as soon as the relay accepts connections.
    pub fn rejoin(&mut self) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.runtime.block_on(JsonClient::connect_with_token(self.relay, &self.path, &self.token)) {
                Ok(client) => self.client = client,
                Err(_) if Instant::now() < deadline => {
                    thread::sleep(RETRY_DELAY);
                    continue;
                }
                Err(error) => return Err(error.context("the relay does not accept connections again")),
            }
            self.receive_type("init")?;
            return Ok(());
        }
    }

    /// Sends a JSON message.
    pub fn send(&mut self, message: &Value) -> Result<()> {
        self.runtime.block_on(self.client.send_json(message))
    }

    /// Sends a move in UCI notation. The relay rejects it unless the game has `ply` plies.
    pub fn play(&mut self, mv: &str, ply: usize) -> Result<()> {
        self.runtime.block_on(self.client.play(mv, ply))
    }

    /// Agrees to hints.
    pub fn agree_to_hints(&mut self) -> Result<()> {
        self.send(&json!({"type": "hints", "on": true}))
    }

    /// The next message of this type; others before it are skipped, except errors.
    pub fn receive_type(&mut self, kind: &str) -> Result<Value> {
        self.receive(kind, |message| message["type"] == kind)
    }

    /// The next message that matches; others before it are skipped, except errors.
    pub fn receive(&mut self, what: &str, mut matches: impl FnMut(&Value) -> bool) -> Result<Value> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.runtime.block_on(self.client.receive_within(left)) {
                None => bail!("waiting for {what} timed out"),
                Some(Received::Closed(code)) => bail!("the relay closed the connection with {code:?} before {what}"),
                Some(Received::Message(message)) => {
                    self.received_at = Instant::now();
                    ensure!(message["type"] != "error", "waiting for {what}: {message}");
                    if matches(&message) {
                        return Ok(message);
                    }
                }
            }
        }
    }

    /// Waits until the relay closes the connection; messages before that are skipped.
    pub fn wait_for_close(&mut self) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.runtime.block_on(self.client.receive_within(left)) {
                None => bail!("waiting for the end of the connection timed out"),
                Some(Received::Closed(_)) => return Ok(()),
                Some(Received::Message(_)) => {}
            }
        }
    }

    /// Waits until the game has this many plies, and returns that state.
    pub fn wait_for_ply(&mut self, ply: usize) -> Result<Value> {
        let matches = |message: &Value| message["type"] == "game_state" && message["ply"] == ply;
        self.receive(&format!("the state after {ply} plies"), matches)
    }

    /// Whether the game reaches this many plies within the given time.
    pub fn reaches_ply_within(&mut self, ply: usize, time: Duration) -> Result<bool> {
        self.receives_within(time, |message| message["type"] == "game_state" && message["ply"] == ply)
    }

    /// Answers pings for this long. A relay drops clients that do not answer its pings.
    pub fn stay_connected_for(&mut self, time: Duration) -> Result<()> {
        self.receives_within(time, |_| false).map(drop)
    }

    fn receives_within(&mut self, time: Duration, matches: impl Fn(&Value) -> bool) -> Result<bool> {
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.runtime.block_on(self.client.receive_within(left)) {
                None => return Ok(false),
                Some(Received::Closed(code)) => bail!("the relay closed the connection with {code:?}"),
                Some(Received::Message(message)) if matches(&message) => {
                    self.received_at = Instant::now();
                    return Ok(true);
                }
                Some(Received::Message(_)) => {}
            }
        }
    }

    /// When the last message came.
    #[must_use]
    pub const fn received_at(&self) -> Instant {
        self.received_at
    }
}
