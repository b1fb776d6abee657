//! Measures the latency of the emulated board. `--json` prints one JSON object, `--quick` makes a short run.
//!
//! All times are host time: QEMU does not count instructions here, so other load on the host is part of the figures.
//! `TABIYA_MPS2_IMAGE` is the path of the firmware, `TABIYA_PROGRAM` that of `tabiya`.
//!
//! The exit code is 0 if every target is reached, 1 if one is missed, and 2 if the measurement failed.

mod figures;
mod measure;

use std::process::ExitCode;

use measure::Extent;
use tests::bench;

fn main() -> ExitCode {
    bench::run("board-bench", &Extent::FULL, &Extent::QUICK, measure::all)
}
