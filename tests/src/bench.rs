//! What benches have in common: the words they are started with, how they report, and what they end with.

mod verdict;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::Value;

pub use verdict::{Verdict, Wanted};

/// What a bench has measured.
pub trait Report {
    /// For people.
    fn text(&self) -> String;

    /// For programs.
    fn json(&self) -> Value;

    /// What was wanted, and what there was.
    fn verdicts(&self) -> Vec<Verdict>;
}

/// Measures as much as the words on the command line ask for, and reports: `--json` makes it one JSON object, `--quick` is
/// for a rough look.
///
/// It ends with success if every target is reached, with 1 if one is missed, and with 2 if it could not be measured.
pub fn run<Extent, R: Report>(
    name: &str,
    full: &Extent,
    quick: &Extent,
    measure: impl FnOnce(&Extent) -> Result<R>,
) -> ExitCode {
    let measured = Options::read().and_then(|Options { is_quick, as_json }| {
        let report = measure(if is_quick { quick } else { full })?;
        if as_json {
            println!("{:#}", report.json());
        } else {
            print!("{}", report.text());
        }
        Ok(report.verdicts().iter().all(Verdict::is_reached))
    });
    match measured {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    is_quick: bool,
    as_json: bool,
}

impl Options {
    fn read() -> Result<Self> {
        let mut options = Self { is_quick: false, as_json: false };
        for argument in env::args().skip(1) {
            match argument.as_str() {
                "--json" => options.as_json = true,
                "--quick" => options.is_quick = true,
                other => bail!("there is no {other}; there are --json and --quick"),
            }
        }
        Ok(options)
    }
}
