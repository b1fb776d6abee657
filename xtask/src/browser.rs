//! The browser tests, which run in Node.js.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{program, root};

pub(crate) fn folder() -> PathBuf {
    root().join("tests/browser")
}

/// Runs a script of `tests/browser/package.json`.
pub(crate) fn npm(script: &str) -> Command {
    let mut npm = program("npm");
    npm.args(["run", "--silent", script]).current_dir(folder()).stdin(Stdio::null());
    npm
}
