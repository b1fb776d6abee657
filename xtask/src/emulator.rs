//! Runs benchmark images on an emulated Cortex-M whose clock counts instructions, so that every run and every host give the
//! same figures.

use std::path::Path;

use anyhow::Result;

use crate::process;

/// The Rust target of the benchmark images.
pub(crate) const TARGET: &str = "thumbv7em-none-eabihf";

/// Runs an image to its end, and returns its output. The counter is in `chess/bench/src/counter.rs`.
pub(crate) fn run(image: &Path) -> Result<String> {
    let mut qemu = process::program("qemu-system-arm");
    qemu.args(["-machine", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-icount", "shift=10,sleep=off", "-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(image);
    process::capture(&mut qemu)
}
