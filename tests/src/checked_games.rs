//! Games whose clients check every message with an independent rules engine (cozy-chess), reconnect whenever a connection
//! breaks, and send again what was not acknowledged. At the end all records of the game are compared with what they saw.
//!
//! - `client.rs`: one client; `audit.rs`: the comparison with the records and with the streams in Redis.

mod audit;
mod client;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use cozy_chess::Color;
use tokio::task::JoinSet;
use tokio::time::sleep;

pub use audit::{AuditedGame, compare_streams};
use client::CheckedClient;

/// Timeout of every wait. It ends a test that hangs. The lease of a dead relay expires within it on a busy machine, too.
pub const TIMEOUT: Duration = Duration::from_secs(90);

const POLL: Duration = Duration::from_millis(20);

/// How clients play.
#[derive(Clone, Copy, Debug)]
pub struct PlayStyle {
    /// Time that a player thinks before a move.
    pub think: Duration,
    /// Seconds and increment, such as `600+5`; `None` to play without clocks.
    pub clock: Option<&'static str>,
    /// Whether players make moves that end the game.
    pub ends: bool,
    /// How many of a thousand moves are sent twice in a row.
    pub doubled_per_thousand: u64,
    /// Seed of the moves.
    pub seed: u64,
}

/// A game with two players and a spectator.
pub struct CheckedGame {
    code: String,
    /// White, Black and the spectator.
    clients: [Arc<CheckedClient>; 3],
    playing: Arc<AtomicBool>,
    began: Instant,
    _tasks: JoinSet<()>,
}

/// What the clients of a game have counted.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ClientCounts {
    pub joins: u32,
    pub store_errors: u32,
    pub resent: u32,
    /// From sending a move to seeing it, in milliseconds.
    pub latencies_ms: Vec<u32>,
}

impl CheckedGame {
    /// Starts a game. Each client connects to the addresses of its route in turn. `None` if a player got no seat, because an
    /// answer with its token was lost.
    pub async fn start(code: &str, routes: [Vec<SocketAddr>; 3], style: PlayStyle) -> Result<Option<Self>> {
        let playing = Arc::new(AtomicBool::new(true));
        let mut tasks = JoinSet::new();
        let mut clients = Vec::new();
        for (color, route) in [Some(Color::White), Some(Color::Black), None].into_iter().zip(routes) {
            let client = CheckedClient::new(code, color, route, style, &playing);
            tasks.spawn(client.clone().run());
            let has_joined = || {
                let observations = client.observations();
                Ok(observations.joins > 0 || observations.is_unseated)
            };
            wait_until("the client joins", has_joined).await?;
            if client.observations().is_unseated {
                return Ok(None);
            }
            clients.push(client);
        }
        let clients = clients.try_into().ok().context("a game has three clients")?;
        Ok(Some(Self { code: code.to_owned(), clients, playing, began: Instant::now(), _tasks: tasks }))
    }

    /// Number of moves that every client has received.
    #[must_use]
    pub fn shortest(&self) -> usize {
        self.lengths().min().unwrap_or(0)
    }

    fn longest(&self) -> usize {
        self.lengths().max().unwrap_or(0)
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        self.clients.iter().map(|client| client.observations().moves.len())
    }

    /// Whether every client knows that the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.clients.iter().all(|client| client.observations().is_over)
    }

    /// Fails if a client has received something that contradicts the rules, or what it received before.
    pub fn check(&self) -> Result<()> {
        let violations: Vec<String> =
            self.clients.iter().flat_map(|client| client.observations().violations.clone()).collect();
        ensure!(violations.is_empty(), "{}", violations.join("\n"));
        Ok(())
    }

    /// The players make no more moves.
    pub fn stop(&self) {
        self.playing.store(false, Ordering::Relaxed);
    }

    /// What the clients have counted.
    #[must_use]
    pub fn counts(&self) -> ClientCounts {
        let mut counts = ClientCounts::default();
        for client in &self.clients {
            let observations = client.observations();
            counts.joins += observations.joins;
            counts.store_errors += observations.store_errors;
            counts.resent += observations.resent;
            counts.latencies_ms.extend(&observations.latencies_ms);
        }
        counts
    }

    /// The moves of each client, for errors.
    #[must_use]
    pub fn summary(&self) -> String {
        let known = self.clients.each_ref().map(|client| client.observations().moves.len());
        format!("{}: {known:?} moves", self.code)
    }
}

/// Games in parallel.
pub struct CheckedGames {
    games: Vec<CheckedGame>,
}

impl CheckedGames {
    /// Starts games. With several relays, the players of a game are connected to different ones.
    pub async fn start(relays: &[SocketAddr], count: usize) -> Result<Self> {
        let mut games = Vec::new();
        for number in 0..count {
            let think = Duration::from_millis(15 + number as u64 % 7);
            let style = PlayStyle { think, clock: None, ends: false, doubled_per_thousand: 0, seed: 17 };
            let route = |place: usize| -> Vec<SocketAddr> {
                relays.iter().cycle().skip(number + place).take(relays.len()).copied().collect()
            };
            let game = CheckedGame::start(&format!("table_{number}"), [0, 1, 2].map(route), style).await?;
            games.push(game.context("a player got no seat")?);
        }
        Ok(Self { games })
    }

    /// Waits until all clients of each game have received this many further moves.
    pub async fn play_on(&self, moves: usize) -> Result<()> {
        let goals: Vec<usize> = self.games.iter().map(|game| game.longest() + moves).collect();
        let went_on = wait_until("all games go on", || {
            self.check()?;
            Ok(self.games.iter().zip(&goals).all(|(game, goal)| game.is_over() || game.shortest() >= *goal))
        });
        went_on.await.with_context(|| self.summary())
    }

    /// Number of times that clients were told that the store is unavailable.
    #[must_use]
    pub fn store_errors(&self) -> u32 {
        self.games.iter().map(|game| game.counts().store_errors).sum()
    }

    /// Number of connections that clients opened.
    #[must_use]
    pub fn joins(&self) -> u32 {
        self.games.iter().map(|game| game.counts().joins).sum()
    }

    /// Waits until clients were told this many times that the store is unavailable.
    pub async fn wait_for_store_errors(&self, count: u32) -> Result<()> {
        wait_until("clients are told that the store is unavailable", || Ok(self.store_errors() >= count)).await
    }

    fn check(&self) -> Result<()> {
        self.games.iter().try_for_each(CheckedGame::check)
    }

    fn summary(&self) -> String {
        self.games.iter().map(CheckedGame::summary).collect::<Vec<_>>().join("\n")
    }

    /// Stops the games, and compares the observations of all clients with each other and with the relay's records.
    pub async fn finish(&self, relay: SocketAddr) -> Result<Vec<AuditedGame>> {
        self.games.iter().for_each(CheckedGame::stop);
        let mut games = Vec::new();
        for game in &self.games {
            games.push(game.audit(&[relay]).await.with_context(|| self.summary())?);
        }
        self.check()?;
        Ok(games)
    }
}

/// Waits for a condition.
pub async fn wait_until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    while !is_so()? {
        ensure!(Instant::now() < deadline, "waiting timed out: {what}");
        sleep(POLL).await;
    }
    Ok(())
}
