//! Plays through relays beside a server that only echoes, and says how that compares. `--json` makes it one JSON object, and
//! `--quick` a short run, whose figures are rough.
//!
//! Nothing here is measured by the clock alone: whatever else the machine does would be in it. Throughput is a part of what
//! the echo makes, in turns, with the same frames and the same players; what a move costs is the time that the relay has
//! computed for it. Only how long a move takes is what it is.
//!
//! It ends with success if every target is reached, with 1 if one is missed, and with 2 if it could not measure.

mod disk;
mod echo;
mod figures;
mod load;
mod measure;

use std::process::ExitCode;

use measure::Extent;
use tests::bench;

fn main() -> ExitCode {
    bench::run("relay-bench", &Extent::FULL, &Extent::QUICK, measure::all)
}
