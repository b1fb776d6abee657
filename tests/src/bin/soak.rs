//! The soak test: what `cargo xtask soak` runs. See [`tests::soak`].

use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use tests::soak::Soak;
use tokio::runtime::Runtime;

/// Play games through relays whose parts fail at random, and compare every record with what the players saw.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask soak", bin_name = "cargo xtask soak")]
struct Options {
    /// How long faults are injected, in minutes, at least.
    #[arg(long, default_value_t = 10, value_name = "N")]
    minutes: u64,
    /// How often every kind of fault is injected, at least.
    #[arg(long, default_value_t = 1, value_name = "N")]
    rounds: usize,
    /// Seed of games and faults; random if it is not given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games at a time on Redis. The embedded store has half as many.
    #[arg(long, default_value_t = 12, value_name = "N")]
    tables: usize,
    /// The longest time that a fault lasts, in seconds.
    #[arg(long, default_value_t = 12, value_name = "N")]
    longest_fault: u64,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    // The keys of a new hasher come from the operating system.
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    println!("seed {seed}");
    let soak = Soak {
        time: Duration::from_mins(options.minutes),
        rounds: options.rounds,
        seed,
        tables: options.tables,
        longest_fault: Duration::from_secs(options.longest_fault),
    };
    let begin = Instant::now();
    let report = Runtime::new()?.block_on(async {
        tokio::spawn(async move { soak.run(|what| println!("{:6.1} s {what}", begin.elapsed().as_secs_f64())).await })
            .await
    })??;
    let report = report.context("redis-server or tabiya is missing")?;
    print!("{report}");
    Ok(())
}
