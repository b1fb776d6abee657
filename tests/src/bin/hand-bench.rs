//! Plays a million moves with simulated hands, and reports what the board read. `--json` prints one JSON object,
//! `--moves` sets the number of moves, and `--seed` repeats a run.
//!
//! The seed is random unless it is given, so that every run plays other games. The exit code is 0 if every target is reached, 1 if one is missed, and 2 if an option is invalid.

use std::env;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use tests::bench::Target;
use tests::hand::counters::HandCounters;
use tests::hand::report;
use tests::hand::simulation;
use tests::hand::targets::targets;
use tests::random::{fresh_seed, next_number};

/// Default number of moves.
const MOVES: u64 = 1_050_000;

/// Games between two counts of the moves. Thus the set of games does not depend on the number of
/// threads.
const AT_ONCE: u64 = 200;

fn main() -> ExitCode {
    match options() {
        Ok(options) => {
            if bench(&options) {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(1)
            }
        }
        Err(error) => {
            eprintln!("hand-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    moves: u64,
    seed: u64,
    as_json: bool,
}

fn options() -> Result<Options> {
    let mut options = Options { moves: MOVES, seed: fresh_seed(), as_json: false };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let number = arguments.next().with_context(|| format!("{argument} needs a number"))?;
            number.parse().with_context(|| format!("{argument} {number}"))
        };
        match argument.as_str() {
            "--json" => options.as_json = true,
            "--moves" => options.moves = number()?,
            "--seed" => options.seed = number()?,
            other => bail!("there is no {other}; there are --json, --moves and --seed"),
        }
    }
    Ok(options)
}

/// Plays and reports; returns whether all targets are reached.
fn bench(&Options { moves, seed, as_json }: &Options) -> bool {
    eprintln!("hand, seed {seed}");
    // Game numbers of two seeds do not overlap.
    let first = next_number(&mut seed.clone());
    let mut total = HandCounters::default();
    while total.moves < moves {
        let next = first.wrapping_add(total.games);
        total.absorb(&play(next..next.saturating_add(AT_ONCE)));
        eprintln!("hand, {} of {moves} moves", total.moves);
    }
    let targets = targets(&total, moves);
    if as_json {
        println!("{:#}", report::json(&total, &targets, Some(seed)));
    } else {
        print!("{}", report::text(&total, &targets, Some(seed)));
    }
    targets.iter().all(Target::is_reached)
}

/// Plays the games with these numbers on all cores.
fn play(games: Range<u64>) -> HandCounters {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(games.start);
    let some_games = || {
        let numbers = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| games.contains(number));
        let mut counters = HandCounters::default();
        for number in std::iter::from_fn(numbers) {
            counters.absorb(&simulation::play(number));
        }
        counters
    };
    let mut total = HandCounters::default();
    thread::scope(|scope| {
        let players: Vec<_> = (0..cores).map(|_| scope.spawn(some_games)).collect();
        for player in players {
            total.absorb(&player.join().expect("a hand does not panic"));
        }
    });
    total.faults.sort_by_key(|fault| fault.game);
    total
}
