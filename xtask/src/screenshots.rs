//! Takes the screenshots of the README and the documents.

use anyhow::Result;

use crate::process::{cargo, run as run_command, tabiya};
use crate::{browser, setup};

/// Writes them to `docs/pictures`.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    run_command(&mut cargo(&["build", "--locked", "--package", "host-server"]))?;
    run_command(browser::npm("screenshots").env("TABIYA_PROGRAM", tabiya()))
}
