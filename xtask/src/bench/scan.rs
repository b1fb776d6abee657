//! Cost of the playing surface on an emulated Cortex-M, in the profile of the firmware: instructions per scan, RAM and stack.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::verdict::{Comparison, verdict};
use crate::emulator::TARGET;
use crate::firmware::PROFILE;
use crate::{emulator, process};

const PACKAGE: &str = "surface-bench";
const BIN: &str = "surface-cost";

/// Budget of a scan without a change; there are a thousand scans per second.
const IDLE_INSTRUCTIONS: u32 = 300;

/// Budget of any scan: a millisecond at 208 MHz.
pub(crate) const LARGEST_INSTRUCTIONS: u32 = 208_000;

/// The figures that the image prints, with their descriptions.
const INSTRUCTIONS: [(&str, &str); 28] = [
    ("idle", "idle scan, no change"),
    ("idle_clock", "idle scan, a clock runs"),
    ("idle_lifted", "idle scan, a clock runs and a piece is in the air"),
    ("bounce", "scan in which a switch bounces, debounced"),
    ("touch_largest", "largest scan with a touch, whole game"),
    ("move_mean", "scan that recognises a move, mean of a whole game"),
    ("move_largest", "scan that recognises a move, largest of a whole game"),
    ("frame_largest", "largest light frame, whole game"),
    ("mess_touch_largest", "largest scan while random pieces are removed and placed"),
    ("mess_frame_largest", "largest light frame meanwhile"),
    ("told_touch_largest", "the same touches in a turn of a rule script with 256 moves"),
    ("told_sweep_largest", "largest scan there while all pieces are lifted and put down in any order"),
    ("genome_touch_largest", "largest scan while random pieces are removed and placed, GMO chess, default preset"),
    ("genome_sweep_largest", "largest scan there while all pieces are lifted and put down in any order"),
    ("dearest_touch_largest", "the same touches in GMO chess whose pieces all have the most expensive DNA"),
    ("dearest_sweep_largest", "largest scan there while all pieces are lifted and put down in any order"),
    ("blocked_touch_largest", "the same touches in GMO chess where a search for a move takes longest"),
    ("blocked_sweep_largest", "largest scan there while all pieces are lifted and put down in any order"),
    (
        "mutating_touch_largest",
        "the same touches in GMO chess whose pieces all mutate and deviate, with the longest DNA",
    ),
    ("mutating_sweep_largest", "largest scan there while all pieces are lifted and put down in any order"),
    ("remote_ply_largest", "GMO chess, most expensive setups: a ply of the remote opponent arrives"),
    ("remote_touch_largest", "largest scan while it has to be made, random pieces removed and placed"),
    ("remote_frame_largest", "largest light frame meanwhile"),
    ("correction_largest", "largest scan while a move is corrected by hand, GMO chess after 100 plies, default preset"),
    ("takeback_largest", "largest scan there while two moves are taken back by hand"),
    (
        "remote_takeback_largest",
        "largest scan there while the relay takes back two moves, also with the most expensive DNA",
    ),
    (
        "sweep_largest",
        "largest scan while all pieces are lifted and put down in any order, up to 218 moves in a position",
    ),
    ("burst_largest", "largest scan with five quick moves at a time, some taken back"),
];

/// The figures of scans that are not idle, by the rules of the game.
const LARGEST: [(&str, &[&str]); 3] = [
    ("chess", &["touch_largest", "move_largest", "mess_touch_largest", "sweep_largest", "burst_largest"]),
    ("a rule script", &["told_touch_largest", "told_sweep_largest"]),
    ("GMO chess", &GENOME),
];

/// The figures of scans in games of GMO chess.
pub(crate) const GENOME: [&str; 14] = [
    "genome_touch_largest",
    "genome_sweep_largest",
    "dearest_touch_largest",
    "dearest_sweep_largest",
    "blocked_touch_largest",
    "blocked_sweep_largest",
    "mutating_touch_largest",
    "mutating_sweep_largest",
    "remote_ply_largest",
    "remote_touch_largest",
    "remote_frame_largest",
    "correction_largest",
    "takeback_largest",
    "remote_takeback_largest",
];

/// Length of the game in plies.
const PLIES: &str = "plies";

const BYTES: [(&str, &str); 9] = [
    ("ram_surface", "RAM: playing surface"),
    ("ram_game", "RAM: game, in the surface"),
    ("ram_referee", "RAM: referee, in the surface"),
    ("ram_hand", "RAM: hand, in the referee"),
    ("ram_session", "RAM: session"),
    ("ram_journal", "RAM: journal"),
    ("stack_new", "stack: start"),
    ("stack_play", "stack: scans and frames, deepest of both games"),
    ("stack_turn", "stack: change of orientation"),
];

pub(crate) struct Report(BTreeMap<String, u32>);

pub(crate) fn measure() -> Result<Report> {
    eprintln!("building {BIN}");
    let target_dir = process::target_dir();
    let mut build = process::cargo(&["build", "--quiet", "--locked", "--package", PACKAGE, "--bin", BIN]);
    build.args(["--target", TARGET, "--profile", PROFILE, "--target-dir"]).arg(&target_dir);
    process::run(&mut build)?;
    Report::parse(&emulator::run(&target_dir.join(TARGET).join(PROFILE).join(BIN))?)
}

impl Report {
    fn parse(written: &str) -> Result<Self> {
        let figure = |line: &str| {
            let (name, number) = line.split_once(' ')?;
            Some((name.to_owned(), number.parse().ok()?))
        };
        let figures: BTreeMap<_, _> = written.lines().filter_map(figure).collect();
        for name in INSTRUCTIONS.iter().chain(&BYTES).map(|(name, _)| *name).chain([PLIES]) {
            figures.get(name).with_context(|| format!("{BIN} did not write {name}"))?;
        }
        Ok(Self(figures))
    }

    pub(crate) fn figure(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// The most expensive scan without a change.
    fn idle(&self) -> u32 {
        ["idle", "idle_clock", "idle_lifted"].map(|name| self.figure(name)).into_iter().max().unwrap_or_default()
    }

    /// The most expensive scan under each of the rules.
    fn largest(&self) -> [(&'static str, u32); 3] {
        LARGEST.map(|(rules, names)| (rules, names.iter().map(|name| self.figure(name)).max().unwrap_or_default()))
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.idle() <= IDLE_INSTRUCTIONS
            && self.largest().into_iter().all(|(_, largest)| largest <= LARGEST_INSTRUCTIONS)
    }

    pub(crate) fn table(&self) -> String {
        let plies = self.figure(PLIES);
        let mut text = format!(
            "Playing surface on an emulated Cortex-M4, in the firmware profile (opt-level s, fat LTO), game of {plies} plies\n"
        );
        for (unit, rows) in [("instructions", &INSTRUCTIONS[..]), ("bytes", &BYTES[..])] {
            _ = writeln!(text, "{unit:>12}");
            for (name, description) in rows {
                _ = writeln!(text, "{:>12} {description}", self.figure(name));
            }
        }
        text +=
            &verdict("instructions of an idle scan", self.idle().into(), Comparison::AtMost, IDLE_INSTRUCTIONS.into());
        for (rules, largest) in self.largest() {
            let what = format!("instructions of the largest scan, {rules}");
            text += &verdict(&what, largest.into(), Comparison::AtMost, LARGEST_INSTRUCTIONS.into());
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let part = |rows: &[(&str, &str)]| -> Value {
            rows.iter().map(|(name, _)| ((*name).to_owned(), Value::from(self.figure(name)))).collect()
        };
        json!({ "profile": PROFILE, "plies": self.figure(PLIES), "instructions": part(&INSTRUCTIONS), "bytes": part(&BYTES) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> String {
        let names = INSTRUCTIONS.iter().chain(&BYTES).map(|(name, _)| *name).chain([PLIES]);
        names.zip(291..).map(|(name, figure)| format!("{name} {figure}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_figure_is_in_the_report() {
        let report = Report::parse(&written()).expect("all figures are there");
        assert_eq!((report.figure("idle"), report.idle(), report.is_reached()), (291, 293, true));
        assert!(report.table().contains("reached instructions of an idle scan: 293.00, wanted at most 300"));
        assert_eq!(report.json()["instructions"]["idle_lifted"], 293);
        assert!(
            report.table().contains("reached instructions of the largest scan, chess: 318.00, wanted at most 208000")
        );
        let large = Report::parse(&written().replace("\nsweep_largest 317", "\nsweep_largest 208001"));
        assert!(!large.expect("all figures are there").is_reached());
    }

    #[test]
    fn a_missing_figure_is_named_in_the_error() {
        let error = Report::parse(&written().replace("ram_hand", "hand")).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("surface-cost did not write ram_hand"));
    }
}
