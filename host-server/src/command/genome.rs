//! `tabiya genome`: moves and meaning of DNA.

use std::io::{BufRead, Write};

use clap::Subcommand;
use rules::genome::{Debuff, Dna};
use serde::Serialize;

use crate::failure::Failure;
use crate::genome::case::{Case, Moves};
use crate::genome::{Hash, cipher, explain};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read cases from standard input, one JSON object a line, and print the moves of each as a line of JSON
    ///
    /// A case has the fields dna, color (WHITE or BLACK), pos ([x, y]) and others ([[x, y, color], ..]). A line that is no such case is answered
    /// with its number and the error. Blank lines are not answered.
    Moves,
    /// Explain DNA in words, or show where and why it is invalid
    Check {
        /// Letters S, A, C and H; white space is ignored
        #[arg(required = true)]
        dna: Vec<String>,
    },
}

impl Command {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Moves => print_moves(std::io::stdin().lock(), output),
            Self::Check { dna } => check(&dna.join(" "), output),
        }
    }
}

/// An answer that is not the moves of a case.
#[derive(Debug, Serialize)]
struct Fault {
    /// The number of the line of the input. Blank lines count, although they are not answered.
    line: usize,
    error: String,
}

/// Answers line by line, so that another program can ask one question after the other. A case with an error gets a line with the reason.
/// A blank line is no case, and is not answered.
fn print_moves(mut input: impl BufRead, output: &mut impl Write) -> Result<(), Failure> {
    let (mut cases, mut failed) = (0_usize, 0_usize);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(Failure::Input)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        cases += 1;
        let answer = match answer(&bytes) {
            Ok(moves) => serde_json::to_string(&moves),
            Err(error) => {
                failed += 1;
                serde_json::to_string(&Fault { line, error })
            }
        };
        writeln!(output, "{}", answer.map_err(std::io::Error::from)?)?;
        output.flush()?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Cases { failed, cases }) }
}

/// The moves of the case in a line, or why there are none.
fn answer(line: &[u8]) -> Result<Moves, String> {
    let text = std::str::from_utf8(line.trim_ascii_end())
        .map_err(|error| format!("byte {} of the line is not UTF-8", error.valid_up_to().saturating_add(1)))?;
    let case: Case = serde_json::from_str(text).map_err(|error| without_line(&error))?;
    case.moves().map_err(|error| error.to_string())
}

/// The message of the JSON parser without its line, which is always 1 because it gets one line at a time.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

fn check(text: &str, output: &mut impl Write) -> Result<(), Failure> {
    let dna: Dna = text.parse().map_err(|error| Failure::Dna(error, explain::underline(text, error)))?;
    let (codons, _) = explain::explain(text);
    let plain = dna.to_string();
    let blocks = dna.blocks().count();
    writeln!(
        output,
        "valid DNA: {} codons in {blocks} {}",
        codons.len(),
        if blocks == 1 { "block" } else { "blocks" }
    )?;
    writeln!(output, "hash: {}", Hash::of(&plain))?;
    // DNA has only letters of the alphabet.
    writeln!(output, "enciphered: {}", cipher::encipher(&plain).unwrap_or_default())?;
    let debuffs: Vec<String> = dna.debuffs().iter().map(|debuff: Debuff| debuff.to_string()).collect();
    writeln!(output, "debuffs: {}", if debuffs.is_empty() { "none".to_owned() } else { debuffs.join(", ") })?;
    for codon in codons {
        if codon.codon == rules::genome::Codon::START {
            writeln!(output)?;
        }
        writeln!(output, "{}  {}", codon.codon, codon.words)?;
    }
    Ok(())
}
