//! What is measured instead of tested: figures, beside those of others, from one run.

mod board;
mod hand;
mod relay;
mod rules;
mod scan;
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
    /// The rules of chess beside cozy-chess and shakmaty: speed on the host, instructions and flash on a Cortex-M.
    Rules(Output),
    /// The hand: a million moves of a clumsy simulated one, what the board misread, how soon it read the others, and what
    /// a scan costs a Cortex-M.
    Hand(Output),
    /// The board: how soon it answers a hand, its relay and its cable in the emulator, how deep its stack gets, what a scan
    /// costs, and what the images take.
    Board {
        #[command(flatten)]
        output: Output,
        /// A short run, whose figures are rough.
        #[arg(long)]
        quick: bool,
    },
    /// The relay, on both its stores, beside a server that only echoes: moves a second, how soon they are seen, and what
    /// moves and idle connections cost.
    Relay {
        #[command(flatten)]
        output: Output,
        /// A short run, whose figures are rough.
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
        Subject::Hand(output) => hand::run(output.json),
        Subject::Board { output, quick } => board::run(output.json, *quick),
        Subject::Relay { output, quick } => relay::run(output.json, *quick),
    }
}
