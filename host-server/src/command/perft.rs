//! `tabiya perft`: counts the leaf nodes of the legal move tree.

use std::io::Write;

use chess::Position;
use clap::Args;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Depth in plies
    depth: u32,
    /// Position to start from, instead of the start position
    #[arg(long)]
    fen: Option<String>,
    /// Also print the count of each first move
    #[arg(long)]
    divide: bool,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        let position = match &self.fen {
            Some(fen) => fen.parse()?,
            None => Position::start(),
        };
        let nodes = match self.depth.checked_sub(1) {
            Some(deeper) if self.divide => divide(&position, deeper, output)?,
            _ => position.perft(self.depth),
        };
        Ok(writeln!(output, "{nodes}")?)
    }
}

/// Prints each move with its node count as soon as it is known, and returns the sum.
fn divide(position: &Position, deeper: u32, output: &mut impl Write) -> Result<u64, Failure> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_cached_key(ToString::to_string);
    let mut nodes = 0;
    for mv in moves {
        let after = position.play(mv).map_or(0, |next| next.perft(deeper));
        writeln!(output, "{mv}: {after}")?;
        output.flush()?;
        nodes += after;
    }
    writeln!(output)?;
    Ok(nodes)
}
