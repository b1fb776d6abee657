//! What plays in a browser, with Node.js.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{program, root, target_dir};

pub(crate) fn folder() -> PathBuf {
    root().join("tests/browser")
}

/// A script that `tests/browser/package.json` has.
pub(crate) fn npm(script: &str) -> Command {
    let mut npm = program("npm");
    npm.args(["run", "--silent", script]).current_dir(folder()).stdin(Stdio::null());
    npm
}

/// The relay that it plays on, where cargo builds it.
pub(crate) fn tabiya() -> PathBuf {
    target_dir().join("debug").join(format!("tabiya{}", std::env::consts::EXE_SUFFIX))
}
