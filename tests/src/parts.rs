//! Finds the parts that a test needs, and decides what it means when one is missing.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

/// Set to anything, it says that all parts must be there: then a missing one is a failure.
const REQUIRE_PARTS: &str = "TABIYA_REQUIRE_PARTS";

/// Holds the path of the firmware for the emulated board.
const MPS2_IMAGE: &str = "TABIYA_MPS2_IMAGE";

/// Holds the path of the program `tabiya`, if it is not to be the one that was built with the tests.
const TABIYA: &str = "TABIYA_PROGRAM";

/// The firmware for the emulated board. Without it the test has nothing to boot and should return.
///
/// # Panics
///
/// When it is missing and all parts are required.
#[must_use]
pub fn mps2_image() -> Option<PathBuf> {
    let image = env::var_os(MPS2_IMAGE).map(PathBuf::from);
    if image.is_none() {
        missing(&format!("{MPS2_IMAGE} does not say where the emulated board's firmware is"));
    }
    image
}

/// The program `tabiya`, as it was built together with the tests (`bin/relay.rs`). Without it the test has no relay and should
/// return.
///
/// # Panics
///
/// When it is missing and all parts are required.
#[must_use]
pub fn tabiya() -> Option<PathBuf> {
    let given = env::var_os(TABIYA).map(PathBuf::from);
    // Tests are in a folder beside it.
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

/// Whether there is a Redis to start. Without it the test has nothing to share and should return.
///
/// # Panics
///
/// When it is missing and all parts are required.
#[must_use]
pub fn redis_server() -> bool {
    let is_there =
        |name: &str| env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|path| path.join(name).is_file());
    let are_there = is_there("redis-server") && is_there("redis-cli");
    if !are_there {
        missing("there is no redis-server here");
    }
    are_there
}

fn missing(reason: &str) {
    assert!(env::var_os(REQUIRE_PARTS).is_none(), "{reason}, and {REQUIRE_PARTS} is set");
    // Written past the test harness, which would keep the words of a test that passes to itself. If even stderr is gone,
    // there is nobody left to tell.
    let _ = writeln!(io::stderr(), "skipped: {reason}; `cargo xtask test` builds it and runs this");
}
