//! The error of a command: one line for the user, and exit code 1.

use std::io;
use std::path::PathBuf;

use chess::FenError;
use rules::genome::DnaError;
use wire::layout::{DecodeError, EncodeError};

use crate::config::{ConfigError, one_line};
use crate::hex::HexError;
use crate::line::LineError;
use crate::server::ServeError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{}", one_line(.0))]
    Usage(#[from] clap::Error),
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("hex: {0}")]
    Hex(#[from] HexError),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("fen: {0}")]
    Fen(#[from] FenError),
    /// The error, and the DNA with the fault underlined.
    #[error("{0}\n{1}")]
    Dna(DnaError, String),
    #[error("{failed} of {cases} cases have no answer")]
    Cases { failed: usize, cases: usize },
    #[error("pairing key: {0}")]
    Key(String),
    #[error("--relay: {0}")]
    Relay(#[from] board::RelayError),
    #[error("{}: {}", .0.display(), .1)]
    Journal(PathBuf, io::Error),
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("{0}")]
    Store(String),
    #[error("{0}")]
    Boards(String),
    #[error("sandbox: {0}")]
    Sandbox(String),
    #[error("cannot start threads: {0}")]
    Runtime(io::Error),
}
