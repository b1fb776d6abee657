//! `tabiya genome`: moves and meaning of DNA.

use std::io::{BufRead, Write};

use clap::Subcommand;
use rules::genome::{Debuff, Dna};
use serde_json::json;

use crate::failure::Failure;
use crate::genome::case::Case;
use crate::genome::{Hash, cipher, explain};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Read cases from standard input, one JSON object a line, and print the moves of each as a line of JSON
    ///
    /// A case has the fields dna, color (WHITE or BLACK), pos ([x, y]) and others ([[x, y, color], ..]).
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

/// Answers line by line, so that another program can ask one question after the other. A case with an error gets a line with the reason.
fn print_moves(input: impl BufRead, output: &mut impl Write) -> Result<(), Failure> {
    let (mut cases, mut failed) = (0_usize, 0_usize);
    for line in input.lines() {
        let line = line.map_err(Failure::Input)?;
        if line.trim().is_empty() {
            continue;
        }
        cases += 1;
        let case: Result<Case, _> = serde_json::from_str(&line);
        let answer = match case.map(|case| case.moves()) {
            Ok(Ok(moves)) => json!(moves),
            Ok(Err(error)) => json!({ "error": error.to_string() }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        failed += usize::from(answer.get("error").is_some());
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Cases { failed, cases }) }
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
