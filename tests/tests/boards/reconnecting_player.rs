use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chess::{Color, Move};
use serde_json::{Value, json};
use tests::json_client::{JsonClient, Received, UpgradeRefused};
use tokio::time::sleep;

/// Time without a message after which there is nothing to receive for now.
const LULL: Duration = Duration::from_millis(20);

/// A player that reconnects by itself, and resends its move until the relay has it.
pub(crate) struct ReconnectingPlayer {
    code: String,
    /// The relays to connect to, in turn.
    relays: Vec<SocketAddr>,
    next_relay: usize,
    line: Option<JsonClient>,
    token: Option<String>,
    color: Option<Color>,
    moves: Vec<Move>,
    /// The next move, and whether it was sent on this connection.
    intent: Option<(Move, bool)>,
    result: Option<Value>,
}

impl ReconnectingPlayer {
    pub(crate) fn new(code: &str, relays: &[SocketAddr]) -> Self {
        Self {
            code: code.to_owned(),
            relays: relays.to_vec(),
            next_relay: 0,
            line: None,
            token: None,
            color: None,
            moves: Vec::new(),
            intent: None,
            result: None,
        }
    }

    pub(crate) fn color(&self) -> Option<Color> {
        self.color
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The message `end_of_game`.
    pub(crate) fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// Connects to these relays from now on.
    pub(crate) fn move_to(&mut self, relays: &[SocketAddr]) {
        self.relays = relays.to_vec();
        self.next_relay = 0;
        self.line = None;
    }

    /// Sends this move, and resends it after reconnects until the relay has it.
    pub(crate) fn play(&mut self, mv: Move) {
        self.intent = Some((mv, false));
    }

    pub(crate) async fn resign(&mut self) -> Result<()> {
        self.line.as_mut().context("who resigns is there")?.send_json(&json!({"type": "resign"})).await
    }

    /// Sends the pending move, and receives until there is nothing to receive.
    pub(crate) async fn talk(&mut self) -> Result<()> {
        if self.line.is_none() {
            self.connect().await?;
        }
        loop {
            let Some(line) = &mut self.line else { return Ok(()) };
            if let Some((mv, is_said @ false)) = &mut self.intent
                && self.color.is_some()
                && line.play(&mv.to_string(), self.moves.len()).await.is_ok()
            {
                *is_said = true;
            }
            match line.receive_within(LULL).await {
                None => return Ok(()),
                Some(Received::Closed(_)) => {
                    self.part();
                    return Ok(());
                }
                Some(Received::Message(message)) => self.receive(&message)?,
            }
        }
    }

    fn part(&mut self) {
        self.line = None;
        if let Some((_, is_said)) = &mut self.intent {
            *is_said = false;
        }
    }

    async fn connect(&mut self) -> Result<()> {
        let relay = self.relays[self.next_relay % self.relays.len()];
        self.next_relay += 1;
        let token = self.token.as_ref().map(|token| format!("&token={token}")).unwrap_or_default();
        let path = format!("/ws/api/Vera/{}/?extras=1{token}", self.code);
        match JsonClient::connect(relay, &path).await {
            Ok(line) => self.line = Some(line),
            Err(error) => {
                if let Some(refused @ UpgradeRefused { status, .. }) = error.downcast_ref() {
                    ensure!(*status == 503, "{refused}");
                }
                sleep(LULL).await;
            }
        }
        Ok(())
    }

    fn receive(&mut self, message: &Value) -> Result<()> {
        match message["type"].as_str().unwrap_or_default() {
            "init" => {
                ensure!(message["role"] == "player", "greeted with {message}");
                if let Some(token) = message["token"].as_str() {
                    self.token = Some(token.to_owned());
                }
            }
            "start" => {
                self.color = Some(if message["color"] == "white" { Color::White } else { Color::Black });
            }
            "game_state" => self.see(message)?,
            "end_of_game" => self.result = Some(message.clone()),
            // The move was sent on an earlier connection as well, and may have been stored.
            "error" if message["status_code"] == 409 || message["status_code"] == 503 => self.part(),
            "error" | "close" => bail!("{message}"),
            _ => {}
        }
        Ok(())
    }

    /// A client never receives fewer moves than before.
    fn see(&mut self, state: &Value) -> Result<()> {
        let read = |mv: &Value| mv["uci"].as_str().unwrap_or_default().parse::<Move>().ok();
        if let Some(moves) = state["moves"].as_array() {
            let moves: Vec<Move> = moves.iter().filter_map(read).collect();
            ensure!(moves.starts_with(&self.moves), "{:?} has become {moves:?}", self.moves);
            self.moves = moves;
        } else if state["ply"] == self.moves.len() + 1 {
            self.moves.push(read(&state["last_move"]).context("a state has its last move")?);
        }
        ensure!(state["ply"] == self.moves.len(), "{state} after {:?}", self.moves);
        self.intent = self.intent.filter(|(mv, _)| self.moves.last() != Some(mv));
        Ok(())
    }
}
