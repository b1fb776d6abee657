//! Runs the soak test of the `tests` package: relays whose parts fail at random.

use anyhow::Result;
use clap::Args;

use crate::{process, setup};

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// Options of the soak test.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    let target_dir = process::target_dir();
    for (package, bin) in [("host-server", "tabiya"), ("tests", "soak")] {
        let mut build =
            process::cargo(&["build", "--quiet", "--locked", "--release", "--package", package, "--bin", bin]);
        process::run(build.arg("--target-dir").arg(&target_dir))?;
    }
    let programs = target_dir.join("release");
    let mut soak = process::program(programs.join("soak"));
    // The release build, as it ships.
    soak.env("TABIYA_PROGRAM", programs.join(format!("tabiya{}", std::env::consts::EXE_SUFFIX)));
    process::run(soak.args(&options.arguments))
}
