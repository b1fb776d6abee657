//! The program `tabiya`, as the tests start it. Cargo builds the programs of a package before its tests, and those of other
//! packages only if it is asked to: so this is never an old one.

use std::process::ExitCode;

fn main() -> ExitCode {
    host_server::run()
}
