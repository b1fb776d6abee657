use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chess::Position;
use serde_json::Value;
use tests::relay::{Line, get};
use tests::stroll;
use tokio::time::sleep;

/// Between two moves, as if they thought about it.
const THINK: Duration = Duration::from_millis(10);

/// Two who play, and notice whatever is not as it should be.
pub(crate) struct Pair {
    relay: SocketAddr,
    code: String,
    lines: [Line; 2],
    position: Position,
    moves: Vec<String>,
    seed: u64,
}

impl Pair {
    /// Sits down at a table of its own.
    pub(crate) async fn sit(relay: SocketAddr, code: &str) -> Result<Self> {
        let path = |name: &str| format!("/ws/api/{name}/{code}/?extras=1");
        let mut white = Line::connect(relay, &path("anna")).await?;
        white.hear_until("init").await?;
        let mut black = Line::connect(relay, &path("billy")).await?;
        for line in [&mut white, &mut black] {
            line.hear_until("start").await?;
            line.hear_until("game_state").await?;
        }
        let lines = [white, black];
        Ok(Self { relay, code: code.to_owned(), lines, position: Position::start(), moves: Vec::new(), seed: 1 })
    }

    /// How many moves were made.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays so many moves. Returns how long each took to the other player.
    pub(crate) async fn play(&mut self, count: usize) -> Result<Vec<Duration>> {
        let mut delays = Vec::new();
        for _ in 0..count {
            sleep(THINK).await;
            let mv = stroll::next_move(&self.position, &mut self.seed).context("the game is over")?;
            let (words, mover) = (mv.to_string(), self.moves.len() % 2);
            let begin = Instant::now();
            self.lines[mover].play(&words, self.moves.len()).await?;
            self.moves.push(words);
            self.position = self.position.play(mv).ok().context("the move is legal")?;
            self.hear_of_it(1 - mover).await?;
            delays.push(begin.elapsed());
            self.hear_of_it(mover).await?;
        }
        Ok(delays)
    }

    /// The next state is the one after the last move.
    async fn hear_of_it(&mut self, side: usize) -> Result<()> {
        let state: Value = self.lines[side].hear_until("game_state").await?;
        ensure!(state["ply"] == self.moves.len(), "{state} after {:?}", self.moves);
        ensure!(state["fen"] == self.position.fen().to_string(), "{state} after {:?}", self.moves);
        Ok(())
    }

    /// What is kept is what was played.
    pub(crate) async fn check(&self) -> Result<()> {
        let record = get(self.relay, &format!("/games/{}.json", self.code)).await?.json()?;
        let moves = record["moves"].as_array().context("a game has moves")?;
        let kept: Vec<&str> = moves.iter().filter_map(|mv| mv["uci"].as_str()).collect();
        ensure!(kept == self.moves, "{kept:?} were kept, and {:?} played", self.moves);
        Ok(())
    }
}

/// The one in the middle.
pub(crate) fn median(mut delays: Vec<Duration>) -> Duration {
    delays.sort_unstable();
    delays.get(delays.len() / 2).copied().unwrap_or_default()
}
