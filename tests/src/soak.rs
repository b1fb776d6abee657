//! The soak test: games with checking clients go on for minutes while relays, Redis, disks, clocks and connections fail at random.
//!
//! Two relays share one Redis, which has a replica that takes over; a third relay has an embedded store. After every fault all games
//! must go on. At the end every move that any client has seen is in every record, once and in its place. The same seed injects the
//! same faults in the same order.
//!
//! - `fault.rs`: the list of faults; `shared_site.rs`: the two relays on Redis; `embedded_site.rs`: the relay with its own store.
//! - `table.rs`: plays one checked game after the other.

mod embedded_site;
mod fault;
mod shared_site;
mod table;

use std::fmt::{self, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::checked_games::{AuditedGame, compare_streams, wait_until};
use crate::random::Random;
use embedded_site::EmbeddedSite;
use fault::{Fault, Place};
use shared_site::SharedSite;
use table::{Table, TablePlan};

/// The addresses under which clients reach the relays of a site.
type Entrances = Arc<[SocketAddr]>;

/// A grace period longer than any fault, so that no game ends because a player is disconnected.
const LONG_GRACE: &str = "--grace=86400";

/// Moves that every table must make after a fault.
const MOVES: usize = 4;

/// What to do.
#[derive(Clone, Debug)]
pub struct Soak {
    /// How long faults are injected, at least.
    pub time: Duration,
    /// How often every kind of fault is injected, at least. Each round has them in another order.
    pub rounds: usize,
    /// Seed of everything that is random.
    pub seed: u64,
    /// Games at a time on Redis. The embedded store has half as many.
    pub tables: usize,
    /// The longest time that a fault lasts.
    pub longest_fault: Duration,
}

/// What has happened.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SoakReport {
    pub seed: u64,
    pub seconds: f64,
    pub faults: Vec<(&'static str, usize)>,
    pub games: usize,
    pub finished: usize,
    pub moves: usize,
    pub connections: u32,
    pub store_errors: u32,
    /// Moves that were sent again because the connection broke before they were seen.
    pub resent: u32,
    /// From sending a move to seeing it, in milliseconds, sorted.
    pub latencies_ms: Vec<u32>,
}

impl Soak {
    /// Runs it; `None` if a program is missing. `progress` is called for each fault.
    pub async fn run(&self, mut progress: impl FnMut(&str)) -> Result<Option<SoakReport>> {
        let (Some(mut shared), Some(mut embedded)) = (SharedSite::start().await?, EmbeddedSite::start().await?) else {
            return Ok(None);
        };
        let begin = Instant::now();
        let mut random = Random::new(self.seed);
        let tables = self.open_tables(&shared, &embedded, &mut random);
        let mut faults = Faults::new();
        let injected = self.inject(&mut shared, &mut embedded, &tables, &mut random, &mut faults, &mut progress).await;
        injected.with_context(|| format!("seed {}, after {faults}", self.seed))?;

        progress("comparing all records");
        let mut report = SoakReport { seed: self.seed, faults: faults.counts(), ..SoakReport::default() };
        for table in tables {
            let on_redis = table.place() == Place::Shared;
            let relays = if on_redis { shared.relays() } else { vec![embedded.relay()] };
            let (games, counts) = table.finish(&relays).await.with_context(|| format!("seed {}", self.seed))?;
            if on_redis {
                compare_streams(|words| shared.cli(words), &games).with_context(|| format!("seed {}", self.seed))?;
            }
            report.games += games.len();
            report.finished += games.iter().filter(|game| game.result != "*").count();
            report.moves += games.iter().map(|game: &AuditedGame| game.moves.len()).sum::<usize>();
            report.connections += counts.joins;
            report.store_errors += counts.store_errors;
            report.resent += counts.resent;
            report.latencies_ms.extend(counts.latencies_ms);
        }
        shared.check()?;
        embedded.check()?;
        report.latencies_ms.sort_unstable();
        report.seconds = begin.elapsed().as_secs_f64();
        Ok(Some(report))
    }

    fn open_tables(&self, shared: &SharedSite, embedded: &EmbeddedSite, random: &mut Random) -> Vec<Table> {
        let on_redis = (0..self.tables).map(|_| (Place::Shared, shared.entrances()));
        let on_file = (0..self.tables.div_ceil(2)).map(|_| (Place::Embedded, embedded.entrances()));
        let plan = |(number, (place, entrances))| TablePlan { number, place, entrances, seed: random.number() };
        on_redis.chain(on_file).enumerate().map(plan).map(Table::open).collect()
    }

    /// Injects every kind of fault once in each round, in random order, and goes on until the time is over.
    async fn inject(
        &self,
        shared: &mut SharedSite,
        embedded: &mut EmbeddedSite,
        tables: &[Table],
        random: &mut Random,
        faults: &mut Faults,
        progress: &mut impl FnMut(&str),
    ) -> Result<()> {
        go_on(tables, 1).await.context("before the first fault")?;
        let until = Instant::now() + self.time;
        let longest = u64::try_from(self.longest_fault.as_millis())?;
        for round in 0.. {
            let mut kinds = Fault::ALL;
            random.shuffle(&mut kinds);
            for fault in kinds {
                if round >= self.rounds && Instant::now() >= until {
                    return Ok(());
                }
                let time = Duration::from_millis(random.within(longest / 20..=longest));
                progress(&format!("{} for up to {} ms", fault.name(), time.as_millis()));
                faults.injected.push(fault);
                let done = match fault.place() {
                    Place::Shared => shared.inject(fault, time, random).await,
                    Place::Embedded => embedded.inject(fault, time).await,
                };
                done.with_context(|| fault.name())?;
                go_on(tables, MOVES).await.with_context(|| format!("after: {}", fault.name()))?;
            }
        }
        Ok(())
    }
}

/// Waits until every table has made this many further moves.
async fn go_on(tables: &[Table], moves: usize) -> Result<()> {
    let goals: Vec<usize> = tables.iter().map(|table| table.progress() + moves).collect();
    let went_on = wait_until("all games go on", || {
        tables.iter().try_for_each(Table::check)?;
        Ok(tables.iter().zip(&goals).all(|(table, &goal)| table.progress() >= goal))
    });
    went_on.await.with_context(|| tables.iter().map(Table::summary).collect::<Vec<_>>().join("\n"))
}

/// The faults so far.
struct Faults {
    injected: Vec<Fault>,
}

impl Faults {
    fn new() -> Self {
        Self { injected: Vec::new() }
    }

    fn counts(&self) -> Vec<(&'static str, usize)> {
        let count = |fault: Fault| self.injected.iter().filter(|&&injected| injected == fault).count();
        Fault::ALL.into_iter().map(|fault| (fault.name(), count(fault))).collect()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.injected.iter().map(|fault| fault.name()).collect();
        f.write_str(&names.join(", "))
    }
}

impl fmt::Display for SoakReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: usize = self.faults.iter().map(|(_, count)| count).sum();
        writeln!(f, "seed           {}", self.seed)?;
        writeln!(f, "time           {:.0} s", self.seconds)?;
        let kinds = self.faults.iter().fold(String::new(), |mut text, (name, count)| {
            // Writing to a string does not fail.
            let _ = write!(text, "{}{name} ({count})", if text.is_empty() { "" } else { ", " });
            text
        });
        writeln!(f, "faults         {faults}: {kinds}")?;
        writeln!(f, "games          {}, of which {} ended on the board", self.games, self.finished)?;
        writeln!(f, "moves          {}, none lost, none repeated", self.moves)?;
        writeln!(f, "moves resent   {}", self.resent)?;
        writeln!(f, "connections    {}", self.connections)?;
        writeln!(f, "store errors   {} reported to clients", self.store_errors)?;
        let at = |per_mille: usize| {
            let index = self.latencies_ms.len() * per_mille / 1_000;
            self.latencies_ms.get(index.min(self.latencies_ms.len().saturating_sub(1))).copied().unwrap_or_default()
        };
        writeln!(f, "move stored    p50 {} ms, p95 {} ms, p99 {} ms, max {} ms", at(500), at(950), at(990), at(1_000))
    }
}
