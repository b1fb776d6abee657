//! Every chore of the project is a command of this program: `cargo xtask --help` lists them.

mod bench;
mod browser;
mod emulator;
mod firmware;
mod flash;
mod fuzz;
mod image;
mod process;
mod qemu;
mod screenshots;
mod setup;
mod size;
mod test;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The chores of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what the tests need and this machine lacks.
    Setup,
    /// Set up, then check and test everything. What passes here may land.
    Test,
    /// Put the firmware on a board that is connected by USB, and show its log.
    Flash(flash::Options),
    /// Make the pictures of the documents: every main view of the pages, in a real browser.
    Screenshots,
    /// Boot the firmware in the emulator, and show its log.
    Qemu(qemu::Options),
    /// Build all images, and print the memory that they take and may take.
    Size(size::Options),
    /// Measure instead of test: figures beside those of others.
    Bench(bench::Options),
    /// Run the fuzzers.
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: &Chore) -> Result<()> {
    match chore {
        Chore::Setup => setup::run(),
        Chore::Test => test::run(),
        Chore::Screenshots => screenshots::run(),
        Chore::Flash(options) => flash::run(options),
        Chore::Qemu(options) => qemu::run(options),
        Chore::Size(options) => size::run(options),
        Chore::Bench(options) => bench::run(options),
        Chore::Fuzz(options) => fuzz::run(options),
    }
}
