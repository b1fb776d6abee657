//! Runs the simulated hands on the host, in simulated time.

use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Games;
use crate::process;

/// A simulation of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simulation {
    /// Touches with bounce, knocks and weak magnets, on the move detection alone.
    Touches,
    /// Magnets, reeds and hands as physics, on the whole playing surface, in the styles of people.
    Physical,
    /// The same with nominal parts and faultless hands.
    Ideal,
}

/// Moves of the ideal hands, unless another number is given.
const IDEAL_MOVES: u64 = 100_000;

impl Simulation {
    const fn bin(self) -> &'static str {
        match self {
            Self::Touches => "hand-bench",
            Self::Physical | Self::Ideal => "physical-hand-bench",
        }
    }

    fn arguments(self, as_json: bool, games: &Games) -> Vec<String> {
        let mut arguments = Vec::new();
        if as_json {
            arguments.push("--json".to_owned());
        }
        if let Some(seed) = games.seed {
            arguments.extend(["--seed".to_owned(), seed.to_string()]);
        }
        let moves = games.moves.or_else(|| (self == Self::Ideal).then_some(IDEAL_MOVES));
        if let Some(moves) = moves {
            arguments.extend(["--moves".to_owned(), moves.to_string()]);
        }
        if self == Self::Ideal {
            arguments.extend(["--style".to_owned(), "ideal".to_owned()]);
        }
        arguments
    }
}

/// The output of a benchmark program.
pub(crate) struct Report {
    simulation: Simulation,
    written: String,
    reached: bool,
}

pub(crate) fn build() -> Result<()> {
    let (touches, physical) = (Simulation::Touches.bin(), Simulation::Physical.bin());
    eprintln!("building {touches} and {physical}");
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--release", "--package", "tests"]);
    build.args(["--bin", touches, "--bin", physical]);
    process::run(build.arg("--target-dir").arg(process::target_dir()))
}

pub(crate) fn measure(simulation: Simulation, as_json: bool, games: &Games) -> Result<Report> {
    let bin = simulation.bin();
    let mut bench = process::program(process::target_dir().join("release").join(bin));
    bench.args(simulation.arguments(as_json, games));
    let output = bench.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {bin}"))?;
    // Exit code 1 is a missed target: a result, whose figures are printed.
    let reached = match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => bail!("{bin} failed ({})", output.status),
    };
    let written = String::from_utf8(output.stdout).with_context(|| format!("{bin} did not write text"))?;
    Ok(Report { simulation, written, reached })
}

impl Report {
    pub(crate) fn table(&self) -> &str {
        &self.written
    }

    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.written).with_context(|| format!("{} did not write JSON", self.simulation.bin()))
    }

    pub(crate) const fn is_reached(&self) -> bool {
        self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_and_moves_are_passed_on() {
        let games = Games { seed: Some(7), moves: None };
        assert_eq!(Simulation::Touches.arguments(false, &games), ["--seed", "7"]);
        let ideal = Simulation::Ideal.arguments(true, &games);
        assert_eq!(ideal, ["--json", "--seed", "7", "--moves", "100000", "--style", "ideal"]);
        let games = Games { seed: None, moves: Some(50) };
        assert_eq!(Simulation::Physical.arguments(false, &games), ["--moves", "50"]);
    }
}
