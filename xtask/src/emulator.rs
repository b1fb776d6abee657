//! An emulated Cortex-M whose clock counts instructions: the same on every machine and in every run.

use std::path::Path;

use anyhow::Result;

use crate::process;

/// Runs an image to its end, and gives what it wrote. How it counts is in `chess/bench/src/counter.rs`.
pub(crate) fn run(image: &Path) -> Result<String> {
    let mut qemu = process::program("qemu-system-arm");
    qemu.args(["-machine", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-icount", "shift=10,sleep=off", "-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(image);
    process::capture(&mut qemu)
}
