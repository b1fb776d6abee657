//! The cargo runner of the firmware's targets (see .cargo/config.toml): `cargo run` flashes the image of a real board, and
//! emulates that of an emulated one. The board follows from the name of the image.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::{firmware, flash, process};

#[derive(Args)]
pub(crate) struct Options {
    /// The image that cargo has built.
    image: PathBuf,
    /// Options of an emulated board.
    #[arg(trailing_var_arg = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(Options { image, arguments }: &Options) -> Result<()> {
    // Cargo gives a path relative to its working directory, and other programs run in the root of the workspace.
    let image = image.canonicalize().with_context(|| format!("cannot find {}", image.display()))?;
    let board = firmware::board(image.file_name().and_then(|name| name.to_str()))?;
    if board.is_emulated() {
        let mut emulate =
            process::cargo(&["run", "--quiet", "--locked", "--package", "tests", "--bin", "emulate", "--"]);
        process::run(emulate.arg(image).args(arguments))
    } else {
        flash::flash_image(&image, &board)
    }
}
