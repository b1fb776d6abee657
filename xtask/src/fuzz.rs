//! Runs the fuzzers, each for a limited time. They start from the committed seeds, and write what they find to a corpus that
//! is not committed.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::process;

#[derive(Args)]
pub(crate) struct Options {
    /// The target; all targets in turn by default.
    target: Option<String>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Instrumentation for fuzzers needs a nightly compiler.
const TOOLCHAIN: &str = "nightly";

pub(crate) fn run(options: &Options) -> Result<()> {
    let toolchains = process::capture(process::program("rustup").args(["toolchain", "list"]))?;
    ensure!(
        toolchains.lines().any(|line| line.starts_with(TOOLCHAIN)),
        "fuzzing needs a nightly compiler; run: rustup toolchain install nightly --profile minimal"
    );
    if !process::is_on_path("cargo-fuzz") {
        eprintln!("installing cargo-fuzz, which builds and runs the fuzz targets");
        process::run(&mut process::cargo(&["install", "--locked", "cargo-fuzz"]))?;
    }

    let listed = process::capture(&mut cargo_fuzz(&["list"]))?;
    let known: Vec<&str> = listed.lines().collect();
    if let Some(target) = &options.target {
        ensure!(known.contains(&target.as_str()), "there is no fuzz target {target}; there are {}", known.join(", "));
    }
    for target in known.into_iter().filter(|&known| options.target.as_ref().is_none_or(|target| target == known)) {
        eprintln!("\n==> {target}, {} s", options.seconds);
        let limit = format!("-max_total_time={}", options.seconds);
        let [corpus, seeds] = ["corpus", "seeds"].map(|folder| process::root().join("fuzz").join(folder).join(target));
        fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
        let mut fuzzer = cargo_fuzz(&["run", target]);
        fuzzer.args([corpus, seeds]).args(["--", &limit, "-timeout=10", "-print_final_stats=1"]);
        process::run(&mut fuzzer)?;
    }
    Ok(())
}

/// Cargo of the nightly toolchain, by name, because the workspace pins the stable one.
fn cargo_fuzz(args: &[&str]) -> Command {
    let mut command = process::program("rustup");
    command.args(["run", TOOLCHAIN, "cargo", "fuzz"]).args(args);
    command
}
