//! Perft counts that are too large for the tests: more than a hundred million nodes each.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::engine::TABIYA;
use super::host::{perft, speed};
use crate::process;

const TABLE: &str = "chess/tests/data/perft.txt";
const DEEP: u64 = 100_000_000;

pub(crate) struct Report(Vec<Row>);

struct Row {
    name: String,
    depth: u32,
    nodes: u64,
    nanoseconds: u64,
}

pub(crate) fn measure() -> Result<Report> {
    let binary = TABIYA.build("rules-host", None)?;
    let table = fs::read_to_string(process::root().join(TABLE)).with_context(|| format!("cannot read {TABLE}"))?;
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut fields = line.split("; ");
        let (Some(name), Some(fen)) = (fields.next(), fields.next()) else {
            anyhow::bail!("{TABLE} has the line {line:?}, which is not a position");
        };
        for field in fields {
            let (depth, count) = field.split_once(' ').with_context(|| format!("{TABLE}, {name}: {field:?}"))?;
            let (depth, count): (u32, u64) = (depth.parse()?, count.parse()?);
            if count < DEEP {
                continue;
            }
            eprintln!("{name} at depth {depth}: {count} nodes");
            let (nodes, nanoseconds) = perft(&binary, depth, fen)?;
            ensure!(nodes == count, "{name} at depth {depth} has {count} nodes, and {nodes} were counted");
            rows.push(Row { name: name.to_owned(), depth, nodes, nanoseconds });
        }
    }
    Ok(Report(rows))
}

impl Report {
    pub(crate) fn table(&self) -> String {
        let mut text = String::from("Deep counts, each equal to the table's\n");
        _ = writeln!(text, "{:16} {:>5} {:>14} {:>10}", "position", "depth", "nodes", "Mnodes/s");
        for row in &self.0 {
            let speed = speed(row.nodes, row.nanoseconds);
            _ = writeln!(text, "{:16} {:>5} {:>14} {speed:>10.1}", row.name, row.depth, row.nodes);
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "position": row.name,
                "depth": row.depth,
                "nodes": row.nodes,
                "nanoseconds": row.nanoseconds,
            })
        };
        self.0.iter().map(row).collect()
    }
}
