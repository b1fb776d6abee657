//! Measures rule scripts in their sandbox. `--json` prints one JSON object, and `--quick` makes a short run with rough figures.
//!
//! - Overhead: calls of a script that does nothing, one after the other, so that the whole time of a call is overhead.
//! - Concurrent games: 200 games of the bundled script of chess at once, on two processes. A call that fails is a missed deadline.
//! - Memory of the warm processes, without what they share with each other.
//!
//! The exit code is 0 if every target is reached, 1 if one is missed, and 2 if the measurement failed.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chess::Color;
use host_server::scripts::{BUNDLED, Caller, ScriptConfig, ScriptError, Scripts, Status};
use serde_json::{Value, json};
use tests::bench::{self, Limit, Report, Target};
use tests::parts;

const NOTHING: &str = "def get_starting_state():\n    return {'pieces': [], 'possible_moves': [], 'status': 'draw'}\n\
    def make_move(*_): pass\n";
const PROCESSES: usize = 2;

struct Extent {
    calls: usize,
    games: usize,
    moves: usize,
}

struct Figures {
    /// Sorted, in milliseconds.
    overhead: Vec<f64>,
    games: usize,
    moves: usize,
    seconds: f64,
    /// Time of a move with its time in the queue, sorted, in milliseconds.
    latency: Vec<f64>,
    missed: Vec<String>,
    memory: u64,
}

fn main() -> ExitCode {
    let full = Extent { calls: 2_000, games: 200, moves: 20 };
    let quick = Extent { calls: 300, games: 200, moves: 3 };
    bench::run("script-bench", &full, &quick, measure)
}

fn measure(extent: &Extent) -> Result<Figures> {
    let launcher = parts::tabiya().context("there is no tabiya to start")?;
    let config = ScriptConfig { python: "python3".into(), processes: PROCESSES, launcher };
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let scripts = Scripts::start(&config);
        // Until all processes are warm.
        for _ in 0..100 {
            scripts.starting_state(NOTHING).await?;
        }
        let mut overhead = Vec::new();
        for _ in 0..extent.calls {
            let began = Instant::now();
            scripts.starting_state(NOTHING).await?;
            overhead.push(milliseconds(began.elapsed()));
        }
        let began = Instant::now();
        let mut games = Vec::new();
        for game in 0..extent.games {
            games.push(tokio::spawn(play(scripts.asked_by(Caller::of(&game)), game, extent.moves)));
        }
        let (mut latency, mut missed, mut moves) = (Vec::new(), Vec::new(), 0);
        for game in games {
            let (times, failed) = game.await?;
            moves += times.len();
            latency.extend(times);
            missed.extend(failed.map(|error| error.to_string()));
        }
        let seconds = began.elapsed().as_secs_f64();
        overhead.sort_by(f64::total_cmp);
        latency.sort_by(f64::total_cmp);
        if latency.is_empty() {
            bail!("no move was played: {missed:?}");
        }
        let memory = scripts.memory();
        Ok(Figures { overhead, games: extent.games, moves, seconds, latency, missed, memory })
    })
}

/// The times of the moves of one game, and the error that ended it.
async fn play(scripts: Scripts, game: usize, moves: usize) -> (Vec<f64>, Option<ScriptError>) {
    let text = BUNDLED.iter().find(|script| script.name == "chess").map_or("", |script| script.text);
    let mut state = match scripts.starting_state(text).await {
        Ok(state) => state,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut times = Vec::new();
    let mut turn = Color::White;
    for number in 0..moves {
        if state.status != Status::Running {
            break;
        }
        let played = state.possible_moves[(game * 31 + number * 17) % state.possible_moves.len()];
        turn = !turn;
        let began = Instant::now();
        match scripts.make_move(text, &state.pieces, played, turn, &state.additional_data).await {
            Ok(after) => state = after,
            Err(error) => return (times, Some(error)),
        }
        times.push(milliseconds(began.elapsed()));
    }
    (times, None)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// A value of a sorted list that is not empty.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100]
}

impl Figures {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn per_second(&self) -> f64 {
        self.moves as f64 / self.seconds
    }

    #[expect(clippy::cast_precision_loss, reason = "less than 2^53 bytes")]
    fn megabytes(&self) -> f64 {
        self.memory as f64 / 1e6
    }
}

impl Report for Figures {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "overhead of a call: {:.2} ms median, {:.2} ms at 99 %, {} calls",
            percentile(&self.overhead, 50),
            percentile(&self.overhead, 99),
            self.overhead.len()
        );
        let _ = writeln!(
            text,
            "{} games of chess at once, {PROCESSES} processes: {} moves, {:.0} moves per second, {:.0} ms median with the queue, {:.0} ms at 99 %, {} missed deadlines",
            self.games,
            self.moves,
            self.per_second(),
            percentile(&self.latency, 50),
            percentile(&self.latency, 99),
            self.missed.len()
        );
        let _ = writeln!(text, "memory of {PROCESSES} warm processes: {:.1} MB", self.megabytes());
        for error in &self.missed {
            let _ = writeln!(text, "missed: {error}");
        }
        self.targets().iter().for_each(|target| text.push_str(&target.line()));
        text
    }

    fn json(&self) -> Value {
        json!({
            "overhead_ms": {
                "calls": self.overhead.len(),
                "median": percentile(&self.overhead, 50),
                "p99": percentile(&self.overhead, 99),
            },
            "concurrent": {
                "games": self.games,
                "processes": PROCESSES,
                "moves": self.moves,
                "moves_per_second": self.per_second(),
                "median_ms": percentile(&self.latency, 50),
                "p99_ms": percentile(&self.latency, 99),
                "missed": self.missed,
            },
            "memory_bytes": self.memory,
            "targets": self.targets().iter().map(Target::json).collect::<Vec<_>>(),
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn targets(&self) -> Vec<Target> {
        vec![
            Target::new("median overhead of a call, ms", percentile(&self.overhead, 50), Limit::AtMost(3.0)),
            Target::new("99 % overhead of a call, ms", percentile(&self.overhead, 99), Limit::AtMost(10.0)),
            Target::new("missed deadlines of 200 games", self.missed.len() as f64, Limit::AtMost(0.0)),
        ]
    }
}
