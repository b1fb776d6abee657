//! Flashes the firmware to a board with probe-rs, and shows its log. Missing tools and probes give an error that says what
//! to do.

use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::path::Path;

use crate::firmware::{Board, board};
use crate::process;

const TOOL: &str = "probe-rs";

#[derive(Args)]
pub(crate) struct Options {
    /// The board, from the table in firmware/Cargo.toml. The default is the first of it.
    #[arg(long)]
    board: Option<String>,
    /// The probe, if several are connected: VID:PID or VID:PID:SERIAL, as `probe-rs list` shows it.
    #[arg(long)]
    probe: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let board = board(options.board.as_deref())?;
    let chip = chip(&board)?;
    check_tool(options.probe.as_deref())?;
    let (image, _) = board.build()?;
    flash(&image, chip, options.probe.as_deref())
}

/// Flashes an image that has been built, and runs it.
pub(crate) fn flash_image(image: &Path, board: &Board) -> Result<()> {
    check_tool(None)?;
    flash(image, chip(board)?, None)
}

fn flash(image: &Path, chip: &str, probe: Option<&str>) -> Result<()> {
    let mut flash = process::program(TOOL);
    flash.args(["run", "--chip", chip]);
    if let Some(probe) = probe {
        flash.args(["--probe", probe]);
    }
    process::run(flash.arg(image))
}

fn check_tool(probe: Option<&str>) -> Result<()> {
    ensure!(
        process::is_on_path(TOOL),
        "flashing needs {TOOL}, which is not installed; run `cargo install --locked probe-rs-tools` (on Debian it needs \
         `apt-get install pkg-config libudev-dev` first), or get a binary from https://probe.rs, and try again"
    );
    let listed = process::capture(process::program(TOOL).arg("list").stdin(Stdio::null()))?;
    check_probes(&listed, probe)
}

fn chip(board: &Board) -> Result<&str> {
    board
        .chip
        .as_deref()
        .with_context(|| format!("{} is emulated and cannot be flashed; `cargo qemu` runs it", board.name))
}

/// Checks that the output of `probe-rs list`, one line with a number in brackets for each probe, selects one probe.
fn check_probes(listed: &str, wanted: Option<&str>) -> Result<()> {
    let probes: Vec<&str> = listed.lines().filter(|line| line.trim_start().starts_with('[')).collect();
    match (probes.as_slice(), wanted) {
        ([], _) => bail!(
            "no probe is connected; plug a USB cable into the socket CN1 of the board, next to the red-green LED, and use a \
             cable that carries data and not only power; if the LED is on and there is still no probe, this account has no \
             permission to use it: on Linux install the udev rules from \
             https://probe.rs/docs/getting-started/probe-setup and plug it in again"
        ),
        ([_], None) => Ok(()),
        (several, None) => {
            bail!("several probes are connected; select one with --probe VID:PID:SERIAL:\n{}", several.join("\n"))
        }
        (probes, Some(wanted)) => {
            ensure!(
                probes.iter().any(|probe| probe.contains(wanted)),
                "the probe {wanted} is not connected; these are:\n{}",
                probes.join("\n")
            );
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &str = "No debug probes were found.\n";
    const ONE: &str = "The following debug probes were found:\n[0]: STLink V2-1 -- 0483:374b:066DFF (ST-LINK)\n";
    const TWO: &str = "The following debug probes were found:\n[0]: STLink V2-1 -- 0483:374b:066DFF (ST-LINK)\n\
                       [1]: STLink V2-1 -- 0483:374b:0669FF (ST-LINK)\n";

    #[test]
    fn accepts_a_single_or_a_selected_probe() {
        check_probes(ONE, None).expect("one probe is connected");
        check_probes(ONE, Some("0483:374b")).expect("the selected probe is connected");
        check_probes(TWO, Some("0483:374b:0669FF")).expect("one of two is selected");
    }

    #[test]
    fn a_missing_or_ambiguous_probe_is_an_error_that_says_what_to_do() {
        let refusal = |listed, wanted| check_probes(listed, wanted).expect_err("no probe is selected").to_string();
        assert!(refusal(NONE, None).starts_with("no probe is connected; plug a USB cable"));
        assert!(refusal("", Some("0483:374b")).starts_with("no probe is connected"));
        let several = refusal(TWO, None);
        assert!(several.contains("--probe") && several.contains("0669FF") && several.contains("066DFF"));
        assert!(refusal(ONE, Some("0483:374b:0669FF")).starts_with("the probe 0483:374b:0669FF is not connected"));
    }

    #[test]
    fn only_real_boards_can_be_flashed() {
        let chip = |name| {
            let board = board(Some(name)).expect("a board of the table");
            chip(&board).map(str::to_owned).map_err(|error| error.to_string())
        };
        assert_eq!(chip("nucleo").as_deref(), Ok("STM32F767ZITx"));
        assert_eq!(chip("nucleo-f429").as_deref(), Ok("STM32F429ZITx"));
        assert_eq!(chip("mps2"), Err("mps2 is emulated and cannot be flashed; `cargo qemu` runs it".into()));
    }
}
