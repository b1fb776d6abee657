//! Plays through relays beside a server that only echoes, and says how that compares. `--json` makes it one JSON object, and
//! `--quick` a short run, whose figures are rough.
//!
//! Nothing here is measured by the clock alone: whatever else the machine does would be in it. Throughput is a part of what
//! the echo makes, in turns, with the same frames and the same players; what a move costs is the time that the relay has
//! computed for it. Only how long a move takes is what it is.
//!
//! It ends with success if every target is reached, with 1 if one is missed, and with 2 if it could not measure.

mod disk;
mod echo;
mod figures;
mod load;
mod measure;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use figures::Figures;
use measure::Extent;

fn main() -> ExitCode {
    let measured = options().and_then(|Options { extent, as_json }| {
        let figures = measure::all(&extent)?;
        report(&figures, as_json);
        Ok(figures.are_reached())
    });
    match measured {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("relay-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    extent: Extent,
    as_json: bool,
}

fn options() -> Result<Options> {
    let mut options = Options { extent: Extent::FULL, as_json: false };
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--json" => options.as_json = true,
            "--quick" => options.extent = Extent::QUICK,
            other => bail!("there is no {other}; there are --json and --quick"),
        }
    }
    Ok(options)
}

fn report(figures: &Figures, as_json: bool) {
    if as_json {
        println!("{:#}", figures.json());
    } else {
        print!("{}", figures.text());
    }
}
