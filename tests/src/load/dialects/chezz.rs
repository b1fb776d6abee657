use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use tokio_tungstenite::tungstenite::Message;

use super::{DialectPlayer, PlayedMove, expect};
use crate::json_client::{JsonClient, TIMEOUT};
use crate::relay::post;
use crate::rules_checker::RulesChecker;

pub(super) struct ChezzPlayer {
    client: JsonClient,
}

#[derive(Deserialize)]
struct ChezzMessage {
    #[serde(rename = "type")]
    kind: String,
    uci: Option<String>,
}

impl ChezzPlayer {
    /// The next message of this type.
    async fn next_of(&mut self, kind: &str) -> Result<ChezzMessage> {
        loop {
            let text = self.client.receive_text_within(TIMEOUT).await.context("the relay does not answer")?;
            let text = text.map_err(|code| anyhow::anyhow!("the relay closed the connection with {code:?}"))?;
            let message: ChezzMessage = serde_json::from_str(&text)?;
            match message.kind.as_str() {
                "error" => bail!("the relay answers {}", text.as_str()),
                found if found == kind => return Ok(message),
                _ => {}
            }
        }
    }
}

impl DialectPlayer for ChezzPlayer {
    async fn join(relay: SocketAddr) -> Result<[Self; 2]> {
        let created = post(relay, "/game?is_black=no", "", "").await?;
        let game = created.json()?;
        let game = game["game_id"].as_str().with_context(|| format!("no game was created: {}", created.head))?;
        let cookie = created.head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next().unwrap_or_default().to_owned())
        });
        let path = format!("/play/{game}");
        let white = JsonClient::connect_with(relay, &path, &[("cookie", cookie.context("a session")?)]).await?;
        let black = JsonClient::connect(relay, &path).await?;
        let mut players = [white, black].map(|client| Self { client });
        for player in &mut players {
            player.next_of("start").await?;
        }
        Ok(players)
    }

    async fn send(&mut self, mv: &PlayedMove) -> Result<()> {
        self.client.send(Message::text(mv.uci.clone())).await
    }

    async fn receive(&mut self, mv: &PlayedMove, _: &RulesChecker) -> Result<()> {
        let message = self.next_of("move").await?;
        expect(&message.uci.unwrap_or_default(), &mv.uci)
    }
}
