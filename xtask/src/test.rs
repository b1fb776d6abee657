//! Everything that must hold before a change lands, cheapest first.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::firmware::{BOARDS, MPS2, PROFILE, TARGET};
use crate::process::{cargo, run as run_command, tabiya};
use crate::{browser, setup, size};

pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    let mut steps = 0;
    let mut step = |headline: &str, work: &mut dyn FnMut() -> Result<()>| -> Result<()> {
        let start = Instant::now();
        eprintln!("\n==> {headline}");
        work().with_context(|| format!("step \"{headline}\""))?;
        eprintln!("    passed in {:.1} s", start.elapsed().as_secs_f32());
        steps += 1;
        Ok(())
    };

    step("set-up", &mut setup::run)?;
    step("formatting", &mut || run_command(&mut cargo(&["fmt", "--all", "--check"])))?;
    step("lints, host", &mut || run_command(&mut clippy(&["--workspace", "--all-targets"])))?;
    for board in &BOARDS {
        // In the profile of the images, so that the build scripts and macros of their crates are built once.
        step(&format!("lints, {}", board.name), &mut || run_command(&mut clippy(&board.selection())))?;
    }

    let mut mps2_image = PathBuf::new();
    step("images", &mut || {
        let mut images = Vec::new();
        for board in &BOARDS {
            let (path, image) = board.build()?;
            if board.name == MPS2.name {
                mps2_image = path;
            }
            images.push((board, image));
        }
        println!("{}", size::table(&images));
        Ok(())
    })?;
    step("no panic in the rules", &mut || {
        // Where a panic can be reached, this image does not link.
        let mut build = cargo(&["build", "--locked", "--package", "rules-bench", "--bin", "never-panics"]);
        run_command(build.args(["--features", "tabiya", "--target", TARGET, "--profile", "fat"]))
    })?;
    step("no panic in the brain", &mut || {
        let mut build = cargo(&["build", "--locked", "--package", "brain-bench", "--bin", "brain-never-panics"]);
        run_command(build.args(["--target", TARGET, "--profile", PROFILE]))
    })?;
    // The tests of the crates and those of the whole system are one command: two would build what they share twice, each
    // with the features that its own packages ask for.
    step("tests", &mut || {
        let mut tests = cargo(&["test", "--workspace", "--locked"]);
        run_command(tests.env("TABIYA_MPS2_IMAGE", &mps2_image).env("TABIYA_REQUIRE_PARTS", "1"))
    })?;
    step("types of the page", &mut || run_command(&mut browser::npm("types")))?;
    step("browser", &mut || {
        // The tests have built it.
        run_command(browser::npm("test").env("TABIYA_PROGRAM", tabiya()))
    })?;
    step("documentation", &mut || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
        run_command(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;

    eprintln!("\nAll {steps} steps passed in {:.0} s.", start.elapsed().as_secs_f32());
    Ok(())
}

fn clippy(selection: &[&str]) -> Command {
    let mut command = cargo(&["clippy", "--locked"]);
    command.args(selection).args(["--", "-D", "warnings"]);
    command
}
