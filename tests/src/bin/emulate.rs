//! Boots an image in the emulator and prints its log: what `cargo qemu` runs.
//!
//! `emulate <image> [order]...` ends with the exit code of the board, or when it is interrupted.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tests::qemu::Qemu;

fn main() -> ExitCode {
    match emulate() {
        // The codes of a process are a byte wide; what does not fit one is no success.
        Ok(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("emulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn emulate() -> Result<i32> {
    let mut args = env::args_os().skip(1);
    let image = PathBuf::from(args.next().context("which image? usage: emulate <image> [order]...")?);
    let mut qemu = Qemu::new(&image).network().patience(None);
    for order in args {
        qemu = qemu.order(&order.to_string_lossy());
    }
    let mut board = qemu.boot()?;
    while let Some(line) = board.next_line()? {
        println!("{line}");
    }
    board.wait_for_exit()
}
