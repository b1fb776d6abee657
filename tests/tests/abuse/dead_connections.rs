//! Connections whose peer has stopped without closing them.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tests::json_client::JsonClient;
use tests::proxy::{NetworkFaults, Proxy};
use tests::relay::{RelayProcess, post};
use tests::temp_dir::TempDir;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;

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

/// Resets a TCP connection, without a close frame, and waits until the relay has noticed.
async fn break_connection(relay: &RelayProcess, dialect: &str, client: JsonClient) -> Result<()> {
    let before = relay.figure("tabiya_connections", dialect).await?;
    // Does not fail on an open socket; without it the relay would see an orderly end.
    let _ = client.into_stream().set_zero_linger();
    let begin = Instant::now();
    while relay.figure("tabiya_connections", dialect).await? > before - 0.5 {
        ensure!(begin.elapsed() < TIMEOUT, "the relay does not notice");
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chezz_player_whose_connection_breaks_has_not_left() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--grace=600"])? else { return Ok(()) };
    let created = post(relay.address(), "/game?is_black=no", "", "").await?;
    let game = created.json()?;
    let path = format!("/play/{}", game["game_id"].as_str().context("a game")?);
    let cookie = created.head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next().unwrap_or_default().to_owned())
    });
    let session = [("cookie", cookie.context("a session")?)];
    let mut white = JsonClient::connect_with(relay.address(), &path, &session).await?;
    let mut black = JsonClient::connect(relay.address(), &path).await?;
    for client in [&mut white, &mut black] {
        client.receive_type("start").await?;
    }
    break_connection(&relay, "chezz", white).await?;
    let mut white = JsonClient::connect_with(relay.address(), &path, &session).await?;
    white.send(Message::text("e2e4")).await?;
    ensure!(black.receive_type("move").await?["uci"] == "e2e4");
    relay.check()
}

/// A client of Socket.IO over a WebSocket.
struct SocketIo(JsonClient);

impl SocketIo {
    async fn connect(relay: &RelayProcess) -> Result<Self> {
        let client = JsonClient::connect(relay.address(), "/socket.io/?EIO=4&transport=websocket").await?;
        let mut socket = Self(client);
        ensure!(socket.packet().await?.starts_with('0'), "no handshake");
        socket.0.send(Message::text("40")).await?;
        ensure!(socket.packet().await?.starts_with("40"), "no namespace");
        Ok(socket)
    }

    /// The next packet that is not part of the heartbeat.
    async fn packet(&mut self) -> Result<String> {
        loop {
            let text = self.0.receive_text_within(TIMEOUT).await.context("the relay does not answer")?;
            let text = text.ok().context("the relay has closed the connection")?;
            if text.as_str() != "2" {
                return Ok(text.as_str().to_owned());
            }
            self.0.send(Message::text("3")).await?;
        }
    }

    async fn emit(&mut self, event: Value) -> Result<()> {
        self.0.send(Message::text(format!("42{event}"))).await
    }

    /// The first argument of the next event with this name.
    async fn next_of(&mut self, event: &str) -> Result<Value> {
        loop {
            let packet = self.packet().await?;
            let Some(event_and_arguments) = packet.strip_prefix("42") else { continue };
            let event_and_arguments: Value = serde_json::from_str(event_and_arguments)?;
            ensure!(event_and_arguments[0] != "refused", "{packet}");
            if event_and_arguments[0] == event {
                return Ok(event_and_arguments[1].clone());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_io_player_whose_connection_breaks_has_not_left() -> Result<()> {
    let folder = TempDir::new()?;
    let Some(mut relay) = crate::relay(&folder, &["--grace=600"])? else { return Ok(()) };
    let (mut one, mut other) = (SocketIo::connect(&relay).await?, SocketIo::connect(&relay).await?);
    one.emit(json!(["roomCreate"])).await?;
    let game = one.next_of("getGameId").await?;
    let token = one.next_of("seatToken").await?;
    other.emit(json!(["roomJoin", game])).await?;
    for player in [&mut one, &mut other] {
        player.next_of("startGame").await?;
    }
    break_connection(&relay, "socketio", one.0).await?;
    let mut one = SocketIo::connect(&relay).await?;
    one.emit(json!(["reJoin", game, token])).await?;
    let is_white = one.next_of("reJoinSuccess").await? == 0;
    let (white, black) = if is_white { (&mut one, &mut other) } else { (&mut other, &mut one) };
    // From e2 to e4: a8 is 0, and h1 is 63.
    white.emit(json!(["makeMove", game, 52, 36])).await?;
    let fen = black.next_of("boardUpdated").await?;
    ensure!(fen.as_str().is_some_and(|fen| fen.contains("/4P3/")), "{fen}");
    relay.check()
}
