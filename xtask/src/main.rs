//! The development commands of the project. `cargo xtask --help` lists them.

mod bench;
mod browser;
mod chip;
mod drill_template;
mod emulator;
mod firmware;
mod flash;
mod fuzz;
mod image;
mod licences;
mod load;
mod metadata;
mod presets;
mod process;
mod qemu;
mod release;
mod run_image;
mod screenshots;
mod setup;
mod size;
mod soak;
mod test;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Development commands of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install the tools that the tests need.
    Setup,
    /// Install the tools, then check and test everything. A change may land if this passes.
    Test(test::Options),
    /// Build the firmware image of a board, and check it.
    Image(image::Options),
    /// Build the firmware of a board, flash it by USB, and show its log.
    Flash(flash::Options),
    /// Execute the images of the real boards in a model of their chips, and check them.
    Chip(chip::Options),
    /// Run the firmware in QEMU, and show its log.
    Qemu(qemu::Options),
    /// Play many games through relays in parallel, check every state, and measure. `--help` lists the options.
    Load(load::Options),
    /// Play games while relays, Redis, disks, clocks and connections fail at random. `--help` lists the options.
    Soak(soak::Options),
    /// Build all firmware images, and print the memory that they take and their budgets.
    Size(size::Options),
    /// Write probe-rs.toml from the table of boards in firmware/Cargo.toml.
    Boards,
    /// Write the 1:1 drill template of a board, as a PDF of A4 pages.
    DrillTemplate(drill_template::Options),
    /// Run benchmarks, beside other implementations.
    Bench(bench::Options),
    /// Run the fuzzers.
    Fuzz(fuzz::Options),
    /// Build the files for users in dist/: relay, firmware, container image, checksums and licences.
    Release(release::Options),
    /// Take the screenshots of the documents, in a browser.
    Screenshots,
    #[command(hide = true)]
    RunImage(run_image::Options),
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

fn run(command: &Command) -> Result<()> {
    match command {
        Command::Setup => setup::run(),
        Command::Test(options) => test::run(options),
        Command::Image(options) => image::run(options),
        Command::Flash(options) => flash::run(options),
        Command::Chip(options) => chip::run(options),
        Command::Qemu(options) => qemu::run(options),
        Command::Load(options) => load::run(options),
        Command::Soak(options) => soak::run(options),
        Command::Size(options) => size::run(options),
        Command::Boards => presets::run(),
        Command::DrillTemplate(options) => drill_template::run(options),
        Command::Bench(options) => bench::run(options),
        Command::Fuzz(options) => fuzz::run(options),
        Command::Release(options) => release::run(options),
        Command::Screenshots => screenshots::run(),
        Command::RunImage(options) => run_image::run(options),
    }
}
