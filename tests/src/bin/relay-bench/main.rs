//! Measures relays beside an echo server. `--json` prints one JSON object, and
//! `--quick` makes a short run with rough figures.
//!
//! Throughput is relative to the echo server's, in alternating time slices with the same frames and players, and the cost of
//! a move is CPU time of the relay, so other load on the machine hardly matters. Only the latency of a move is absolute.
//!
//! The exit code is 0 if every target is reached, 1 if one is missed, and 2 if the measurement failed.

mod disk;
mod echo;
mod figures;
mod load;
mod long_game;
mod measure;

use std::process::ExitCode;

use measure::Extent;
use tests::bench;

fn main() -> ExitCode {
    bench::run("relay-bench", &Extent::FULL, &Extent::QUICK, measure::all)
}
