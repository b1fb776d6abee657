//! The engine on an emulated Cortex-M, in the profile of the firmware: instructions per node, flash and RAM.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::PACKAGE;
use crate::bench::verdict::{Comparison, verdict};
use crate::emulator::{self, TARGET};
use crate::firmware::PROFILE;
use crate::image::Image;
use crate::process;

const BIN: &str = "engine-device";
/// The clock of the board, and the time for a move.
const MEGAHERTZ: u64 = 208;
const SECONDS_PER_MOVE: u64 = 5;
/// Seconds that CT800 needs by its maker for the start position, on a Cortex-M4 at 168 MHz, by plies.
const CT800: [(u32, u32); 2] = [(8, 12), (9, 56)];
const FLASH_BUDGET: u32 = 64 * 1024;
const RAM_BUDGET: u32 = 192 * 1024;

pub(crate) struct Device {
    nodes: u64,
    instructions: u64,
    /// Bytes that the engine adds to an image with the rules.
    flash: u64,
    ram: u64,
    /// Instructions that the start position takes, by the plies of [`CT800`].
    plies: [u64; CT800.len()],
}

pub(crate) fn measure() -> Result<Device> {
    let (without, _) = run(&["--no-default-features"])?;
    let (with, written) = run(&[])?;
    let (nodes, instructions) = sum(&written)?;
    let plies = plies(&written)?;
    Ok(Device {
        plies,
        nodes,
        instructions,
        flash: with.flash.saturating_sub(without.flash),
        ram: with.ram.saturating_sub(without.ram),
    })
}

/// Builds and runs an image; returns its size and its output.
fn run(features: &[&str]) -> Result<(Image, String)> {
    eprintln!("building {BIN} {}", features.join(" "));
    let target_dir = process::target_dir();
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--package", PACKAGE, "--bin", BIN]);
    build.args(features).args(["--target", TARGET, "--profile", PROFILE, "--target-dir"]).arg(&target_dir);
    process::run(&mut build)?;
    let path = target_dir.join(TARGET).join(PROFILE).join(BIN);
    let image = Image::parse(&fs::read(&path)?).with_context(|| format!("cannot parse {}", path.display()))?;
    Ok((image, emulator::run(&path)?))
}

const PLIES: &str = "plies ";

/// The instructions that the start position has taken, by the plies of [`CT800`].
fn plies(written: &str) -> Result<[u64; CT800.len()]> {
    let mut found = [0; CT800.len()];
    for (slot, (plies, _)) in found.iter_mut().zip(CT800) {
        let prefix = format!("{PLIES}{plies} ");
        let rest = written.lines().find_map(|line| line.strip_prefix(&prefix));
        let rest = rest.with_context(|| format!("{BIN} did not reach {plies} plies"))?;
        *slot = rest.trim().parse().with_context(|| format!("{BIN} wrote {rest:?}"))?;
    }
    Ok(found)
}

/// Adds up lines of nodes and instructions.
fn sum(written: &str) -> Result<(u64, u64)> {
    let mut total = (0, 0);
    for line in written.lines().filter(|line| !line.starts_with(PLIES)) {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(nodes)), Some(Ok(instructions))) = (numbers.next(), numbers.next()) else {
            bail!("{BIN} wrote {line:?}");
        };
        total = (total.0 + nodes, total.1 + instructions);
    }
    ensure!(total.0 > 0, "{BIN} searched no node");
    Ok(total)
}

/// Seconds that the board needs for this number of instructions.
#[expect(clippy::cast_precision_loss, reason = "three digits are enough")]
fn seconds(instructions: u64) -> f64 {
    instructions as f64 / (MEGAHERTZ as f64 * 1e6)
}

impl Device {
    const fn instructions_per_node(&self) -> u64 {
        self.instructions / self.nodes
    }

    /// Nodes that the board searches for a move.
    pub(crate) const fn nodes_per_move(&self) -> u64 {
        MEGAHERTZ * 1_000_000 * SECONDS_PER_MOVE / self.instructions_per_node()
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.flash <= FLASH_BUDGET.into() && self.ram <= RAM_BUDGET.into()
    }

    pub(crate) fn table(&self) -> String {
        let mut text = String::from("Emulated Cortex-M4, as it is flashed, with a table of 128 KB\n");
        _ = writeln!(text, "{:>10} instructions per node", self.instructions_per_node());
        _ = writeln!(text, "{:>10} nodes per second at {MEGAHERTZ} MHz", self.nodes_per_move() / SECONDS_PER_MOVE);
        _ = writeln!(text, "{:>10} nodes in {SECONDS_PER_MOVE} s", self.nodes_per_move());
        for (instructions, (plies, peer)) in self.plies.into_iter().zip(CT800) {
            let seconds = seconds(instructions);
            _ = writeln!(text, "{seconds:>10.2} seconds to {plies} plies of the start position (CT800: {peer})");
        }
        let budget = |what, bytes: u64, budget: u32| {
            let bytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
            verdict(what, bytes, Comparison::AtMost, budget.into())
        };
        text += &budget("bytes of added flash", self.flash, FLASH_BUDGET);
        text += &budget("bytes of added RAM with the table", self.ram, RAM_BUDGET);
        text
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "nodes": self.nodes,
            "instructions": self.instructions,
            "instructions_per_node": self.instructions_per_node(),
            "nodes_per_second": self.nodes_per_move() / SECONDS_PER_MOVE,
            "nodes_per_move": self.nodes_per_move(),
            "start_position_seconds": CT800.iter().zip(self.plies).map(|((plies, _), instructions)| (plies.to_string(), seconds(instructions).into())).collect::<serde_json::Map<_, _>>(),
            "flash_bytes": self.flash,
            "ram_bytes": self.ram,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_of_a_move_follows_from_the_instructions() {
        let (nodes, instructions) = sum("1000 5000000\n1000 3000000\n").expect("two lines of numbers");
        let device = Device { nodes, instructions, flash: 50_000, ram: 190_000, plies: [1, 2] };
        assert_eq!((device.instructions_per_node(), device.nodes_per_move()), (4000, 260_000));
        assert!(device.is_reached() && !device.table().contains("MISSED"), "{}", device.table());
        assert!(!Device { flash: 66_000, ..device }.is_reached());
    }

    #[test]
    fn the_start_position_takes_seconds_by_plies() {
        let written = "1000 5000000\nplies 8 416000000\nplies 9 832000000\n";
        let (nodes, instructions) = sum(written).expect("a line of numbers");
        let device = Device { nodes, instructions, flash: 1, ram: 1, plies: plies(written).expect("both plies") };
        assert!(
            device.table().contains("2.00 seconds to 8 plies of the start position (CT800: 12)"),
            "{}",
            device.table()
        );
        assert_eq!(device.json()["start_position_seconds"]["9"], 4.0);
        assert!(plies("plies 8 1\n").is_err() && plies("plies 8 x\nplies 9 1\n").is_err());
    }

    #[test]
    fn output_without_figures_is_an_error() {
        assert!(sum("").is_err() && sum("0 0").is_err() && sum("panic").is_err());
    }
}
