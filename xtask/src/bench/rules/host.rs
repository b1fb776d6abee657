//! Perft on the host, by wall-clock time. Other programs disturb it, so the engines take many short turns alternately, and the
//! best turn of each counts.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::engine::{COZY, ENGINES, Engine, TABIYA};
use crate::bench::verdict::{Comparison, verdict};
use crate::process;

const BIN: &str = "rules-host";
const ROUNDS: u32 = 15;

/// A position and the depth to count to.
struct Task {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

const TASKS: [Task; 2] = [
    Task { name: "start", fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", depth: 5, nodes: 4_865_609 },
    Task {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 4,
        nodes: 4_085_603,
    },
];

pub(crate) struct Report(Vec<Row>);

struct Row {
    engine: Engine,
    /// The best time for each task, in nanoseconds.
    nanoseconds: [u64; TASKS.len()],
}

pub(crate) fn measure() -> Result<Report> {
    let mut players: Vec<(PathBuf, Row)> = Vec::new();
    for engine in ENGINES {
        players.push((engine.build(BIN, None)?, Row { engine, nanoseconds: [u64::MAX; TASKS.len()] }));
    }
    for round in 1..=ROUNDS {
        eprintln!("host, round {round} of {ROUNDS}");
        for (binary, row) in &mut players {
            for (task, best) in TASKS.iter().zip(&mut row.nanoseconds) {
                let (nodes, nanoseconds) = perft(binary, task.depth, task.fen)?;
                let name = row.engine.name;
                ensure!(nodes == task.nodes, "{name} counts {nodes} nodes, and there are {}", task.nodes);
                *best = nanoseconds.min(*best);
            }
        }
    }
    Ok(Report(players.into_iter().map(|(_, row)| row).collect()))
}

/// Runs one perft; returns nodes and nanoseconds.
pub(crate) fn perft(binary: &Path, depth: u32, fen: &str) -> Result<(u64, u64)> {
    let written = process::capture(process::program(binary).arg(depth.to_string()).arg(fen))?;
    let mut numbers = written.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(nodes)), Some(Ok(nanoseconds))) => Ok((nodes, nanoseconds)),
        _ => anyhow::bail!("{} wrote {written:?}", binary.display()),
    }
}

/// Millions of nodes per second.
#[expect(clippy::cast_precision_loss, reason = "three digits are enough")]
pub(crate) fn speed(nodes: u64, nanoseconds: u64) -> f64 {
    nodes as f64 * 1e3 / nanoseconds as f64
}

impl Row {
    fn speeds(&self) -> impl Iterator<Item = f64> {
        TASKS.iter().zip(self.nanoseconds).map(|(task, nanoseconds)| speed(task.nodes, nanoseconds))
    }
}

impl Report {
    fn row(&self, engine: Engine) -> Option<&Row> {
        self.0.iter().find(|row| row.engine == engine)
    }

    pub(crate) fn table(&self) -> String {
        let mut text = format!("This machine, fat LTO, the best of {ROUNDS} turns\n{:16}", "engine");
        for task in &TASKS {
            _ = write!(text, " {:>20}", format!("{} {}, Mnodes/s", task.name, task.depth));
        }
        text.push('\n');
        for row in &self.0 {
            _ = write!(text, "{:16}", row.engine.name);
            for speed in row.speeds() {
                _ = write!(text, " {speed:>20.1}");
            }
            text.push('\n');
        }
        if let (Some(ours), Some(cozy)) = (self.row(TABIYA), self.row(COZY)) {
            for ((task, ours), cozy) in TASKS.iter().zip(ours.speeds()).zip(cozy.speeds()) {
                for wanted in [0.6, 1.0] {
                    text += &verdict(
                        &format!("{}, speed over cozy's", task.name),
                        ours / cozy,
                        Comparison::AtLeast,
                        wanted,
                    );
                }
            }
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let row = |row: &Row| {
            let tasks = TASKS.iter().zip(row.nanoseconds).map(|(task, nanoseconds)| {
                json!({
                    "task": task.name,
                    "depth": task.depth,
                    "nodes": task.nodes,
                    "nanoseconds": nanoseconds,
                    "nodes_per_second": speed(task.nodes, nanoseconds) * 1e6,
                })
            });
            json!({ "engine": row.engine.name, "tasks": tasks.collect::<Value>() })
        };
        self.0.iter().map(row).collect()
    }
}
