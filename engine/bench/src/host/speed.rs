//! Nodes per second on this machine.

use std::time::Instant;

use anyhow::Result;
use chess::Position;
use serde_json::{Value, json};

use super::player::Kind;

const NODES: u64 = 300_000;
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/5pk1/6p1/R6p/7P/5PP1/r4PK1/8 w - - 0 40",
];

pub(crate) fn run() -> Result<Value> {
    let mut player = Kind::board(10, NODES).start()?;
    let mut seconds = 0.0;
    for fen in POSITIONS {
        let position: Position = fen.parse()?;
        player.new_game(0)?;
        let start = Instant::now();
        player.decide(&position, &[], &position)?;
        seconds += start.elapsed().as_secs_f64();
    }
    let nodes = NODES * POSITIONS.len() as u64;
    #[expect(clippy::cast_precision_loss, reason = "three digits are enough")]
    let rate = nodes as f64 / seconds;
    Ok(json!({ "nodes": nodes, "seconds": seconds, "nodes_per_second": rate.round() }))
}
