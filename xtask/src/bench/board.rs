//! The board: how soon it answers in the emulator, and what it takes of a chip.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::scan;
use super::verdict::{Comparison, verdict};
use crate::firmware::{BOARDS, MPS2, NUCLEO};
use crate::image::Image;
use crate::{process, setup, size};

const BENCH: &str = "board-bench";

/// What the image of the board that people build may take.
const FLASH: u32 = 256 * 1024;
const RAM: u32 = 160 * 1024;

pub(crate) fn run(as_json: bool, quick: bool) -> Result<()> {
    setup::run()?;
    let mut images = Vec::new();
    let mut emulated = PathBuf::new();
    for board in &BOARDS {
        let (path, image) = board.build()?;
        if board.name == MPS2.name {
            emulated = path;
        }
        images.push((board, image));
    }
    let scan = scan::measure()?;
    let target_dir = process::target_dir();
    for (package, bin) in [("host-server", "tabiya"), ("tests", BENCH)] {
        eprintln!("building {bin}");
        let mut build = process::cargo(&["build", "--quiet", "--locked", "--release", "--package", package]);
        process::run(build.args(["--bin", bin, "--target-dir"]).arg(&target_dir))?;
    }
    let (written, are_answers_in_time) = measure(&target_dir.join("release"), &emulated, as_json, quick)?;

    let nucleo = images.iter().find(|(board, _)| board.name == NUCLEO.name).context("no image of the main board")?;
    if as_json {
        let answers: Value = serde_json::from_str(&written).with_context(|| format!("{BENCH} did not write JSON"))?;
        println!("{:#}", json!({ "answers": answers, "images": size::json(&images), "scan": scan.json() }));
    } else {
        println!("{written}\n{}\n{}\n{}", scan.table(), size::table(&images), verdicts(&nucleo.1).concat());
    }
    let is_small = nucleo.1.flash <= FLASH.into() && nucleo.1.ram <= RAM.into();
    ensure!(are_answers_in_time && is_small && scan.is_reached(), "a target was missed");
    Ok(())
}

fn verdicts(image: &Image) -> [String; 2] {
    [("flash", image.flash, FLASH), ("static RAM", image.ram, RAM)].map(|(what, taken, most)| {
        verdict(
            &format!("bytes of {what}, {}", NUCLEO.name),
            u32::try_from(taken).unwrap_or(u32::MAX).into(),
            Comparison::AtMost,
            most.into(),
        )
    })
}

/// What the program that plays has to say, and whether it is content.
fn measure(programs: &Path, image: &Path, as_json: bool, quick: bool) -> Result<(String, bool)> {
    let mut bench = process::program(programs.join(BENCH));
    bench.env("TABIYA_PROGRAM", programs.join(format!("tabiya{}", std::env::consts::EXE_SUFFIX)));
    bench.env("TABIYA_MPS2_IMAGE", image).args(as_json.then_some("--json")).args(quick.then_some("--quick"));
    let output = bench.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {BENCH}"))?;
    // A target that is missed is a result, and the figures are printed all the same.
    let reached = match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => bail!("{BENCH} failed ({})", output.status),
    };
    Ok((String::from_utf8(output.stdout).with_context(|| format!("{BENCH} did not write text"))?, reached))
}
