//! Cost of GMO chess on an emulated Cortex-M, in the profile of the firmware: instructions, flash, RAM and stack.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::scan::{self, GENOME, LARGEST_INSTRUCTIONS};
use super::verdict::{Comparison, verdict};
use crate::emulator::TARGET;
use crate::firmware::PROFILE;
use crate::image::Image;
use crate::{emulator, process, setup};

const PACKAGE: &str = "surface-bench";
const BIN: &str = "genome-device";

const INSTRUCTIONS: [(&str, &str); 21] = [
    ("start_plies", "all moves of the default preset's start position"),
    ("start_footprints", "their footprints"),
    ("start_ply", "playing one of them"),
    ("worst_piece", "all moves of one piece with the most expensive DNA"),
    ("worst_plies", "all moves of a start position in which all pieces have it"),
    ("worst_footprints", "their footprints"),
    ("worst_ply", "playing one of them"),
    ("genome_touch_largest", "largest scan while random pieces are removed and placed, default preset"),
    ("genome_sweep_largest", "largest scan while all pieces are lifted and put down in any order, default preset"),
    ("dearest_touch_largest", "largest scan with the same touches, all pieces with the most expensive DNA"),
    ("dearest_sweep_largest", "largest scan while all of them are lifted and put down in any order"),
    ("blocked_touch_largest", "largest scan with the same touches, where a search for a move takes longest"),
    ("blocked_sweep_largest", "largest scan while all of them are lifted and put down in any order"),
    ("mutating_touch_largest", "largest scan with the same touches, all pieces mutate and deviate"),
    ("mutating_sweep_largest", "largest scan while all of them are lifted and put down in any order"),
    ("remote_ply_largest", "a ply of the remote opponent arrives, most expensive setups"),
    ("remote_touch_largest", "largest scan while it has to be made, random pieces removed and placed"),
    ("remote_frame_largest", "largest light frame meanwhile"),
    (
        "correction_largest",
        "correction: largest scan while a move is corrected by hand, after 100 plies, default preset",
    ),
    ("takeback_largest", "takeback: largest scan while two moves are taken back by hand"),
    ("remote_takeback_largest", "the same while the relay takes back two moves, also with the most expensive DNA"),
];

const BYTES: [(&str, &str); 6] = [
    ("ram_game", "RAM: game under any rules, with its record"),
    ("ram_added", "RAM: what it takes beyond a game that can only be chess"),
    ("ram_position", "RAM: position with its genomes, two of which a board has"),
    ("ram_setup", "RAM: setup of a game, in the game"),
    ("start_stack", "stack: default preset"),
    ("worst_stack", "stack: most expensive DNA"),
];

/// The figures that have a target, beside the scans: what is done at once must fit in a scan.
const LIMITED: [&str; 2] = ["start_plies", "worst_piece"];

/// All figures that have a target.
fn limited() -> impl Iterator<Item = &'static str> {
    LIMITED.into_iter().chain(GENOME)
}

struct Report {
    figures: BTreeMap<String, u32>,
    flash: u64,
}

pub(crate) fn run(as_json: bool) -> Result<()> {
    setup::run()?;
    let (empty, _) = build(&["--features", "empty"])?;
    let (whole, written) = build(&[])?;
    let scans = scan::measure()?;
    let scans = GENOME.map(|name| format!("{name} {}\n", scans.figure(name))).concat();
    let report = Report { figures: parse(&(written + &scans))?, flash: whole.saturating_sub(empty) };
    if as_json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.table());
    }
    ensure!(report.is_reached(), "a target was missed");
    Ok(())
}

/// Builds and runs an image. Returns its flash in bytes, and its output.
fn build(features: &[&str]) -> Result<(u64, String)> {
    eprintln!("building {BIN} {}", features.join(" "));
    let target_dir = process::target_dir();
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--package", PACKAGE, "--bin", BIN]);
    build.args(features).args(["--target", TARGET, "--profile", PROFILE, "--target-dir"]).arg(&target_dir);
    process::run(&mut build)?;
    let path = target_dir.join(TARGET).join(PROFILE).join(BIN);
    let image = Image::parse(&std::fs::read(&path).with_context(|| path.display().to_string())?)?;
    Ok((image.flash, emulator::run(&path)?))
}

fn parse(written: &str) -> Result<BTreeMap<String, u32>> {
    let figure = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    let figures: BTreeMap<_, _> = written.lines().filter_map(figure).collect();
    for (name, _) in INSTRUCTIONS.iter().chain(&BYTES) {
        figures.get(*name).with_context(|| format!("{BIN} did not write {name}"))?;
    }
    Ok(figures)
}

impl Report {
    fn figure(&self, name: &str) -> u32 {
        self.figures.get(name).copied().unwrap_or_default()
    }

    fn is_reached(&self) -> bool {
        limited().all(|name| self.figure(name) <= LARGEST_INSTRUCTIONS)
    }

    fn table(&self) -> String {
        let mut text = "GMO chess on an emulated Cortex-M4, as it is flashed (opt-level s, fat LTO)\n".to_owned();
        for (unit, rows) in [("instructions", &INSTRUCTIONS[..]), ("bytes", &BYTES[..])] {
            _ = writeln!(text, "{unit:>12}");
            for (name, words) in rows {
                _ = writeln!(text, "{:>12} {words}", self.figure(name));
            }
        }
        _ = writeln!(text, "{:>12} flash", self.flash);
        for name in limited() {
            let words = INSTRUCTIONS.iter().find(|(known, _)| *known == name).map_or(name, |(_, words)| words);
            text += &verdict(words, self.figure(name).into(), Comparison::AtMost, LARGEST_INSTRUCTIONS.into());
        }
        text
    }

    fn json(&self) -> Value {
        let part = |rows: &[(&str, &str)]| -> Value {
            rows.iter().map(|(name, _)| ((*name).to_owned(), Value::from(self.figure(name)))).collect()
        };
        json!({ "profile": PROFILE, "instructions": part(&INSTRUCTIONS), "bytes": part(&BYTES), "flash_bytes": self.flash })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> String {
        let names = INSTRUCTIONS.iter().chain(&BYTES).map(|(name, _)| *name);
        names.zip(100..).map(|(name, figure)| format!("{name} {figure}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_figure_is_in_the_report() {
        let report = Report { figures: parse(&written()).expect("all figures are there"), flash: 9_000 };
        assert!(report.is_reached());
        assert!(report.table().contains("9000 flash"), "{}", report.table());
        assert_eq!(report.json()["instructions"]["worst_piece"], 103);
    }

    #[test]
    fn a_missed_target_is_named() {
        let figures =
            parse(&written().replace("worst_piece 103", "worst_piece 300000")).expect("all figures are there");
        let report = Report { figures, flash: 0 };
        assert!(!report.is_reached());
        assert!(report.table().contains("MISSED  all moves of one piece"), "{}", report.table());
        let figures = parse(&written().replace("dearest_sweep_largest 110", "dearest_sweep_largest 208001"));
        let report = Report { figures: figures.expect("all figures are there"), flash: 0 };
        assert!(!report.is_reached());
    }
}
