//! Benchmark of rule scripts: overhead of a call, many games at once, memory of the warm processes.

use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};

use crate::{process, setup};

const BENCH: &str = "script-bench";

pub(crate) fn run(as_json: bool, quick: bool, games: u32) -> Result<()> {
    setup::run()?;
    if games > 0 {
        eprintln!("comparing the script of chess with the rules of chess in {games} games");
        let mut compare =
            process::cargo(&["test", "--quiet", "--locked", "--package", "host-server", "--test", "scripts"]);
        compare.args(["--", "--exact", "bundled::the_script_of_chess_agrees_with_the_rules_of_chess"]);
        compare.env("TABIYA_SCRIPT_GAMES", games.to_string()).env("TABIYA_REQUIRE_PARTS", "1");
        // The report of the benchmark alone is on standard output.
        let status = compare.stdout(Stdio::null()).status().context("cannot start cargo")?;
        ensure!(status.success(), "the script of chess does not agree with the rules of chess");
        eprintln!("it agrees in all {games} games");
    }
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
