//! Benchmark of move recognition: errors and delays with simulated hands, and the cost on a Cortex-M.

mod played;

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::json;

use super::scan;
use crate::setup;
use played::Simulation;

/// Which games the simulated hands play.
#[derive(Args)]
pub(crate) struct Games {
    /// Repeats the games of this seed. Every run plays other games without it.
    #[arg(long)]
    seed: Option<u64>,
    /// Moves of each simulation, instead of a million and half a million.
    #[arg(long)]
    moves: Option<u64>,
}

pub(crate) fn run(as_json: bool, games: &Games) -> Result<()> {
    setup::run()?;
    played::build()?;
    let touches = played::measure(Simulation::Touches, as_json, games)?;
    let physical = played::measure(Simulation::Physical, as_json, games)?;
    let ideal = played::measure(Simulation::Ideal, as_json, games)?;
    let scan = scan::measure()?;
    if as_json {
        let report = json!({
            "touches": touches.json()?,
            "physical": physical.json()?,
            "ideal": ideal.json()?,
            "scan": scan.json(),
        });
        println!("{report:#}");
    } else {
        print!("{}\n{}\n{}\n{}", touches.table(), physical.table(), ideal.table(), scan.table());
    }
    let reached = touches.is_reached() && physical.is_reached() && ideal.is_reached() && scan.is_reached();
    ensure!(reached, "a target was missed");
    Ok(())
}
