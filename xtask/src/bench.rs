//! Benchmarks: figures of this project and of other implementations, measured in the same run.

mod board;
mod engine;
mod genome;
mod hand;
mod relay;
mod rules;
mod scan;
mod scripts;
mod verdict;

use anyhow::Result;
use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    /// Move generation beside cozy-chess and shakmaty: speed on the host, instructions and flash on a Cortex-M.
    Rules(Output),
    /// Recognition of moves: a million moves of a simulated clumsy hand, half a million of simulated magnets, reeds and hands, errors
    /// and delays, and the cost of a scan on a Cortex-M.
    Hand {
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        games: hand::Games,
    },
    /// GMO chess on a Cortex-M: instructions for all moves of a position, flash and RAM.
    Genome(Output),
    /// The firmware in QEMU: latency of lights, moves and reconnects, stack use, cost of a scan, and sizes of the images.
    Board {
        #[command(flatten)]
        output: Output,
        /// A short run with rough figures.
        #[arg(long)]
        quick: bool,
    },
    /// The engine: instructions per node and memory on a Cortex-M, speed on the host, tactics, and matches against Stockfish and
    /// between the levels.
    Engine {
        #[command(flatten)]
        output: Output,
        /// Games of each match. 200 take some hours; 10 give a rough figure.
        #[arg(long, default_value_t = 200)]
        games: u32,
    },
    /// Rule scripts in their sandbox: agreement of the script of chess with the rules, overhead of a call, 200 games at once, and
    /// memory of the warm processes.
    Scripts {
        #[command(flatten)]
        output: Output,
        /// A short run with rough figures.
        #[arg(long)]
        quick: bool,
        /// Random games in which the script of chess is compared with the rules of chess. A thousand take a quarter of an hour.
        #[arg(long, default_value_t = 1_000)]
        games: u32,
    },
    /// The relay on both stores, beside an echo server: moves per second, latency, and the cost of moves and idle
    /// connections.
    Relay {
        #[command(flatten)]
        output: Output,
        /// A short run with rough figures.
        #[arg(long)]
        quick: bool,
    },
}

#[derive(Args)]
struct Output {
    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.subject {
        Subject::Rules(output) => rules::run(output.json),
        Subject::Hand { output, games } => hand::run(output.json, games),
        Subject::Genome(output) => genome::run(output.json),
        Subject::Board { output, quick } => board::run(output.json, *quick),
        Subject::Engine { output, games } => engine::run(output.json, *games),
        Subject::Scripts { output, quick, games } => scripts::run(output.json, *quick, *games),
        Subject::Relay { output, quick } => relay::run(output.json, *quick),
    }
}
