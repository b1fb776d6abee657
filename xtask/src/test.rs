//! `cargo xtask test`: checks and tests everything that must pass before a change lands, or with `--changed` what a change
//! can affect. The cheapest steps come first.

mod affected;
mod changes;
mod steps;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Result, bail};
use clap::Args;

use self::affected::Scope;
use self::steps::Steps;
use crate::emulator::TARGET;
use crate::firmware::{Images, PROFILE, boards, emulated_board};
use crate::metadata::Metadata;
use crate::process::{cargo, run as run_command, run_then_print, tabiya};
use crate::{browser, chip, licences, setup};

#[derive(Args)]
pub(crate) struct Options {
    /// Run only the steps and packages that the change can affect: all commits since `--base`, and uncommitted files.
    #[arg(long)]
    changed: bool,
    /// The revision to compare with. The default is origin/main, or the parent commit if HEAD is that.
    #[arg(long, value_name = "REVISION", requires = "changed")]
    base: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let steps = Steps::new();
    let result = run_steps(options, &steps);
    eprintln!("\n{}", steps.table());
    result
}

fn run_steps(options: &Options, steps: &Steps) -> Result<()> {
    let scope = if options.changed { scope_of_change(options.base.as_deref())? } else { Scope::ALL };
    steps.take("set-up", setup::run)?;
    steps.take("formatting", || run_command(&mut cargo(&["fmt", "--all", "--check"])))?;
    steps.take("licences", licences::check)?;
    let image = lint_and_build(steps, &scope)?;
    if let Some(selection) = scope.test_selection() {
        steps.take("test programs", || run_command(crate_tests(&selection).arg("--no-run")))?;
    }
    if (scope.page || scope.chip()) && !(scope.includes("host-server") && scope.includes("tests")) {
        // Otherwise the step before has built them.
        steps.take("programs", || {
            let packages = ["--package", "host-server", "--package", "tests", "--bins"];
            run_command(cargo(&["build", "--locked"]).args(packages))
        })?;
    }
    run_tests(steps, &scope, image.as_deref())
}

/// Runs the tests of the crates and of the system, and at the same time the chip model and the browser tests.
///
/// Both mostly wait for sockets, timers and emulated boards, and leave the cores idle. Everything is built before, so that
/// no test waits for cargo's lock.
fn run_tests(steps: &Steps, scope: &Scope, image: Option<&Path>) -> Result<()> {
    let (crates, page) = thread::scope(|threads| {
        let page = threads.spawn(|| test_chip_and_page(steps, scope, image));
        (test_crates(steps, scope, image), page.join())
    });
    crates?;
    page.unwrap_or_else(|_| bail!("the steps of the chip model and the browser panicked"))
}

fn test_crates(steps: &Steps, scope: &Scope, image: Option<&Path>) -> Result<()> {
    let Some(selection) = scope.test_selection() else { return Ok(()) };
    steps.take("tests", || {
        let mut tests = crate_tests(&selection);
        tests.arg("--no-fail-fast").env("TABIYA_REQUIRE_PARTS", "1");
        // One more than there are cores, because most system tests wait.
        let threads = thread::available_parallelism().map_or(2, NonZero::get) + 1;
        tests.env("RUST_TEST_THREADS", threads.to_string());
        run_command(tests.envs(image.iter().map(|image| ("TABIYA_MPS2_IMAGE", image))))
    })
}

/// One command for the tests of the crates and of the system: with two, cargo would build shared dependencies twice, once
/// for each set of features.
fn crate_tests(selection: &[String]) -> Command {
    let mut tests = cargo(&["test", "--locked"]);
    tests.args(selection);
    tests
}

fn test_chip_and_page(steps: &Steps, scope: &Scope, image: Option<&Path>) -> Result<()> {
    // The output of `cargo test` is shown while it runs.
    let run_npm = if scope.test_selection().is_some() { run_then_print } else { run_command };
    if scope.page {
        steps.take("types of the page", || run_npm(&mut browser::npm("types")))?;
        steps.take("browser", || {
            let mut tests = browser::npm("test");
            tests.env("TABIYA_PROGRAM", tabiya());
            run_npm(tests.envs(image.iter().map(|image| ("TABIYA_MPS2_IMAGE", image))))
        })?;
    }
    if scope.chip() {
        steps.take("chip model", chip::run_quick)?;
    }
    Ok(())
}

fn scope_of_change(base: Option<&str>) -> Result<Scope> {
    let files = changes::files(base)?;
    let members = Metadata::load()?.members();
    let readers = changes::readers(&files, &members)?;
    let scope = Scope::of_change(&files, &members, &readers);
    let packages = scope.test_selection().unwrap_or_default().join(" ");
    eprintln!(
        "{} files changed, which affect: {packages}{}",
        files.len(),
        if scope.page { " and the page" } else { "" }
    );
    Ok(scope)
}

/// Lints, builds the documentation and the firmware; returns the image for QEMU, if a step after this needs it.
///
/// The host and the boards build in folders of their own, and each has long phases that keep one core busy. So both run at
/// the same time.
fn lint_and_build(steps: &Steps, scope: &Scope) -> Result<Option<PathBuf>> {
    let (host, boards) = thread::scope(|threads| {
        let boards = threads.spawn(|| lint_and_build_boards(steps, scope));
        (lint_host(steps, scope), boards.join())
    });
    host?;
    boards.unwrap_or_else(|_| bail!("the steps of the firmware panicked"))
}

fn lint_host(steps: &Steps, scope: &Scope) -> Result<()> {
    let Some(selection) = scope.lint_selection() else { return Ok(()) };
    let selection: Vec<&str> = selection.iter().map(String::as_str).collect();
    steps.take("lints, host", || run_command(clippy(&selection).args(["--all-targets", "--", "-D", "warnings"])))?;
    steps.take("documentation", || {
        let mut doc = cargo(&["doc", "--no-deps", "--locked"]);
        run_command(doc.args(&selection).env("RUSTDOCFLAGS", "-D warnings"))
    })
}

fn lint_and_build_boards(steps: &Steps, scope: &Scope) -> Result<Option<PathBuf>> {
    let image = if scope.images() {
        for board in boards()? {
            // In the profile of the images, so that build scripts and macros of the dependencies are built once.
            let lint = || run_command(clippy(&board.selection()).args(["--", "-D", "warnings"]));
            steps.take(&format!("lints, {}", board.name), lint)?;
        }
        let build = || {
            let images = Images::build()?;
            println!("{}", images.table());
            images.emulated().map(Path::to_owned)
        };
        Some(steps.take("images", build)?)
    } else if scope.tests("tests") || scope.page {
        Some(steps.take("image for QEMU", || Ok(emulated_board()?.build()?.0))?)
    } else {
        None
    };
    // These images do not link if the compiler cannot prove that no panic is reachable.
    if scope.includes("rules-bench") {
        steps.take("no panic in the rules", || {
            let mut build = cargo(&["build", "--locked", "--package", "rules-bench", "--bin", "never-panics"]);
            run_command(build.args(["--features", "tabiya", "--target", TARGET, "--profile", "fat"]))
        })?;
    }
    if scope.includes("engine-bench") {
        steps.take("no panic in the engine", || {
            let mut build = cargo(&["build", "--locked", "--package", "engine-bench", "--bin", "engine-never-panics"]);
            run_command(build.args(["--target", TARGET, "--profile", PROFILE]))
        })?;
    }
    if scope.includes("surface-bench") {
        steps.take("no panic in the board core", || {
            let mut build = cargo(&["build", "--locked", "--package", "surface-bench", "--bin", "board-never-panics"]);
            run_command(build.args(["--target", TARGET, "--profile", PROFILE]))
        })?;
    }
    Ok(image)
}

fn clippy(selection: &[&str]) -> Command {
    let mut command = cargo(&["clippy", "--locked"]);
    command.args(selection);
    command
}
