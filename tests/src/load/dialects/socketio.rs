use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use cozy_chess::Square;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{DialectPlayer, PlayedMove, expect};
use crate::json_client::{JsonClient, TIMEOUT};
use crate::rules_checker::RulesChecker;

/// A player on the WebSocket transport.
pub(super) struct SocketIoPlayer {
    client: JsonClient,
    game: String,
}

impl SocketIoPlayer {
    async fn connect(relay: SocketAddr) -> Result<Self> {
        let client = JsonClient::connect(relay, "/socket.io/?EIO=4&transport=websocket").await?;
        let mut player = Self { client, game: String::new() };
        // The handshakes of Engine.IO and of the namespace.
        ensure!(player.packet().await?.starts_with('0'), "no handshake");
        player.client.send(Message::text("40")).await?;
        ensure!(player.packet().await?.starts_with("40"), "no namespace");
        Ok(player)
    }

    /// The next packet that is not part of the heartbeat.
    async fn packet(&mut self) -> Result<String> {
        loop {
            let text = self.client.receive_text_within(TIMEOUT).await.context("the relay does not answer")?;
            let text = text.map_err(|code| anyhow::anyhow!("the relay closed the connection with {code:?}"))?;
            if text.as_str() != "2" {
                return Ok(text.as_str().to_owned());
            }
            self.client.send(Message::text("3")).await?;
        }
    }

    async fn emit(&mut self, event: Value) -> Result<()> {
        self.client.send(Message::text(format!("42{event}"))).await
    }

    /// The first argument of the next event with this name.
    async fn next_of(&mut self, event: &str) -> Result<Value> {
        loop {
            let packet = self.packet().await?;
            let Some(arguments) = packet.strip_prefix("42") else { continue };
            let mut arguments: Vec<Value> = serde_json::from_str(arguments)?;
            let name = arguments.first().and_then(Value::as_str).unwrap_or_default();
            if ["invalidMove", "invalidRoomId", "refused", "errorPawnPromotion"].contains(&name) {
                bail!("the relay answers {packet}");
            }
            if name == event {
                return Ok(if arguments.len() > 1 { arguments.swap_remove(1) } else { Value::Null });
            }
        }
    }
}

impl DialectPlayer for SocketIoPlayer {
    async fn join(relay: SocketAddr) -> Result<[Self; 2]> {
        let (mut one, mut other) = (Self::connect(relay).await?, Self::connect(relay).await?);
        one.emit(json!(["roomCreate"])).await?;
        let game = one.next_of("getGameId").await?.as_str().context("a game id")?.to_owned();
        other.emit(json!(["roomJoin", game])).await?;
        for player in [&mut one, &mut other] {
            player.game.clone_from(&game);
        }
        let is_white = one.next_of("playerColor").await? == 0;
        for player in [&mut one, &mut other] {
            player.next_of("startGame").await?;
        }
        Ok(if is_white { [one, other] } else { [other, one] })
    }

    async fn send(&mut self, mv: &PlayedMove) -> Result<()> {
        // a8 is 0, and h1 is 63.
        let number = |square: Square| (7 - square.rank() as usize) * 8 + square.file() as usize;
        self.emit(json!(["makeMove", self.game, number(mv.from), number(mv.to)])).await
    }

    async fn receive(&mut self, _: &PlayedMove, rules: &RulesChecker) -> Result<()> {
        let fen = self.next_of("boardUpdated").await?;
        expect(fen.as_str().unwrap_or_default(), &rules.fen())
    }
}
