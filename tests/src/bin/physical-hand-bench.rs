//! Plays half a million moves with simulated magnets, reeds and hands, and reports what the board read. `--json` prints one JSON object,
//! `--moves` sets the number of moves, `--seed` repeats a run, `--style` plays one style only.
//!
//! The seed is random unless it is given, so that every run plays other games. The exit code is 0 if every target is reached, 1 if one is
//! missed, and 2 if an option is invalid.

use std::env;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use tests::bench::Target;
use tests::physical_hand::style::Style;
use tests::physical_hand::{bench, report, targets};
use tests::random::fresh_seed;

/// Default number of moves.
const MOVES: u64 = 500_000;

fn main() -> ExitCode {
    match options() {
        Ok(options) if run(&options) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("physical-hand-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    moves: u64,
    seed: u64,
    style: Option<Style>,
    as_json: bool,
}

fn options() -> Result<Options> {
    let mut options = Options { moves: MOVES, seed: fresh_seed(), style: None, as_json: false };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--json" => options.as_json = true,
            "--moves" => options.moves = value()?.parse().context("--moves needs a number")?,
            "--seed" => options.seed = value()?.parse().context("--seed needs a number")?,
            "--style" => {
                let name = value()?;
                options.style = Some(Style::named(&name).with_context(|| format!("there is no style {name}"))?);
            }
            other => bail!("there is no {other}; there are --json, --moves, --seed and --style"),
        }
    }
    Ok(options)
}

/// Plays and reports; returns whether all targets are reached.
fn run(&Options { moves, seed, style, as_json }: &Options) -> bool {
    eprintln!("physical hand, seed {seed}");
    let styles = style.map_or_else(|| Style::HUMAN.to_vec(), |style| vec![style]);
    let total = bench::play(&styles, moves, seed);
    let targets = match style {
        Some(Style::Ideal) => targets::ideal(&targets::whole(&total)),
        _ => targets::targets(&total, moves),
    };
    if as_json {
        println!("{:#}", report::json(&total, &targets, seed));
    } else {
        print!("{}", report::text(&total, &targets, seed));
    }
    targets.iter().all(Target::is_reached)
}
