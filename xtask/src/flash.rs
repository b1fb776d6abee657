//! Puts the firmware on a board, and shows its log. What is missing for that is said in words.

use std::process::Stdio;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;

use crate::firmware::{BOARDS, Board, NUCLEO};
use crate::process;

const TOOL: &str = "probe-rs";

#[derive(Args)]
pub(crate) struct Options {
    /// The board: nucleo or nucleo-f429.
    #[arg(long, default_value = NUCLEO.name)]
    board: String,
    /// Which probe, if there are several: VID:PID or VID:PID:SERIAL, as `probe-rs list` shows it.
    #[arg(long)]
    probe: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (board, chip) = choose(&options.board)?;
    ensure!(
        process::is_on_path(TOOL),
        "flashing needs {TOOL}, which is not here; type `cargo install --locked probe-rs-tools` (on Debian it needs \
         `apt-get install pkg-config libudev-dev` first), or see https://probe.rs for a ready-made one, and then try again"
    );
    let listed = process::capture(process::program(TOOL).arg("list").stdin(Stdio::null()))?;
    check_probes(&listed, options.probe.as_deref())?;

    let (image, _) = board.build()?;
    let mut flash = process::program(TOOL);
    flash.args(["run", "--chip", chip]);
    if let Some(probe) = &options.probe {
        flash.args(["--probe", probe]);
    }
    process::run(flash.arg(image))
}

/// The board of this name, and what the tool calls its chip.
fn choose(name: &str) -> Result<(&'static Board, &'static str)> {
    let flashable = || BOARDS.iter().filter_map(|board| board.chip.map(|chip| (board, chip)));
    flashable().find(|(board, _)| board.name == name).ok_or_else(|| {
        let names: Vec<&str> = flashable().map(|(board, _)| board.name).collect();
        anyhow!("there is no board {name} that could be flashed; there are {}", names.join(" and "))
    })
}

/// Whether one probe is meant by what `probe-rs list` has printed: a line that begins with a number for each.
fn check_probes(listed: &str, wanted: Option<&str>) -> Result<()> {
    let probes: Vec<&str> = listed.lines().filter(|line| line.trim_start().starts_with('[')).collect();
    match (probes.as_slice(), wanted) {
        ([], _) => bail!(
            "no probe is connected; plug a USB cable into the socket CN1 of the board, at the end with the small chip and \
             the red-green light, and use a cable that carries data and not only power; if the light glows and there is \
             still no probe, this account may not use it yet: on Linux install the udev rules from \
             https://probe.rs/docs/getting-started/probe-setup and plug it in again"
        ),
        ([_], None) => Ok(()),
        (several, None) => {
            bail!(
                "there are several probes; say which with --probe VID:PID:SERIAL, from this list:\n{}",
                several.join("\n")
            )
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
    fn one_probe_is_the_one() {
        check_probes(ONE, None).expect("there is no doubt");
        check_probes(ONE, Some("0483:374b")).expect("it is the one that is wanted");
        check_probes(TWO, Some("0483:374b:0669FF")).expect("one of them is wanted");
    }

    #[test]
    fn where_no_probe_is_meant_it_is_said_what_to_do() {
        let refusal = |listed, wanted| check_probes(listed, wanted).expect_err("there is doubt").to_string();
        assert!(refusal(NONE, None).starts_with("no probe is connected; plug a USB cable"));
        assert!(refusal("", Some("0483:374b")).starts_with("no probe is connected"));
        let several = refusal(TWO, None);
        assert!(several.contains("--probe") && several.contains("0669FF") && several.contains("066DFF"));
        assert!(refusal(ONE, Some("0483:374b:0669FF")).starts_with("the probe 0483:374b:0669FF is not connected"));
    }

    #[test]
    fn only_real_boards_can_be_flashed() {
        let chip = |name| choose(name).map(|(_, chip)| chip).map_err(|error| error.to_string());
        assert_eq!(chip("nucleo"), Ok("STM32F767ZITx"));
        assert_eq!(chip("nucleo-f429"), Ok("STM32F429ZITx"));
        assert_eq!(
            chip("mps2"),
            Err("there is no board mps2 that could be flashed; there are nucleo and nucleo-f429".into())
        );
    }

    #[test]
    fn the_settings_of_the_tool_name_the_same_chips() {
        let presets = include_str!("../../probe-rs.toml");
        let aliases = include_str!("../../.cargo/config.toml");
        for board in &BOARDS {
            if let Some(chip) = board.chip {
                assert!(presets.contains(&format!("[presets.{}]\nchip = \"{chip}\"", board.name)), "{}", board.name);
                assert!(aliases.contains(&format!("probe-rs run --chip {chip}")), "{}", board.name);
            }
        }
    }
}
