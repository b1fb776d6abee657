//! `tabiya layout`: encodes and decodes the documented game state.

use std::io::Write;

use chess::Game;
use clap::Subcommand;
use serde::Serialize;
use wire::layout;

use crate::failure::Failure;
use crate::hex::{self, Hex};
use crate::line;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print the state of a game as one line of hex
    Encode {
        /// Moves in UCI notation, from the start position: e2e4, e1g1, e7e8q
        #[arg(value_name = "MOVE")]
        moves: Vec<String>,
    },
    /// Check a state, and print it as JSON
    Decode {
        /// Bytes of the state, two digits each
        hex: String,
    },
}

/// A state as JSON.
#[derive(Serialize)]
struct Description {
    fen: String,
    turn: String,
    checked: Option<String>,
    mate: bool,
    rights: String,
    captured: Vec<char>,
    history: Vec<String>,
}

impl Command {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Encode { moves } => {
                let game = line::play(moves)?;
                let mut buffer = vec![0; layout::MAX_LEN];
                let len = layout::encode(&game, &mut buffer)?;
                buffer.truncate(len);
                writeln!(output, "{}", Hex(&buffer))?;
            }
            Self::Decode { hex } => {
                let description = describe(&hex::parse(hex)?)?;
                serde_json::to_writer(&mut *output, &description).map_err(std::io::Error::from)?;
                writeln!(output)?;
            }
        }
        Ok(())
    }
}

fn describe(bytes: &[u8]) -> Result<Description, Failure> {
    let mut game = Box::new(Game::new());
    let state = layout::decode(bytes, &mut game)?;
    Ok(Description {
        fen: game.position().fen().to_string(),
        turn: state.turn().to_string(),
        checked: state.checked().map(|color| color.to_string()),
        mate: state.mate(),
        rights: state.rights().to_string(),
        captured: state.captured().map(|man| man.piece.letter()).collect(),
        history: state.history().map(|mv| mv.to_string()).collect(),
    })
}
