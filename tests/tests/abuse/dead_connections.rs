//! Connections whose peer has stopped without closing them.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;
use tests::json_client::JsonClient;
use tests::proxy::{NetworkFaults, Proxy};
use tests::temp_dir::TempDir;
use tokio::time::sleep;

use crate::two_players::TwoPlayers;

/// Timeout of every wait. It is longer than the relay keeps a dead connection.
const TIMEOUT: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
async fn drops_dead_connections() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = TwoPlayers::sit(relay.address(), "hall").await?;
    let proxy = Proxy::start(relay.address()).await?;
    let mut lines = Vec::new();
    for number in 0..5 {
        lines.push(JsonClient::connect(proxy.address(), &format!("/ws/api/watcher{number}/hall/?watch=1")).await?);
    }
    // One client answers pings, and sends nothing else.
    let mut quiet = JsonClient::connect(relay.address(), "/ws/api/quiet/hall/?watch=1").await?;
    proxy.set(NetworkFaults::HELD);
    let begin = Instant::now();
    while relay.figure("tabiya_drops_total", "dead").await? < 5.0 {
        ensure!(begin.elapsed() < TIMEOUT, "dead connections are still open:\n{}", relay.log().join("\n"));
        // Answers pings.
        while quiet.receive_within(Duration::from_millis(200)).await.is_some() {}
        pair.play(1).await?;
        sleep(Duration::from_millis(500)).await;
    }
    quiet.send_json(&json!({"type": "ping"})).await?;
    quiet.receive_type("pong").await?;
    let connected = relay.figure("tabiya_connections", "chessata").await?;
    ensure!(connected < 3.5, "{connected} are connected");
    pair.check().await?;
    relay.check()
}
