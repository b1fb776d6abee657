#![doc = include_str!("../README.md")]

pub mod boards;
mod command;
pub mod computer;
pub mod config;
pub mod dialect;
mod discovery;
mod failure;
mod genome;
mod hex;
mod line;
pub mod metrics;
mod owner;
pub mod page;
mod pairing;
mod pgn;
mod random;
mod reeds;
pub mod relay;
pub mod room;
pub mod scripts;
pub mod server;
pub mod store;
mod timer;
mod uci;
pub mod virtual_board;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use failure::Failure;

/// Runs the command line of this process, and returns its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let mut output = io::stdout().lock();
    let result = command::run(std::env::args_os(), &mut output).and_then(|()| Ok(output.flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it, as `head` does.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // Standard error may be closed, too.
            let _ = writeln!(io::stderr(), "tabiya: {failure}");
            ExitCode::FAILURE
        }
    }
}
