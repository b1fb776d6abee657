//! One process of an external UCI engine. It is not trusted: its answers have deadlines and a greatest length, and its move is checked.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use chess::{Move, Position};
use engine::Score;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

use super::engine_spec::EngineSpec;
use super::{ClockLeft, EngineQuestion, EngineResult, Failure};

/// Time for the engine to start, and to set its options.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for the engine to answer after `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// Longest line, and the most bytes of one answer.
const MAX_LINE: u64 = 16 << 10;
const MAX_ANSWER: u64 = 16 << 20;

/// A running engine that waits for a position.
#[derive(Debug)]
pub(super) struct UciProcess {
    /// Killed when it is dropped.
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// A line of which a timeout has cut off the end.
    partial: Vec<u8>,
    /// The game of the last search.
    seed: Option<u64>,
    /// Whether the engine has received `go` and has not answered yet.
    is_searching: bool,
}

impl UciProcess {
    /// Starts the engine and sets its options.
    pub(super) async fn start(spec: &EngineSpec) -> Result<Self, Failure> {
        let mut child = command(spec).spawn().map_err(|error| Failure::Start(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::Start("its input and output are not connected".to_owned()));
        };
        let mut process =
            Self { child, input, output: BufReader::new(output), partial: Vec::new(), seed: None, is_searching: false };
        timeout(START_TIMEOUT, process.prepare(spec)).await.map_err(|_| Failure::Silent)??;
        Ok(process)
    }

    async fn prepare(&mut self, spec: &EngineSpec) -> Result<(), Failure> {
        self.send("uci").await?;
        self.wait_for("uciok").await?;
        for (name, value) in &spec.options {
            self.send(&format!("setoption name {name} value {value}")).await?;
        }
        self.send("isready").await?;
        self.wait_for("readyok").await
    }

    /// Searches for a move within the limits of the engine and of the clock.
    pub(super) async fn think(
        &mut self,
        question: &EngineQuestion,
        spec: &EngineSpec,
    ) -> Result<EngineResult, Failure> {
        let position = position_of(question)?;
        if self.seed != Some(question.seed) {
            self.seed = Some(question.seed);
            self.send("ucinewgame").await?;
            self.send("isready").await?;
            timeout(START_TIMEOUT, self.wait_for("readyok")).await.map_err(|_| Failure::Silent)??;
        }
        let move_time = move_time(spec.move_time, question.clock);
        self.send(&position_command(question)).await?;
        let go = match spec.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => format!("go movetime {}", move_time.as_millis()),
        };
        self.send(&go).await?;
        self.is_searching = true;
        let until = Instant::now() + move_time + move_time / 2 + Duration::from_millis(200);
        let mut answer = SearchReport::default();
        if let Ok(read) = timeout_at(until, self.read_answer(&mut answer)).await {
            read?;
        } else {
            self.send("stop").await?;
            timeout(STOP_TIMEOUT, self.read_answer(&mut answer)).await.map_err(|_| Failure::Silent)??;
        }
        let text = answer.best.unwrap_or_default();
        let mv: Option<Move> = text.parse().ok().filter(|&mv| position.is_legal(mv));
        let mv = mv.ok_or_else(|| Failure::Illegal(text.chars().take(12).collect()))?;
        Ok(EngineResult { mv, score: answer.score })
    }

    /// Cancels a search whose result is no longer awaited, so that the engine can be used again.
    pub(super) async fn abandon(&mut self) -> Result<(), Failure> {
        if !self.is_searching {
            // It was interrupted in the middle of a command.
            return Err(Failure::Silent);
        }
        self.send("stop").await?;
        timeout(STOP_TIMEOUT, self.read_answer(&mut SearchReport::default())).await.map_err(|_| Failure::Silent)?
    }

    /// Kills the process and waits for its end.
    pub(super) async fn kill(mut self) {
        // It may have ended by itself.
        let _ = self.child.kill().await;
    }

    async fn send(&mut self, line: &str) -> Result<(), Failure> {
        let write = async {
            self.input.write_all(line.as_bytes()).await?;
            self.input.write_all(b"\n").await?;
            self.input.flush().await
        };
        // An engine that does not read fills the pipe.
        timeout(STOP_TIMEOUT, write).await.map_err(|_| Failure::Silent)?.map_err(|_: io::Error| Failure::Ended)
    }

    async fn wait_for(&mut self, word: &str) -> Result<(), Failure> {
        let mut left = MAX_ANSWER;
        while self.line(&mut left).await?.split_whitespace().next() != Some(word) {}
        Ok(())
    }

    /// Reads up to the best move. It can be called again after a timeout.
    async fn read_answer(&mut self, answer: &mut SearchReport) -> Result<(), Failure> {
        while answer.best.is_none() {
            let line = self.line(&mut answer.left).await?;
            answer.read(&line);
        }
        self.is_searching = false;
        Ok(())
    }

    /// The next line. After a timeout it can be called again, and continues the line that was cut off.
    async fn line(&mut self, left: &mut u64) -> Result<String, Failure> {
        let most = (*left).min(MAX_LINE).saturating_sub(self.partial.len() as u64);
        let reading = (&mut self.output).take(most);
        let mut reading = std::pin::pin!(reading);
        reading.read_until(b'\n', &mut self.partial).await.map_err(|_| Failure::Ended)?;
        let bytes = std::mem::take(&mut self.partial);
        let is_cut = bytes.len() as u64 >= (*left).min(MAX_LINE);
        *left = left.saturating_sub(bytes.len() as u64);
        match bytes.last() {
            Some(b'\n') => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            _ if is_cut => Err(Failure::Flood),
            _ => Err(Failure::Ended),
        }
    }
}

/// What an engine has said about a search.
#[derive(Debug)]
struct SearchReport {
    best: Option<String>,
    score: Option<Score>,
    /// Bytes that it may still send.
    left: u64,
}

impl Default for SearchReport {
    fn default() -> Self {
        Self { best: None, score: None, left: MAX_ANSWER }
    }
}

impl SearchReport {
    /// Reads a line; what it does not know is skipped, as UCI demands.
    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => self.best = Some(words.next().unwrap_or_default().to_owned()),
            Some("info") => {
                while let Some(word) = words.next() {
                    match word {
                        // The rest is text or a line of moves.
                        "string" | "pv" => break,
                        "score" => {
                            let score = match (words.next(), words.next()) {
                                (Some("cp"), Some(number)) => number.parse().ok().map(centipawns),
                                (Some("mate"), Some(number)) => number.parse().ok().map(mate),
                                _ => None,
                            };
                            self.score = score.or(self.score);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn centipawns(number: i64) -> Score {
    Score::Centipawns(number.clamp(-20_000, 20_000) as i16)
}

fn mate(moves: i64) -> Score {
    Score::Mate(moves.clamp(-127, 127) as i8)
}

fn position_of(question: &EngineQuestion) -> Result<Position, Failure> {
    let mut position = question.start;
    for &mv in &question.moves {
        position = position.play(mv).map_err(|_| Failure::NoMove)?;
    }
    Ok(position)
}

fn position_command(EngineQuestion { start, moves, .. }: &EngineQuestion) -> String {
    use std::fmt::Write;

    let mut text = if *start == Position::start() {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", start.fen())
    };
    if !moves.is_empty() {
        text.push_str(" moves");
    }
    for mv in moves {
        // Writing to a string does not fail.
        let _ = write!(text, " {mv}");
    }
    text
}

/// The time for a move: what the settings allow, and with a clock a part of it.
fn move_time(most: Duration, clock: Option<ClockLeft>) -> Duration {
    let share = clock.map_or(Duration::MAX, |ClockLeft { remaining_ms, increment_ms }| {
        let (remaining, increment) = (u64::from(remaining_ms), u64::from(increment_ms));
        Duration::from_millis((remaining / 30 + increment / 2).min(remaining / 4).max(10))
    });
    most.min(share)
}

/// The process, in a clean environment and with limited memory. The shell sets the limit, because a limit of this process would hold for the
/// relay, too.
#[cfg(unix)]
fn command(spec: &EngineSpec) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", r#"ulimit -c 0; ulimit -v "$1" || exit 1; exec "$0""#]);
    command.arg(&spec.path).arg((spec.memory_mb * 1_024).to_string());
    prepare(command)
}

#[cfg(not(unix))]
fn command(spec: &EngineSpec) -> Command {
    prepare(Command::new(&spec.path))
}

fn prepare(mut command: Command) -> Command {
    command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_counts() {
        let mut answer = SearchReport::default();
        for line in [
            "info depth 1 score cp 12 pv e2e4",
            "info depth 2 seldepth 3 multipv 1 score mate -3 nodes 5 pv score cp 900",
            "info string score cp 1",
            "info score",
            "info score cp many",
            "nonsense bestmove e2e4",
        ] {
            answer.read(line);
        }
        assert_eq!((answer.score, answer.best.as_deref()), (Some(Score::Mate(-3)), None));
        answer.read("bestmove e2e4 ponder e7e5");
        assert_eq!(answer.best.as_deref(), Some("e2e4"));
    }

    #[test]
    fn a_score_beyond_all_bounds_is_clamped() {
        assert_eq!(centipawns(i64::MAX), Score::Centipawns(20_000));
        assert_eq!(mate(i64::MIN), Score::Mate(-127));
    }

    #[test]
    fn a_move_takes_a_part_of_the_clock() {
        let most = Duration::from_secs(2);
        let time = |remaining_ms, increment_ms| move_time(most, Some(ClockLeft { remaining_ms, increment_ms }));
        assert_eq!(move_time(most, None), most);
        assert_eq!(time(3_600_000, 0), most);
        assert_eq!(time(30_000, 0), Duration::from_secs(1));
        assert_eq!(time(100, 10_000), Duration::from_millis(25), "the increment comes after the move");
        assert_eq!(time(0, 0), Duration::from_millis(10));
    }
}
