//! Perft on an emulated Cortex-M: instructions per node, and flash.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::engine::{ENGINES, Engine, NONE, SHAKMATY, TABIYA};
use crate::bench::verdict::{Comparison, verdict};
use crate::emulator::{self, TARGET};
use crate::image::Image;

const BIN: &str = "rules-device";

/// Kiwipete at depth 3.
const NODES: u64 = 97_862;

pub(crate) struct Report(Vec<Row>);

struct Row {
    engine: Engine,
    instructions: u64,
    /// Bytes that the engine adds to an image without one.
    flash: u64,
}

impl Row {
    #[expect(clippy::cast_precision_loss, reason = "both numbers are small")]
    fn per_node(&self) -> f64 {
        self.instructions as f64 / NODES as f64
    }
}

pub(crate) fn measure() -> Result<Report> {
    let (empty, _) = run(NONE)?;
    let mut rows = Vec::new();
    for engine in ENGINES {
        let (flash, written) = run(engine)?;
        let mut numbers = written.split_whitespace().map(str::parse);
        let (Some(Ok(nodes)), Some(Ok(instructions))) = (numbers.next(), numbers.next()) else {
            anyhow::bail!("the image with {} wrote {written:?}", engine.name);
        };
        ensure!(nodes == NODES, "{} counts {nodes} nodes, and there are {NODES}", engine.name);
        rows.push(Row { engine, instructions, flash: flash.saturating_sub(empty) });
    }
    Ok(Report(rows))
}

/// Builds and runs an image; returns its size and its output.
fn run(engine: Engine) -> Result<(u64, String)> {
    let path = engine.build(BIN, Some(TARGET))?;
    let image = Image::parse(&fs::read(&path)?).with_context(|| format!("cannot understand {}", path.display()))?;
    Ok((image.flash, emulator::run(&path)?))
}

impl Report {
    fn row(&self, engine: Engine) -> Option<&Row> {
        self.0.iter().find(|row| row.engine == engine)
    }

    pub(crate) fn table(&self) -> String {
        let mut text = String::from("Emulated Cortex-M4, kiwipete at depth 3, opt-level 3, fat LTO\n");
        _ = writeln!(text, "{:16} {:>18} {:>12}", "engine", "instructions/node", "flash bytes");
        for row in &self.0 {
            _ = writeln!(text, "{:16} {:>18.2} {:>12}", row.engine.name, row.per_node(), row.flash);
        }
        if let (Some(ours), Some(shakmaty)) = (self.row(TABIYA), self.row(SHAKMATY)) {
            #[expect(clippy::cast_precision_loss, reason = "flash is small")]
            let kilobytes = ours.flash as f64 / 1024.0;
            text += &verdict(
                "instructions per node over shakmaty's",
                ours.per_node() / shakmaty.per_node(),
                Comparison::AtMost,
                1.0,
            );
            text += &verdict("instructions per node", ours.per_node(), Comparison::AtMost, 68.0);
            text += &verdict("flash in KB", kilobytes, Comparison::AtMost, 24.0);
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "engine": row.engine.name,
                "nodes": NODES,
                "instructions": row.instructions,
                "instructions_per_node": row.per_node(),
                "flash_bytes": row.flash,
            })
        };
        self.0.iter().map(row).collect()
    }
}
