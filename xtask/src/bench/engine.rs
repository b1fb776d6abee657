//! Benchmark of the engine: cost on a Cortex-M, speed on the host, tactics and strength.

mod device;
mod rating;
mod strength;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::strength::Pairing;
use crate::{process, setup};

const PACKAGE: &str = "engine-bench";
const HOST: &str = "engine-host";

/// Runs all parts. Each match has `games` games; an odd number is rounded down, as every opening is played with both colours.
pub(crate) fn run(as_json: bool, games: u32) -> Result<()> {
    setup::run()?;
    setup::install_stockfish()?;
    let device = device::measure()?;
    let budget = device.nodes_per_move();
    let program = build_host()?;
    let speed = host(&program, &["speed"])?;
    let tactics = host(&program, &["tactics", &budget.to_string()])?;
    let mut pairings = Vec::new();
    for (name, one, other) in strength::pairings(budget) {
        eprintln!("match: {name}");
        let results = host(&program, &["match", &one, &other, &games.to_string()])?;
        pairings.push(Pairing { name, results });
    }
    if as_json {
        let rating = strength::fitted(&pairings)
            .map(|rating| json!({ "elo": rating.elo.round(), "error_95": rating.error.round() }));
        let matches: Value = pairings.iter().map(Pairing::json).collect();
        println!(
            "{:#}",
            json!({ "device": device.json(), "host": speed, "tactics": tactics, "matches": matches, "rating": rating })
        );
    } else {
        println!("{}", device.table());
        println!("This machine: {} nodes per second", speed["nodes_per_second"]);
        println!(
            "{}: {} of {} solved with {budget} nodes each; not solved: {}\n",
            tactics["set"].as_str().unwrap_or_default(),
            tactics["solved"],
            tactics["positions"],
            tactics["unsolved"]
        );
        print!("{}", strength::table(&pairings));
    }
    ensure!(device.is_reached() && strength::is_reached(&pairings), "a target was missed");
    Ok(())
}

/// Builds the program that measures on the host.
fn build_host() -> Result<PathBuf> {
    eprintln!("building {HOST}");
    let target_dir = process::target_dir();
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--package", PACKAGE, "--bin", HOST]);
    process::run(build.args(["--profile", "fat", "--target-dir"]).arg(&target_dir))?;
    Ok(target_dir.join("fat").join(HOST))
}

/// Runs the program, and parses the JSON that it prints.
fn host(program: &PathBuf, arguments: &[&str]) -> Result<Value> {
    let written = process::capture(process::program(program).args(arguments))?;
    serde_json::from_str(&written).with_context(|| format!("{HOST} {} did not write JSON", arguments.join(" ")))
}
