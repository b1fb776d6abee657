//! The program `tabiya` for the tests. Cargo builds the binaries of a package before its tests, but not those of other
//! packages, so this one is always current.

use std::process::ExitCode;

fn main() -> ExitCode {
    host_server::run()
}
