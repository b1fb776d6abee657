//! Finds the programs and images that a test needs. If one is missing, the test is skipped or fails.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

/// If this variable is set, a missing part fails the test.
const REQUIRE_PARTS: &str = "TABIYA_REQUIRE_PARTS";

/// The path of the firmware image for QEMU.
const MPS2_IMAGE: &str = "TABIYA_MPS2_IMAGE";

/// The path of another `tabiya` than the one built with the tests.
const TABIYA: &str = "TABIYA_PROGRAM";

/// The firmware image for QEMU; if it is `None`, the test should return.
///
/// # Panics
///
/// If it is missing and all parts are required.
#[must_use]
pub fn mps2_image() -> Option<PathBuf> {
    let image = env::var_os(MPS2_IMAGE).map(PathBuf::from);
    if image.is_none() {
        missing(&format!("{MPS2_IMAGE} does not say where the emulated board's firmware is"));
    }
    image
}

/// The program `tabiya`, as built with the tests (`bin/relay.rs`); if it is `None`, the test should
/// return.
///
/// # Panics
///
/// If it is missing and all parts are required.
#[must_use]
pub fn tabiya() -> Option<PathBuf> {
    let given = env::var_os(TABIYA).map(PathBuf::from);
    // Test executables are in `deps/` beside it.
    let beside = || {
        let folder = env::current_exe().ok()?.parent()?.parent()?.to_owned();
        Some(folder.join(format!("relay{}", env::consts::EXE_SUFFIX))).filter(|program| program.is_file())
    };
    let program = given.or_else(beside);
    if program.is_none() {
        missing("there is no tabiya to start");
    }
    program
}

/// Whether Redis is installed; if not, the test should return.
///
/// # Panics
///
/// If it is missing and all parts are required.
#[must_use]
pub fn redis_server() -> bool {
    let are_there = is_there("redis-server") && is_there("redis-cli");
    if !are_there {
        missing("there is no redis-server here");
    }
    are_there
}

/// Whether Python is installed, which executes rule scripts; if not, the test should return.
///
/// # Panics
///
/// If it is missing and all parts are required.
#[must_use]
pub fn python() -> bool {
    let is_there = is_there("python3");
    if !is_there {
        missing("there is no python3 here");
    }
    is_there
}

fn is_there(name: &str) -> bool {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|path| path.join(name).is_file())
}

/// The program nginx; if it is `None`, the test should return.
///
/// # Panics
///
/// If it is missing and all parts are required.
#[must_use]
pub fn nginx() -> Option<PathBuf> {
    // Debian has it in a directory that is not on the path of every user.
    let folders =
        env::split_paths(&env::var_os("PATH").unwrap_or_default()).chain(["/usr/sbin".into()]).collect::<Vec<_>>();
    let program = folders.into_iter().map(|folder| folder.join("nginx")).find(|program| program.is_file());
    if program.is_none() {
        missing("there is no nginx here");
    }
    program
}

/// Says that a test is skipped, because this machine lacks something that `cargo xtask test` cannot build either.
///
/// # Panics
///
/// If all parts are required.
pub fn skip(reason: &str) {
    assert!(env::var_os(REQUIRE_PARTS).is_none(), "{reason}, and {REQUIRE_PARTS} is set");
    // Directly to stderr, since the test harness captures the output of tests that pass.
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

fn missing(reason: &str) {
    assert!(env::var_os(REQUIRE_PARTS).is_none(), "{reason}, and {REQUIRE_PARTS} is set");
    let _ = writeln!(io::stderr(), "skipped: {reason}; `cargo xtask test` builds it and runs this");
}
