//! Runs the hand benchmark on the host, in simulated time: over a million moves of a clumsy hand.

use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;

const BIN: &str = "hand-bench";

/// The output of the benchmark program.
pub(crate) struct Report {
    written: String,
    reached: bool,
}

pub(crate) fn measure(as_json: bool) -> Result<Report> {
    eprintln!("building {BIN}");
    let target_dir = process::target_dir();
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--release", "--package", "tests", "--bin", BIN]);
    process::run(build.arg("--target-dir").arg(&target_dir))?;

    let mut bench = process::program(target_dir.join("release").join(BIN));
    if as_json {
        bench.arg("--json");
    }
    let output = bench.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {BIN}"))?;
    // Exit code 1 is a missed target: a result, whose figures are printed.
    let reached = match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => bail!("{BIN} failed ({})", output.status),
    };
    let written = String::from_utf8(output.stdout).with_context(|| format!("{BIN} did not write text"))?;
    Ok(Report { written, reached })
}

impl Report {
    pub(crate) fn table(&self) -> &str {
        &self.written
    }

    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.written).with_context(|| format!("{BIN} did not write JSON"))
    }

    pub(crate) const fn is_reached(&self) -> bool {
        self.reached
    }
}
