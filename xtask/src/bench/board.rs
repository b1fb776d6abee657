//! Benchmark of the firmware: latency in QEMU, and memory of the images.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::scan;
use super::verdict::{Comparison, verdict};
use crate::chip::{self, Figure};
use crate::firmware::{Board, Images};
use crate::image::Image;
use crate::{process, setup};

const BENCH: &str = "board-bench";

pub(crate) fn run(as_json: bool, quick: bool) -> Result<()> {
    setup::run()?;
    let images = Images::build()?;
    let scan = scan::measure()?;
    let target_dir = process::target_dir();
    for (package, bin) in [("host-server", "tabiya"), ("tests", BENCH)] {
        eprintln!("building {bin}");
        let mut build = process::cargo(&["build", "--quiet", "--locked", "--release", "--package", package]);
        process::run(build.args(["--bin", bin, "--target-dir"]).arg(&target_dir))?;
    }
    let programs = target_dir.join("release");
    let (written, are_answers_in_time) = measure(&programs, images.emulated()?, as_json, quick)?;

    let (board, _, image) = images.0.first().context("no image was built")?;
    let chip = chip::latency(board, &relay(&programs))?;
    if as_json {
        let answers: Value = serde_json::from_str(&written).with_context(|| format!("{BENCH} did not write JSON"))?;
        println!("{:#}", json!({ "answers": answers, "images": images.json(), "scan": scan.json(), "chip": chip }));
    } else {
        println!("{written}\n{}\n{}\n{}", scan.table(), images.table(), verdicts(board, image).concat());
        println!("{} in the chip model, idle and while its computer searches", board.name);
        for (name, figure) in &chip {
            print!("{}", verdict(name, figure.value, Comparison::AtMost, figure.limit));
        }
    }
    // An image over its budget has failed to build.
    let is_chip_in_time = chip.values().all(Figure::is_reached);
    ensure!(are_answers_in_time && scan.is_reached() && is_chip_in_time, "a target was missed");
    Ok(())
}

fn verdicts(board: &Board, image: &Image) -> [String; 2] {
    let flash = ("flash", image.flash, board.budget.flash);
    let ram = ("static RAM", image.ram, board.budget.ram);
    let figure = |bytes| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
    [flash, ram].map(|(memory, taken, budget)| {
        verdict(&format!("bytes of {memory}, {}", board.name), figure(taken), Comparison::AtMost, figure(budget))
    })
}

fn relay(programs: &Path) -> PathBuf {
    programs.join(format!("tabiya{}", std::env::consts::EXE_SUFFIX))
}

/// The output of the benchmark program, and whether it reached its targets.
fn measure(programs: &Path, image: &Path, as_json: bool, quick: bool) -> Result<(String, bool)> {
    let mut bench = process::program(programs.join(BENCH));
    bench.env("TABIYA_PROGRAM", relay(programs));
    bench.env("TABIYA_MPS2_IMAGE", image).args(as_json.then_some("--json")).args(quick.then_some("--quick"));
    let output = bench.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {BENCH}"))?;
    // Exit code 1 is a missed target: a result, whose figures are printed.
    let reached = match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => bail!("{BENCH} failed ({})", output.status),
    };
    Ok((String::from_utf8(output.stdout).with_context(|| format!("{BENCH} did not write text"))?, reached))
}
