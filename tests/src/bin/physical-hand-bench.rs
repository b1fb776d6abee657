//! Plays half a million moves with simulated magnets, reeds and hands, and reports what the board read. `--json` prints one JSON object,
//! `--moves` sets the number of moves, `--seed` repeats a run, `--style` plays one style only, `--faults` sets how many faults of each class
//! are printed, and `--game` repeats one game, as it is named there, and prints all of its faults.
//!
//! The seed is random unless it is given, so that every run plays other games. The exit code is 0 if every target is reached, 1 if one is
//! missed, and 2 if an option is invalid.

use std::env;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use board::Settings;
use tests::bench::Target;
use tests::physical_hand::session::Players;
use tests::physical_hand::style::Style;
use tests::physical_hand::{bench, report, session, targets};
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
    games: Vec<(u64, Style, Players)>,
    faults: usize,
    as_json: bool,
}

fn options() -> Result<Options> {
    let mut options = Options {
        moves: MOVES,
        seed: fresh_seed(),
        style: None,
        games: Vec::new(),
        faults: report::EXAMPLES,
        as_json: false,
    };
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
            "--faults" => options.faults = value()?.parse().context("--faults needs a number")?,
            "--game" => {
                let name = value()?;
                options.games.push(game(&name).with_context(|| format!("{name} is no game, such as 5:blitz:shared"))?);
            }
            other => bail!("there is no {other}; there are --faults, --game, --json, --moves, --seed and --style"),
        }
    }
    Ok(options)
}

/// A game as the report names it.
fn game(name: &str) -> Option<(u64, Style, Players)> {
    let mut parts = name.split(':');
    let game = (parts.next()?.parse().ok()?, Style::named(parts.next()?)?, Players::named(parts.next()?)?);
    parts.next().is_none().then_some(game)
}

/// Plays and reports; returns whether all targets are reached.
fn run(&Options { moves, seed, style, ref games, faults, as_json }: &Options) -> bool {
    if !games.is_empty() {
        let mut is_right = true;
        for &(number, style, players) in games {
            let text = report::faults(&session::play(number, style, players, Settings::default()), usize::MAX);
            is_right &= text.is_empty();
            print!("{text}");
        }
        return is_right;
    }
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
        print!("{}", report::text(&total, &targets, seed, faults));
    }
    targets.iter().all(Target::is_reached)
}
