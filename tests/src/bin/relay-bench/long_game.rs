//! The longest game of chess that the limits allow: how long it takes to open it, and whether another player notices.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use host_server::room::RoomId;
use host_server::store::embedded::Embedded;
use host_server::store::{Created, Store};
use serde_json::json;
use tests::json_client::JsonClient;
use tests::long_log::longest_log;
use tests::relay::{RelayProcess, StoreLocation, get};
use tests::temp_dir::TempDir;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// Requests at the same time while another player sends pings.
const REQUESTS: usize = 8;

/// How often each way of opening is measured.
const ROUNDS: usize = 5;

/// How long finished games are kept.
const KEEP: Duration = Duration::from_hours(1);

/// The figures, in milliseconds.
#[derive(Default)]
pub(crate) struct LongGame {
    /// Entries of the log.
    pub(crate) entries: usize,
    /// Ways to open the game, with the median time of each.
    pub(crate) opens: Vec<(&'static str, f64)>,
    /// The worst ping of another player without and with requests for the game.
    pub(crate) ping_alone: f64,
    pub(crate) ping_meanwhile: f64,
}

impl LongGame {
    /// The slowest way to open the game.
    pub(crate) fn slowest(&self) -> f64 {
        self.opens.iter().map(|(_, ms)| *ms).fold(f64::NAN, f64::max)
    }
}

pub(crate) fn measure() -> Result<LongGame> {
    let folder = TempDir::new()?;
    let runtime = Runtime::new()?;
    // An open room is loaded and replayed by every request; a closed one is cached.
    let rooms = [("open", false), ("closed", true)];
    let entries = runtime.block_on(async {
        let store = Embedded::open(folder.path().join("tabiya.redb"), KEEP)?;
        let mut entries = 0;
        for (number, (code, is_closed)) in (1..).zip(rooms) {
            let code = code.parse().ok().context("a code")?;
            let log = longest_log(RoomId(number), &code, is_closed);
            entries = log.len();
            ensure!(store.create(RoomId(number), &code, &log).await? == Created::Done);
        }
        Ok(entries)
    })?;
    let relay = RelayProcess::start(StoreLocation::Folder(folder.path().to_owned()), &["--grace=86400"])?;
    let relay = relay.context("there is no tabiya to start")?;
    let address = relay.address();
    runtime.block_on(async {
        let mut opens = Vec::new();
        for (what, path) in [
            ("PGN of the open game", "/games/open.pgn"),
            ("JSON of the open game", "/games/open.json"),
            ("PGN of the closed game", "/games/closed.pgn"),
        ] {
            opens.push((what, median(ROUNDS, async || download(address, path).await).await?));
        }
        opens.push(("watching it", median(ROUNDS, async || watch(address).await).await?));
        let ping_alone = worst_ping(address, async || {
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok(())
        });
        let ping_alone = ping_alone.await?;
        let ping_meanwhile = worst_ping(address, async || {
            let mut requests = JoinSet::new();
            for number in 0..REQUESTS {
                requests.spawn(async move {
                    if number % 4 == 3 { watch(address).await } else { download(address, "/games/open.pgn").await }
                });
            }
            while let Some(done) = requests.join_next().await {
                done??;
            }
            Ok(())
        });
        Ok(LongGame { entries, opens, ping_alone, ping_meanwhile: ping_meanwhile.await? })
    })
}

async fn download(relay: SocketAddr, path: &str) -> Result<()> {
    let answer = get(relay, path).await?;
    ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.text());
    Ok(())
}

/// Enters as a spectator, until the state with all moves has arrived.
async fn watch(relay: SocketAddr) -> Result<()> {
    let mut client = JsonClient::connect(relay, "/ws/api/sam/open/?extras=1&watch=1").await?;
    let state = client.receive_type("game_state").await?;
    ensure!(state["moves"].as_array().is_some_and(|moves| moves.len() > 10_000), "moves are missing");
    client.close().await;
    Ok(())
}

/// The median time of some work, in milliseconds.
async fn median(rounds: usize, work: impl AsyncFn() -> Result<()>) -> Result<f64> {
    let mut took = Vec::new();
    for _ in 0..rounds {
        let begin = Instant::now();
        work().await?;
        took.push(begin.elapsed().as_secs_f64() * 1_000.0);
    }
    took.sort_unstable_by(f64::total_cmp);
    Ok(took[took.len() / 2])
}

/// The worst ping of a player in another room while some work is done, in milliseconds.
async fn worst_ping(relay: SocketAddr, work: impl AsyncFnOnce() -> Result<()>) -> Result<f64> {
    let mut player = JsonClient::connect(relay, "/ws/api/anna/bystander/?extras=1").await?;
    player.receive_type("game_state").await?;
    let mut worst: f64 = 0.0;
    let pinging = async {
        loop {
            let begin = Instant::now();
            player.send_json(&json!({"type": "ping"})).await?;
            player.receive_type("pong").await?;
            worst = worst.max(begin.elapsed().as_secs_f64() * 1_000.0);
        }
        #[expect(unreachable_code, reason = "it gives the block its type")]
        anyhow::Ok(())
    };
    tokio::select! {
        pinged = pinging => pinged?,
        worked = work() => worked?,
    }
    player.close().await;
    Ok(worst)
}
