//! The modules that play in a browser, as `tests/browser/package-lock.json` names them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::SystemTime;

use anyhow::Result;

use crate::browser;
use crate::process::{program, run as run_command};

/// Fetches them, if the lock file has changed since that was done.
pub(super) fn run() -> Result<()> {
    let folder = browser::folder();
    // npm writes this one when it has put everything in its place.
    if changed(&folder.join("package-lock.json")) <= changed(&folder.join("node_modules/.package-lock.json")) {
        return Ok(());
    }
    eprintln!("setup: npm ci, in tests/browser, to fetch what plays in a browser");
    let mut npm = program("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).stdin(Stdio::null());
    run_command(&mut npm)
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}
