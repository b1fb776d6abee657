//! What the benchmark programs share: command line options, reports, targets and exit codes.

mod target;
mod upper_bound;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::Value;

pub use target::{Limit, Target};
pub use upper_bound::upper_bound;

/// The result of a benchmark.
pub trait Report {
    /// The report as a table.
    fn text(&self) -> String;

    /// The report as JSON.
    fn json(&self) -> Value;

    /// The figures that have limits.
    fn targets(&self) -> Vec<Target>;
}

/// Measures and reports: `--json` prints one JSON object, `--quick` makes a short run with rough figures.
///
/// The exit code is 0 if every target is reached, 1 if one is missed, and 2 if the measurement failed.
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
        Ok(report.targets().iter().all(Target::is_reached))
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
                other => bail!("unknown option {other}; the options are --json and --quick"),
            }
        }
        Ok(options)
    }
}
