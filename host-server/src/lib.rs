#![doc = include_str!("../README.md")]

pub mod boards;
mod command;
pub mod config;
mod dice;
mod failure;
mod hex;
mod line;
mod load;
pub mod page;
mod pgn;
mod reeds;
pub mod relay;
pub mod room;
pub mod server;
pub mod store;
mod terminal;
pub mod tongue;
pub mod virtual_board;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use failure::Failure;

/// Does what the command line says, and tells the process how to end.
#[must_use]
pub fn run() -> ExitCode {
    let mut output = io::stdout().lock();
    let result = command::run(std::env::args_os(), &mut output).and_then(|()| Ok(output.flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output has seen enough, as `head` does. That is not our failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // There is nobody left to tell if this fails, too.
            let _ = writeln!(io::stderr(), "tabiya: {failure}");
            ExitCode::FAILURE
        }
    }
}
