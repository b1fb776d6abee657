//! Boots a firmware image in QEMU and prints its log: what `cargo qemu` and `cargo xtask qemu` run.
//!
//! `emulate <image> [--own-relay] [--panel] [argument]...` exits with the exit code of the firmware, or when it is interrupted.
//! `--own-relay` starts a relay and pairs the board with it; `--panel` serves a page with the pieces, lights and plugs of the
//! board. Other arguments are passed to the firmware.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tests::panel_page::PanelPage;
use tests::qemu::{Qemu, SerialLine};
use tests::relay_fixture::RelayFixture;
use tests::temp_dir::TempDir;

fn main() -> ExitCode {
    match emulate() {
        // An exit code has one byte; a code that does not fit is a failure.
        Ok(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("emulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The name of the board at its relay and on its page.
const NAME: &str = "emulated";

fn emulate() -> Result<i32> {
    let usage = "no image; usage: emulate <image> [--own-relay] [--panel] [argument]...";
    let mut arguments = env::args_os().skip(1);
    let image = PathBuf::from(arguments.next().context(usage)?);
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let mut qemu = Qemu::new(&image).network().timeout(None);
    for argument in arguments.iter().filter(|argument| !argument.starts_with("--")) {
        qemu = qemu.argument(argument);
    }
    let relay = if has("--own-relay") { Some(start_relay()?) } else { None };
    if let Some(fixture) = &relay {
        let (pairing, address) = (fixture.pair(NAME)?, fixture.relay.address());
        qemu =
            qemu.argument(&format!("relay=ws://10.0.2.2:{}", address.port())).argument(&format!("key={}", pairing.key));
        println!("The relay: http://{address}/");
        println!("To play against the board: http://{address}/g/{}", pairing.code);
    }
    let folder = TempDir::new()?;
    let panel = if has("--panel") { Some(PanelPage::start(NAME, &folder.path().join("qmp"))?) } else { None };
    if let Some(panel) = &panel {
        qemu = qemu.line(SerialLine::Sensors, panel.switches).line(SerialLine::Lights, panel.lights);
        qemu = qemu.qmp(&folder.path().join("qmp"));
        println!("The panel of the board: http://{}/board", panel.address);
    }
    let mut board = qemu.boot()?;
    while let Some(line) = board.next_line()? {
        println!("{line}");
    }
    board.wait_for_exit()
}

fn start_relay() -> Result<RelayFixture> {
    RelayFixture::start()?.context("the program tabiya is missing; `cargo xtask qemu` builds it")
}
