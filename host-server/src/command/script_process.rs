//! `tabiya script-process`: locks itself down and becomes the Python interpreter. Only the relay starts it.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The interpreter
    python: PathBuf,
    /// The program that it executes
    program: OsString,
    /// Files and directories that it may read
    libraries: Vec<PathBuf>,
}

impl Arguments {
    #[cfg(target_os = "linux")]
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        use crate::scripts::sandbox::lockdown;

        match lockdown::run(&self.python, &self.program, &self.libraries, output) {
            Ok(never) => match never {},
            Err(error) => Err(Failure::Sandbox(error.to_string())),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "the arguments are those of Linux")]
    pub(super) fn run(&self, _: &mut impl Write) -> Result<(), Failure> {
        Err(Failure::Sandbox("the sandbox for scripts needs Linux".to_owned()))
    }
}
