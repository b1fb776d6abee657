//! Plays on the emulated board, and says how soon it answers. `--json` makes it one JSON object, `--quick` is for a rough look.
//!
//! All times are this machine's own, from outside: the emulator runs as fast as it can and not by a clock of instructions, so
//! they have the machine's other business in them. `TABIYA_MPS2_IMAGE` says where the firmware is, and `TABIYA_PROGRAM` where
//! the relay is.
//!
//! It ends with success if every target is reached, with 1 if one is missed, and with 2 if it could not be measured.

mod figures;
mod measure;

use std::process::ExitCode;

use measure::Extent;
use tests::bench;

fn main() -> ExitCode {
    bench::run("board-bench", &Extent::FULL, &Extent::QUICK, measure::all)
}
