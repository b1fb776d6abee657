//! The command line. Each subcommand checks all its input before it writes anything.

mod board;
mod board_page;
mod boards;
mod clock;
mod genome;
mod layout;
mod livechess;
mod open_store;
mod pairing_key;
mod perft;
mod pgn;
mod script_process;
mod serve;
mod store;

use std::ffi::OsString;
use std::io::{self, BufReader, Write};

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::config::{SettingsParser, Variables, environment_flag};
use crate::failure::Failure;
use crate::uci;

/// Tabiya: relay and tools for an open smart chessboard
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, after_help = "Without a command, tabiya runs `serve`, also with flags of `serve`.")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a virtual board: the board firmware's logic, with its pieces in a browser
    Board(board::Arguments),
    /// Pair boards with a relay, list them, and arrange games
    // Half of a command is an error, and not a request for help.
    #[command(subcommand, arg_required_else_help = false)]
    Boards(boards::Command),
    /// Run the chess engine: UCI on standard input and output
    Engine,
    /// Moves and meaning of the DNA of GMO chess
    #[command(subcommand, arg_required_else_help = false)]
    Genome(genome::Command),
    /// Encode and decode the documented game state
    #[command(subcommand, arg_required_else_help = false)]
    Layout(layout::Command),
    /// Serve a board that is connected to a relay elsewhere as DGT LiveChess, for lichess.org and chess.com
    Livechess(livechess::Arguments),
    /// Count the leaf nodes of the legal move tree
    Perft(perft::Arguments),
    /// Print a game as PGN
    Pgn(pgn::Arguments),
    /// Execute rule scripts; started by the relay
    #[command(hide = true)]
    ScriptProcess(script_process::Arguments),
    /// Run a relay (the default command)
    Serve(Box<serve::Arguments>),
    /// Check the embedded store
    #[command(subcommand, arg_required_else_help = false)]
    Store(store::Command),
}

/// Runs a command line whose first element is the name of the program.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>, output: &mut impl Write) -> Result<(), Failure> {
    let arguments = with_default_command(arguments.collect());
    let parser = SettingsParser::new(CommandLine::command());
    let flags = match parser.parse_flags(&arguments) {
        Ok(flags) => flags,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(write!(output, "{error}")?);
        }
        Err(error) => return Err(error.into()),
    };
    let subcommand = innermost(&flags);
    // A command without settings does not read the settings file, so a broken file cannot stop it.
    let variables = match subcommand.try_contains_id("environment") {
        Ok(_) => Variables::of_process(environment_flag(subcommand), &parser.names())?,
        Err(_) => Variables::default(),
    };
    let matches = parser.parse(&arguments, &variables)?;
    match CommandLine::from_arg_matches(&matches)?.command {
        Command::Board(arguments) => arguments.run(&variables, output),
        Command::Boards(command) => command.run(&variables, output),
        Command::Engine => Ok(uci::run(BufReader::new(io::stdin()), output)?),
        Command::Genome(command) => command.run(output),
        Command::Layout(command) => command.run(output),
        Command::Livechess(arguments) => arguments.run(&variables, output),
        Command::Perft(arguments) => arguments.run(output),
        Command::Pgn(arguments) => arguments.run(output),
        Command::ScriptProcess(arguments) => arguments.run(output),
        Command::Serve(arguments) if arguments.print_config() => {
            arguments.config(&variables)?;
            Ok(output.write_all(parser.print("serve", innermost(&matches), &variables).as_bytes())?)
        }
        Command::Serve(arguments) => arguments.run(&variables, output),
        Command::Store(command) => command.run(&variables, output),
    }
}

/// Inserts `serve` where a command is missing: `tabiya` alone, or with flags that are not those of the program itself.
fn with_default_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = arguments.get(1).and_then(|first| first.to_str());
    let is_missing = match first {
        None => arguments.len() < 2,
        Some("-h" | "--help" | "-V" | "--version") => false,
        Some(first) => first.starts_with('-'),
    };
    if is_missing {
        arguments.insert(arguments.len().min(1), "serve".into());
    }
    arguments
}

/// The matches of the innermost subcommand.
fn innermost(mut matches: &ArgMatches) -> &ArgMatches {
    while let Some((_, subcommand)) = matches.subcommand() {
        matches = subcommand;
    }
    matches
}
