//! Runs the load generator of the `tests` package against relays.

use anyhow::Result;
use clap::Args;

use crate::process;

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// Options of the load generator.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut load =
        process::cargo(&["run", "--quiet", "--locked", "--release", "--package", "tests", "--bin", "load", "--"]);
    process::run(load.args(&options.arguments))
}
