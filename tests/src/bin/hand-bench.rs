//! Plays a million moves with simulated hands, and says what the board made of them. `--json` makes it one JSON object,
//! `--moves` asks for more or fewer, and `--first` for other games than those from number 0 on.
//!
//! It ends with success if every target is reached, with 1 if one is missed, and with 2 if it was not asked well.

use std::env;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use tests::hand::report;
use tests::hand::sitting;
use tests::hand::tally::Tally;
use tests::hand::verdict::{Verdict, verdicts};

/// More than a million.
const MOVES: u64 = 1_050_000;

/// So many games are played before the moves are counted again. What is played so does not depend on how many threads
/// play it.
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
    first: u64,
    as_json: bool,
}

fn options() -> Result<Options> {
    let mut options = Options { moves: MOVES, first: 0, as_json: false };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let number = arguments.next().with_context(|| format!("{argument} needs a number"))?;
            number.parse().with_context(|| format!("{argument} {number}"))
        };
        match argument.as_str() {
            "--json" => options.as_json = true,
            "--moves" => options.moves = number()?,
            "--first" => options.first = number()?,
            other => bail!("there is no {other}; there are --json, --moves and --first"),
        }
    }
    Ok(options)
}

/// Plays, reports, and says whether everything was as it should be.
fn bench(&Options { moves, first, as_json }: &Options) -> bool {
    let mut total = Tally::default();
    while total.moves < moves {
        let next = first + total.games;
        total.absorb(&play(next..next + AT_ONCE));
        eprintln!("hand, {} of {moves} moves", total.moves);
    }
    let verdicts = verdicts(&total, moves);
    if as_json {
        println!("{:#}", report::json(&total, &verdicts));
    } else {
        print!("{}", report::text(&total, &verdicts));
    }
    verdicts.iter().all(Verdict::is_reached)
}

/// Plays the games of these numbers on all cores.
fn play(games: Range<u64>) -> Tally {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(games.start);
    let some_games = || {
        let numbers = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| games.contains(number));
        let mut tally = Tally::default();
        for number in std::iter::from_fn(numbers) {
            tally.absorb(&sitting::play(number));
        }
        tally
    };
    let mut total = Tally::default();
    thread::scope(|scope| {
        let players: Vec<_> = (0..cores).map(|_| scope.spawn(some_games)).collect();
        for player in players {
            total.absorb(&player.join().expect("a hand does not panic"));
        }
    });
    total.faults.sort_by_key(|fault| fault.game);
    total
}
