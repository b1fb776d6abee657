//! Benchmark of rule scripts: overhead of a call, many games at once, memory of the warm processes.

use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::{process, setup};

const BENCH: &str = "script-bench";

pub(crate) fn run(as_json: bool, quick: bool) -> Result<()> {
    setup::run()?;
    let target_dir = process::target_dir();
    for (package, bin) in [("host-server", "tabiya"), ("tests", BENCH)] {
        eprintln!("building {bin}");
        let mut build =
            process::cargo(&["build", "--quiet", "--locked", "--release", "--package", package, "--bin", bin]);
        process::run(build.arg("--target-dir").arg(&target_dir))?;
    }
    let programs = target_dir.join("release");
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
