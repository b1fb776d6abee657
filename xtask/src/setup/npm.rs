//! The JavaScript modules of the browser tests, as `tests/browser/package-lock.json` pins them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::SystemTime;

use anyhow::Result;

use crate::browser;
use crate::process::{program, run as run_command};

/// Installs the modules, if the lock file is newer than the last installation.
pub(super) fn install_modules() -> Result<()> {
    let folder = browser::folder();
    // npm writes this file last.
    if modified(&folder.join("package-lock.json")) <= modified(&folder.join("node_modules/.package-lock.json")) {
        return Ok(());
    }
    eprintln!("setup: npm ci, in tests/browser, for the browser tests");
    let mut npm = program("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).stdin(Stdio::null());
    run_command(&mut npm)
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}
