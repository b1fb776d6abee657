//! `rules-host DEPTH FEN`: prints the nodes and the nanoseconds of one perft, after a smaller one that only warms up.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(Ok(depth)), Some(fen)) = (arguments.next().map(|depth| depth.parse::<u32>()), arguments.next()) else {
        eprintln!("usage: rules-host DEPTH FEN");
        return ExitCode::FAILURE;
    };
    black_box(rules_bench::perft(black_box(&fen), depth.saturating_sub(1)));
    let start = Instant::now();
    let nodes = black_box(rules_bench::perft(black_box(&fen), depth));
    println!("{nodes} {}", start.elapsed().as_nanos());
    ExitCode::SUCCESS
}
