//! `tabiya pgn`: prints a game as PGN.

use std::io::Write;

use clap::Args;

use crate::failure::Failure;
use crate::line;
use crate::pgn::{Pgn, Tags};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Moves in UCI notation, from the start position: e2e4, e1g1, e7e8q
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

impl Arguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        let game = line::play(&self.moves)?;
        let tags = Tags::default();
        Ok(write!(output, "{}", Pgn::new(&tags, &game))?)
    }
}
