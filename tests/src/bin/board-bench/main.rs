//! Plays on the emulated board, and says how soon it answers. `--json` makes it one JSON object, `--quick` is for a rough look.
//!
//! All times are this machine's own, from outside: the emulator runs as fast as it can and not by a clock of instructions, so
//! they have the machine's other business in them. `TABIYA_MPS2_IMAGE` says where the firmware is, and `TABIYA_PROGRAM` where
//! the relay is.
//!
//! It ends with success if every target is reached, with 1 if one is missed, and with 2 if it could not be measured.

mod figures;
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
            eprintln!("board-bench: {error:#}");
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
