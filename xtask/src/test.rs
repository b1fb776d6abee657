//! Everything that must hold before a change lands, cheapest first.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::firmware::{BOARDS, MPS2, PROFILE, TARGET};
use crate::process::{cargo, run as run_command, tabiya};
use crate::{browser, setup, size};

pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    let steps = Steps::default();
    steps.take("set-up", setup::run)?;
    steps.take("formatting", || run_command(&mut cargo(&["fmt", "--all", "--check"])))?;
    let mps2_image = lint_and_build(&steps)?;
    // The tests of the crates and those of the whole system are one command: two would build what they share twice, each
    // with the features that its own packages ask for.
    steps.take("tests", || {
        let mut tests = cargo(&["test", "--workspace", "--locked"]);
        run_command(tests.env("TABIYA_MPS2_IMAGE", &mps2_image).env("TABIYA_REQUIRE_PARTS", "1"))
    })?;
    steps.take("types of the page", || run_command(&mut browser::npm("types")))?;
    steps.take("browser", || {
        // The tests have built the program.
        let mut plays = browser::npm("test");
        run_command(plays.env("TABIYA_PROGRAM", tabiya()).env("TABIYA_MPS2_IMAGE", &mps2_image))
    })?;

    eprintln!("\nAll {} steps passed in {:.0} s.", steps.passed(), start.elapsed().as_secs_f32());
    Ok(())
}

/// Lints everything, reads the documentation, and builds the firmware; gives where the emulator's image is.
///
/// What is done for the host and what is done for the boards go on at the same time: they build in folders of their own, and
/// each has long stretches that keep one core busy and no more.
fn lint_and_build(steps: &Steps) -> Result<PathBuf> {
    let (host, boards) = thread::scope(|scope| {
        let boards = scope.spawn(|| lint_and_build_boards(steps));
        (lint_host(steps), boards.join())
    });
    host?;
    boards.unwrap_or_else(|_| bail!("the firmware's steps have panicked"))
}

fn lint_host(steps: &Steps) -> Result<()> {
    steps.take("lints, host", || run_command(&mut clippy(&["--workspace", "--all-targets"])))?;
    steps.take("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
        run_command(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })
}

fn lint_and_build_boards(steps: &Steps) -> Result<PathBuf> {
    for board in &BOARDS {
        // In the profile of the images, so that the build scripts and macros of their crates are built once.
        steps.take(&format!("lints, {}", board.name), || run_command(&mut clippy(&board.selection())))?;
    }
    let mps2_image = steps.take("images", || {
        let mut images = Vec::new();
        let mut mps2_image = PathBuf::new();
        for board in &BOARDS {
            let (path, image) = board.build()?;
            if board.name == MPS2.name {
                mps2_image = path;
            }
            images.push((board, image));
        }
        println!("{}", size::table(&images));
        Ok(mps2_image)
    })?;
    steps.take("no panic in the rules", || {
        // Where a panic can be reached, this image does not link.
        let mut build = cargo(&["build", "--locked", "--package", "rules-bench", "--bin", "never-panics"]);
        run_command(build.args(["--features", "tabiya", "--target", TARGET, "--profile", "fat"]))
    })?;
    steps.take("no panic in the brain", || {
        let mut build = cargo(&["build", "--locked", "--package", "brain-bench", "--bin", "brain-never-panics"]);
        run_command(build.args(["--target", TARGET, "--profile", PROFILE]))
    })?;
    Ok(mps2_image)
}

fn clippy(selection: &[&str]) -> Command {
    let mut command = cargo(&["clippy", "--locked"]);
    command.args(selection).args(["--", "-D", "warnings"]);
    command
}

/// Announces each step, and says how long it took.
#[derive(Default)]
struct Steps {
    passed: AtomicUsize,
}

impl Steps {
    fn take<T>(&self, headline: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        eprintln!("\n==> {headline}");
        let result = work().with_context(|| format!("step \"{headline}\""))?;
        eprintln!("    {headline}: passed in {:.1} s", start.elapsed().as_secs_f32());
        self.passed.fetch_add(1, Ordering::Relaxed);
        Ok(result)
    }

    fn passed(&self) -> usize {
        self.passed.load(Ordering::Relaxed)
    }
}
