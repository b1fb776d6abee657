//! Those who are not there any more, and do not say so.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;
use tests::proxy::{Proxy, Weather};
use tests::redis::Folder;
use tests::relay::Line;
use tokio::time::sleep;

use crate::pair::Pair;

/// Longer than a silent connection is kept, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
async fn a_cable_that_is_pulled_is_noticed() -> Result<()> {
    let folder = Folder::new()?;
    let Some(mut relay) = crate::relay(&folder, &[])? else { return Ok(()) };
    let mut pair = Pair::sit(relay.address(), "hall").await?;
    let proxy = Proxy::start(relay.address()).await?;
    let mut lines = Vec::new();
    for number in 0..5 {
        lines.push(Line::connect(proxy.address(), &format!("/ws/api/watcher{number}/hall/?watch=1")).await?);
    }
    // One has a good line, and says nothing as long as it is not asked.
    let mut quiet = Line::connect(relay.address(), "/ws/api/quiet/hall/?watch=1").await?;
    proxy.set(Weather::SILENT);
    let begin = Instant::now();
    while relay.figure("tabiya_drops_total", "dead").await? < 5.0 {
        ensure!(begin.elapsed() < PATIENCE, "those who are gone are kept:\n{}", relay.log().join("\n"));
        // They are asked, and answer.
        while quiet.hear_within(Duration::from_millis(200)).await.is_some() {}
        pair.play(1).await?;
        sleep(Duration::from_millis(500)).await;
    }
    quiet.say(&json!({"type": "ping"})).await?;
    quiet.hear_until("pong").await?;
    let connected = relay.figure("tabiya_connections", "chessata").await?;
    ensure!(connected < 3.5, "{connected} are connected");
    pair.check().await?;
    relay.check()
}
