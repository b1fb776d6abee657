use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, bail};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::{DialectPlayer, PlayedMove};
use crate::json_client::{JsonClient, TIMEOUT};
use crate::relay_message::RelayMessage;
use crate::rules_checker::RulesChecker;

pub(super) struct ChessataPlayer {
    client: JsonClient,
    /// The ids of White and Black.
    ids: [String; 2],
}

async fn next(client: &mut JsonClient) -> Result<Utf8Bytes> {
    let text = client.receive_text_within(TIMEOUT).await.context("the relay does not answer")?;
    text.map_err(|code| anyhow::anyhow!("the relay closed the connection with {code:?}"))
}

/// The next message of this type.
async fn next_of(client: &mut JsonClient, kind: &str) -> Result<Utf8Bytes> {
    loop {
        let text = next(client).await?;
        let message: RelayMessage<'_> = serde_json::from_str(&text)?;
        match message.kind.as_ref() {
            "error" => bail!("the relay answers {}", text.as_str()),
            found if found == kind => return Ok(text),
            _ => {}
        }
    }
}

impl DialectPlayer for ChessataPlayer {
    async fn join(relay: SocketAddr) -> Result<[Self; 2]> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let code = format!("dialect{:x}n{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut clients = Vec::new();
        let mut ids = Vec::new();
        for name in ["white", "black"] {
            let mut client = JsonClient::connect(relay, &format!("/ws/api/{name}/{code}/")).await?;
            let init = next_of(&mut client, "init").await?;
            let init: RelayMessage<'_> = serde_json::from_str(&init)?;
            ids.push(init.user_id.context("an init has an id")?.into_owned());
            clients.push(client);
        }
        let ids: [String; 2] = ids.try_into().ok().context("two ids")?;
        for client in &mut clients {
            next_of(client, "start").await?;
            next_of(client, "game_state").await?;
        }
        let clients: [JsonClient; 2] = clients.try_into().ok().context("two clients")?;
        Ok(clients.map(|client| Self { client, ids: ids.clone() }))
    }

    async fn send(&mut self, mv: &PlayedMove) -> Result<()> {
        self.client.send(Message::text(mv.chessata.clone())).await
    }

    async fn receive(&mut self, _: &PlayedMove, rules: &RulesChecker) -> Result<()> {
        let text = next_of(&mut self.client, "game_state").await?;
        let [white, black] = &self.ids;
        match rules.contradiction(&serde_json::from_str(&text)?, white, black) {
            None => Ok(()),
            Some(contradiction) => bail!(contradiction),
        }
    }
}
