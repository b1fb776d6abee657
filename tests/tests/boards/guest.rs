use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chess::{Color, Move};
use serde_json::{Value, json};
use tests::relay::{Heard, Line, Refused};
use tokio::time::sleep;

/// After so much silence there is nothing to be heard for now.
const LULL: Duration = Duration::from_millis(20);

/// Somebody who plays in the tongue "chessata", and comes back by itself.
pub(crate) struct Guest {
    code: String,
    /// Where to come in, one after the other.
    relays: Vec<SocketAddr>,
    next_relay: usize,
    line: Option<Line>,
    token: Option<String>,
    color: Option<Color>,
    moves: Vec<Move>,
    /// What is to be played, and whether it was said on this line.
    intent: Option<(Move, bool)>,
    result: Option<Value>,
}

impl Guest {
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

    /// How the game has ended.
    pub(crate) fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// From now on it comes in by these.
    pub(crate) fn move_to(&mut self, relays: &[SocketAddr]) {
        self.relays = relays.to_vec();
        self.next_relay = 0;
        self.line = None;
    }

    /// Would like to make this move, as often as it has to be said.
    pub(crate) fn play(&mut self, mv: Move) {
        self.intent = Some((mv, false));
    }

    pub(crate) async fn resign(&mut self) -> Result<()> {
        self.line.as_mut().context("who resigns is there")?.say(&json!({"type": "resign"})).await
    }

    /// Says what there is to say, and takes what comes until it is quiet.
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
            match line.hear_within(LULL).await {
                None => return Ok(()),
                Some(Heard::End(_)) => {
                    self.part();
                    return Ok(());
                }
                Some(Heard::Message(message)) => self.hear(&message)?,
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
        match Line::connect(relay, &path).await {
            Ok(line) => self.line = Some(line),
            Err(error) => {
                if let Some(refused @ Refused { status, .. }) = error.downcast_ref() {
                    ensure!(*status == 503, "{refused}");
                }
                sleep(LULL).await;
            }
        }
        Ok(())
    }

    fn hear(&mut self, message: &Value) -> Result<()> {
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
            // It was said on another line as well, and perhaps heard there.
            "error" if message["status_code"] == 409 || message["status_code"] == 503 => self.part(),
            "error" | "close" => bail!("{message}"),
            _ => {}
        }
        Ok(())
    }

    /// Nobody is ever shown less than before.
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
