//! Somebody who plays through a relay with JSON, and waits for answers.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::relay::{Heard, Line};

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often a relay is tried that is not there.
const POLL: Duration = Duration::from_millis(20);

/// A player at a relay.
pub struct Guest {
    runtime: Runtime,
    line: Line,
    relay: SocketAddr,
    path: String,
    token: String,
    /// When something last came.
    heard_at: Instant,
}

impl Guest {
    /// Comes to the room with this code, with these words in the query.
    pub fn come(relay: SocketAddr, name: &str, code: &str, query: &str) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let path = format!("/ws/api/{name}/{code}/?extras=1");
        let line = runtime.block_on(Line::connect(relay, &format!("{path}&{query}")))?;
        let mut guest = Self { runtime, line, relay, path, token: String::new(), heard_at: Instant::now() };
        let init = guest.hear_kind("init")?;
        init["token"].as_str().with_context(|| format!("{name} has no seat: {init}"))?.clone_into(&mut guest.token);
        Ok(guest)
    }

    /// Comes back to the same seat, as soon as the relay is there.
    pub fn come_back(&mut self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let path = format!("{}&token={}", self.path, self.token);
        loop {
            match self.runtime.block_on(Line::connect(self.relay, &path)) {
                Ok(line) => self.line = line,
                Err(_) if Instant::now() < deadline => {
                    thread::sleep(POLL);
                    continue;
                }
                Err(error) => return Err(error.context("the relay does not come back")),
            }
            self.hear_kind("init")?;
            return Ok(());
        }
    }

    /// Says something.
    pub fn say(&mut self, message: &Value) -> Result<()> {
        self.runtime.block_on(self.line.say(message))
    }

    /// Makes a move, if so many were made before it.
    pub fn play(&mut self, mv: &str, ply: usize) -> Result<()> {
        self.runtime.block_on(self.line.play(mv, ply))
    }

    /// Agrees that boards show where pieces can go.
    pub fn agree_to_hints(&mut self) -> Result<()> {
        self.say(&json!({"type": "hints", "on": true}))
    }

    /// The next message that is of this kind, whatever comes before it; but nothing may be refused.
    pub fn hear_kind(&mut self, kind: &str) -> Result<Value> {
        self.hear(kind, |message| message["type"] == kind)
    }

    /// The next message that is like this.
    pub fn hear(&mut self, what: &str, mut is_it: impl FnMut(&Value) -> bool) -> Result<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.runtime.block_on(self.line.hear_within(left)) {
                None => bail!("{what} is never heard"),
                Some(Heard::End(code)) => bail!("the relay hangs up with {code:?} before {what}"),
                Some(Heard::Message(message)) => {
                    self.heard_at = Instant::now();
                    ensure!(message["type"] != "error", "waiting for {what}: {message}");
                    if is_it(&message) {
                        return Ok(message);
                    }
                }
            }
        }
    }

    /// Waits until so many moves were made, and returns the state of then.
    pub fn hear_ply(&mut self, ply: usize) -> Result<Value> {
        let is_it = |message: &Value| message["type"] == "game_state" && message["ply"] == ply;
        self.hear(&format!("the state after {ply} plies"), is_it)
    }

    /// Whether so many moves come to have been made in so long.
    pub fn hears_ply(&mut self, ply: usize, time: Duration) -> Result<bool> {
        self.hears(time, |message| message["type"] == "game_state" && message["ply"] == ply)
    }

    /// Does nothing for so long but to stay: a relay lets go of those who do not answer when it asks whether they are there.
    pub fn linger(&mut self, time: Duration) -> Result<()> {
        self.hears(time, |_| false).map(drop)
    }

    /// Whether a message like this comes in so long.
    fn hears(&mut self, time: Duration, is_it: impl Fn(&Value) -> bool) -> Result<bool> {
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.runtime.block_on(self.line.hear_within(left)) {
                None => return Ok(false),
                Some(Heard::End(code)) => bail!("the relay hangs up with {code:?}"),
                Some(Heard::Message(message)) if is_it(&message) => {
                    self.heard_at = Instant::now();
                    return Ok(true);
                }
                Some(Heard::Message(_)) => {}
            }
        }
    }

    /// When the last message came.
    #[must_use]
    pub const fn heard_at(&self) -> Instant {
        self.heard_at
    }
}
