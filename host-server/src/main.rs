//! The `tabiya` command. The code is in the library, where tests can use it.

use std::process::ExitCode;

fn main() -> ExitCode {
    host_server::run()
}
