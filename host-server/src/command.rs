//! The command line. Each sub-command looks at all its input before it writes the first character.

mod board;
mod boards;
mod depot;
mod exhibit;
mod layout;
mod load;
#[cfg(unix)]
mod panel;
mod perft;
mod pgn;
mod serve;

use std::ffi::OsString;
use std::io::Write;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::failure::Failure;

/// Open firmware for a smart chessboard: the tools beside it.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play on a board without hardware, in the terminal or in a browser.
    Board(board::Arguments),
    /// Pair boards with a relay, and see what they are doing.
    #[command(subcommand, arg_required_else_help = false)]
    Boards(boards::Command),
    /// Write and read the documented game state.
    // Asking for half of a command is a mistake like any other, and not a way to ask for help.
    #[command(subcommand, arg_required_else_help = false)]
    Layout(layout::Command),
    /// Play many games through relays at once, check what they show, and measure.
    Load(load::Arguments),
    /// Be the wood, the switches and the lights of a board in an emulator.
    #[cfg(unix)]
    Panel(panel::Arguments),
    /// Count the ways to play so many plies.
    Perft(perft::Arguments),
    /// Write a game as PGN.
    Pgn(pgn::Arguments),
    /// Run a relay.
    Serve(serve::Arguments),
}

/// Does what the command line says. The first argument is the name of the program.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>, output: &mut impl Write) -> Result<(), Failure> {
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(write!(output, "{error}")?);
        }
        Err(error) => return Err(error.into()),
    };
    match command {
        // Whoever says nothing more wants it to do what it is for.
        None => run(["tabiya", "serve"].map(OsString::from).into_iter(), output),
        Some(Command::Board(arguments)) => arguments.run(output),
        Some(Command::Boards(command)) => command.run(output),
        Some(Command::Layout(command)) => command.run(output),
        Some(Command::Load(arguments)) => arguments.run(output),
        #[cfg(unix)]
        Some(Command::Panel(arguments)) => arguments.run(output),
        Some(Command::Perft(arguments)) => arguments.run(output),
        Some(Command::Pgn(arguments)) => arguments.run(output),
        Some(Command::Serve(arguments)) => arguments.run(output),
    }
}
