//! Benchmark of the relay beside an echo server: throughput, latency, and the cost of moves and idle connections.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::{process, setup};

const BENCH: &str = "relay-bench";

pub(crate) fn run(as_json: bool, quick: bool) -> Result<()> {
    setup::run()?;
    let target_dir = process::target_dir();
    for (package, bins) in [("host-server", &["tabiya"][..]), ("tests", &[BENCH, "echo", "load"])] {
        eprintln!("building {}", bins.join(" and "));
        let mut build = process::cargo(&["build", "--quiet", "--locked", "--release", "--package", package]);
        build.args(bins.iter().flat_map(|bin| ["--bin", bin])).arg("--target-dir").arg(&target_dir);
        process::run(&mut build)?;
    }
    measure(&target_dir.join("release"), as_json, quick)
}

fn measure(programs: &Path, as_json: bool, quick: bool) -> Result<()> {
    let mut bench = process::program(programs.join(BENCH));
    // The release build, as it ships.
    bench.env("TABIYA_PROGRAM", programs.join(format!("tabiya{}", std::env::consts::EXE_SUFFIX)));
    bench.args(as_json.then_some("--json")).args(quick.then_some("--quick"));
    let status = bench.stdin(Stdio::null()).status().with_context(|| format!("cannot start {BENCH}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => bail!("a target was missed"),
        _ => bail!("{BENCH} failed ({status})"),
    }
}
