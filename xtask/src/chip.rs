//! `cargo xtask chip`: executes the images of the real boards in a model of their chips (`tests/chip`), and checks them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::firmware::{Board, board, boards};
use crate::metadata::Metadata;
use crate::process;

#[derive(Args)]
pub(crate) struct Options {
    /// The board, from the table in firmware/Cargo.toml. The default is all boards whose chip has a model.
    #[arg(long)]
    board: Option<String>,
    /// Run all checks, with more repetitions. It takes some minutes.
    #[arg(long)]
    long: bool,
    /// Run only these checks.
    checks: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    install_unicorn()?;
    process::run(&mut process::cargo(&["build", "--locked", "--package", "host-server"]))?;
    let boards = match &options.board {
        Some(name) => vec![board(Some(name))?],
        None => boards()?,
    };
    let mut arguments = options.checks.clone();
    if options.long {
        arguments.push("--long".to_owned());
    }
    check(boards, &arguments)
}

/// Runs the quick checks of all boards. The relay program must have been built.
pub(crate) fn run_quick() -> Result<()> {
    check(boards()?, &[])
}

/// Measures scans, lights and the link of a board to a relay, which is this program, idle and while its computer searches: figures with
/// their limits.
///
/// A figure over its limit is a result, not an error.
pub(crate) fn latency(board: &Board, relay: &Path) -> Result<BTreeMap<String, Figure>> {
    install_unicorn()?;
    eprintln!("measuring {} in the chip model", board.name);
    let (image, _) = board.build()?;
    let file = process::target_dir().join("chip-latency.json");
    fs::write(&file, "").with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = checks(board, &image);
    command.args(["--long", "latency", "--tabiya"]).arg(relay).arg("--figures").arg(&file);
    let output = command.output().context("cannot start the chip model; `cargo xtask setup` installs it")?;
    eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let written = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let figures: BTreeMap<String, Figure> =
        serde_json::from_str(&written).context("the chip model wrote no figures")?;
    let is_reached = figures.values().all(Figure::is_reached);
    ensure!(output.status.success() || !is_reached, "the image for {} failed in the chip model", board.name);
    Ok(figures)
}

/// A figure of the chip model, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    pub(crate) limit: f64,
}

impl Figure {
    pub(crate) fn is_reached(&self) -> bool {
        self.value < self.limit
    }
}

fn checks(board: &Board, image: &Path) -> Command {
    let mut command = process::program(python());
    command.args(["-m", "checks", "--board", &board.name, "--elf"]).arg(image).env("PYTHONPATH", folder());
    // Compiled Python files would be in the source tree.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Checks the images of all boards whose chip has a model, at the same time.
fn check(boards: Vec<Board>, arguments: &[String]) -> Result<()> {
    let metapac = Metadata::load()?.folder_of("stm32-metapac").context("the workspace does not use stm32-metapac")?;
    let mut commands = Vec::new();
    for board in boards.into_iter().filter(|board| !board.is_emulated()) {
        if !board.chip_model {
            eprintln!("{}: not executed, because tests/chip has no model of its chip", board.name);
            continue;
        }
        let (image, _) = board.build()?;
        let mut command = checks(&board, &image);
        command.arg("--metapac").arg(&metapac).arg("--tabiya").arg(process::tabiya()).args(arguments);
        commands.push((board.name, command));
    }
    let results: Vec<Result<()>> = thread::scope(|threads| {
        let running: Vec<_> =
            commands.iter_mut().map(|(board, command)| threads.spawn(|| run_checks(board, command))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    ensure!(results.len() == commands.len(), "a thread of the chip model panicked");
    results.into_iter().collect()
}

fn run_checks(board: &str, command: &mut Command) -> Result<()> {
    process::run_then_print(command)
        .with_context(|| format!("the chip model of {board}, which `cargo xtask setup` installs"))
}

/// The folder of the model and of the checks.
fn folder() -> PathBuf {
    process::root().join("tests").join("chip")
}

/// The Python environment of the model.
fn environment() -> PathBuf {
    process::target_dir().join("chip-model")
}

fn python() -> PathBuf {
    environment().join("bin").join("python")
}

/// Installs the processor of the model (Unicorn) in an environment of its own, if the requirements have changed.
pub(crate) fn install_unicorn() -> Result<()> {
    let requirements = folder().join("requirements.txt");
    let wanted = fs::read_to_string(&requirements).context("cannot read tests/chip/requirements.txt")?;
    let installed = environment().join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    eprintln!("setup: a Python environment with Unicorn, for the chip model");
    let mut create = process::program("python3");
    process::run(create.args(["-m", "venv"]).arg(environment()))
        .context("cannot create a Python environment; on Debian `apt-get install python3-venv` provides it")?;
    let mut install = process::program(python());
    process::run(install.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements))?;
    write(&installed, &wanted)
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
