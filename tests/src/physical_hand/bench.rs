//! Plays many games on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use board::Settings;
use chess::Color;

use super::session::{self, Players};
use super::style::Style;
use super::tally::Tally;
use crate::random::next_number;

/// Counts by style.
pub type Tallies = BTreeMap<Style, Tally>;

/// Games between two counts of the moves. Thus the set of games does not depend on the number of threads.
const AT_ONCE: u64 = 120;

/// Plays games of these styles in turn, up to this number of moves. The seed determines every one of them.
#[must_use]
pub fn play(styles: &[Style], moves: u64, seed: u64) -> Tallies {
    let mut total = Tallies::new();
    let mut next = 0;
    while made(&total) < moves {
        let games = next..next + AT_ONCE;
        next = games.end;
        for (style, tally) in play_some(styles, games, seed) {
            total.entry(style).or_default().absorb(&tally);
        }
        if moves > 20_000 {
            eprintln!("physical hand, {} of {moves} moves", made(&total));
        }
    }
    total
}

/// All moves of all styles.
#[must_use]
pub fn made(total: &Tallies) -> u64 {
    total.values().map(|tally| tally.moves).sum()
}

/// The players of a game: every third one is remote.
fn players(index: u64) -> Players {
    match index % 6 {
        0 => Players::Alone(Color::White),
        3 => Players::Alone(Color::Black),
        _ => Players::Shared,
    }
}

fn play_some(styles: &[Style], games: std::ops::Range<u64>, seed: u64) -> Tallies {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(games.start);
    let some = || {
        let mut total = Tallies::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= games.end {
                return total;
            }
            let count = styles.len() as u64;
            let style = styles[usize::try_from(index % count).unwrap_or(0)];
            let tally = session::play(number(seed, index), style, players(index / count), Settings::default());
            total.entry(style).or_default().absorb(&tally);
        }
    };
    let mut total = Tallies::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(some)).collect();
        for worker in workers {
            for (style, tally) in worker.join().expect("a game does not panic") {
                total.entry(style).or_default().absorb(&tally);
            }
        }
    });
    total
}

/// The number of a game, which seeds everything in it.
fn number(seed: u64, index: u64) -> u64 {
    let mut state = seed ^ index.wrapping_mul(0x2545_f491_4f6c_dd1d);
    next_number(&mut state)
}
