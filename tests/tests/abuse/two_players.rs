use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::{Move, Position};
use serde_json::Value;
use tests::json_client::JsonClient;
use tests::long_log::long_game;
use tests::relay::get;
use tokio::time::sleep;

/// Pause between two moves.
const THINK: Duration = Duration::from_millis(10);

/// Two players in a room, who check every state and measure latency.
pub(crate) struct TwoPlayers {
    relay: SocketAddr,
    code: String,
    lines: [JsonClient; 2],
    position: Position,
    moves: Vec<String>,
    /// Moves of a game that is longer than any test, so that the game never ends however fast the machine is.
    game: std::vec::IntoIter<Move>,
}

impl TwoPlayers {
    /// Joins a room with both players.
    pub(crate) async fn sit(relay: SocketAddr, code: &str) -> Result<Self> {
        let path = |name: &str| format!("/ws/api/{name}/{code}/?extras=1");
        let mut white = JsonClient::connect(relay, &path("anna")).await?;
        white.receive_type("init").await?;
        let mut black = JsonClient::connect(relay, &path("billy")).await?;
        for line in [&mut white, &mut black] {
            line.receive_type("start").await?;
            line.receive_type("game_state").await?;
        }
        let lines = [white, black];
        Ok(Self {
            relay,
            code: code.to_owned(),
            lines,
            position: Position::start(),
            moves: Vec::new(),
            game: long_game(Position::start(), 1).into_iter(),
        })
    }

    /// Number of moves so far.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays this many moves. Returns the latency of each to the opponent.
    pub(crate) async fn play(&mut self, count: usize) -> Result<Vec<Duration>> {
        let mut delays = Vec::new();
        for _ in 0..count {
            sleep(THINK).await;
            let mv = self.game.next().context("the game is over")?;
            let (words, mover) = (mv.to_string(), self.moves.len() % 2);
            let begin = Instant::now();
            self.lines[mover].play(&words, self.moves.len()).await?;
            self.moves.push(words);
            self.position = self.position.play(mv).ok().context("the move is legal")?;
            self.expect_last_move(1 - mover).await?;
            delays.push(begin.elapsed());
            self.expect_last_move(mover).await?;
        }
        Ok(delays)
    }

    /// The next state must be the one after the last move.
    async fn expect_last_move(&mut self, side: usize) -> Result<()> {
        let state: Value = self.lines[side].receive_type("game_state").await?;
        ensure!(state["ply"] == self.moves.len(), "{state} after {:?}", self.moves);
        ensure!(state["fen"] == self.position.fen().to_string(), "{state} after {:?}", self.moves);
        Ok(())
    }

    /// Compares the record of the relay with the played moves.
    pub(crate) async fn check(&self) -> Result<()> {
        let record = get(self.relay, &format!("/games/{}.json", self.code)).await?.json()?;
        let moves = record["moves"].as_array().context("a game has moves")?;
        let kept: Vec<&str> = moves.iter().filter_map(|mv| mv["uci"].as_str()).collect();
        ensure!(kept == self.moves, "{kept:?} were kept, and {:?} played", self.moves);
        Ok(())
    }
}

pub(crate) fn median(mut delays: Vec<Duration>) -> Duration {
    delays.sort_unstable();
    delays.get(delays.len() / 2).copied().unwrap_or_default()
}
