//! The measurements, in order.

use std::time::Duration;

use anyhow::{Context, Result};
use tests::load::{DIALECTS, compare_dialect};
use tests::redis::Redis;
use tests::relay::{RelayProcess, StoreLocation};
use tests::temp_dir::TempDir;

use crate::disk::Probe;
use crate::echo::Echo;
use crate::figures::{Cost, Delays, Figures, Throughput};
use crate::load::{Load, figure};
use crate::long_game;

/// The size of a run.
pub(crate) struct Extent {
    /// Number of rounds of each comparison.
    rounds: usize,
    /// Duration of each, in seconds.
    seconds: u64,
    idle: usize,
    /// Numbers of games for the cost of a move.
    games: &'static [usize],
}

impl Extent {
    pub(crate) const FULL: Self = Self { rounds: 5, seconds: 8, idle: 10_000, games: &[10, 100, 1_000, 10_000] };
    pub(crate) const QUICK: Self = Self { rounds: 1, seconds: 3, idle: 1_000, games: &[10, 100, 1_000] };
}

/// Number of games at full speed.
const BUSY: usize = 200;

/// Number of games of each dialect.
const DIALECT_GAMES: usize = 100;

/// Number of games when each moves once a second.
const PACED: usize = 1_000;

/// Moves per second in all for the cost of a move, independent of the number of games. Otherwise more games would share more
/// batched work, and a move would look cheaper.
const RATE: usize = 1_000;

/// Open files of a process that are not connections.
const OTHER_DESCRIPTORS: usize = 128;

pub(crate) fn all(extent: &Extent) -> Result<Figures> {
    let embedded = Kept::embedded()?;
    let redis = Kept::redis()?;
    let echo = Echo::start()?;
    let mut figures = Figures::default();
    for round in 1..=extent.rounds {
        eprintln!("throughput, {round} of {}", extent.rounds);
        for (kept, throughput) in [(&embedded, &mut figures.embedded), (&redis, &mut figures.redis)] {
            beside_echo(&kept.relay, &echo, extent.seconds, throughput)?;
        }
    }
    let probe = Probe::start();
    for round in 1..=extent.rounds {
        eprintln!("delays, {round} of {}", extent.rounds);
        for (kept, delays) in [(&embedded, &mut figures.embedded_delays), (&redis, &mut figures.redis_delays)] {
            let load = Load { games: PACED, seconds: extent.seconds, think: Some(1_000), ..Load::default() };
            delays.push(Delays::of(&load.run(&kept.relay)?)?);
        }
    }
    figures.disk = Delays::among(probe.stop()?);
    drop((redis, echo));
    for dialect in DIALECTS {
        eprintln!("moves of {dialect}");
        let time = Duration::from_secs(extent.seconds);
        let compare = compare_dialect(dialect, embedded.relay.address(), DIALECT_GAMES, time);
        figures.dialects.push((dialect, tokio::runtime::Runtime::new()?.block_on(compare)?));
    }
    drop(embedded);
    eprintln!("the longest game");
    figures.long_game = long_game::measure()?;

    eprintln!("memory of {} idle connections", extent.idle);
    let idle = Load { idle: extent.idle, ..Load::default() }.run(&Kept::embedded()?.relay)?;
    figures.idle = (extent.idle, figure(&idle, "/bytes_per_idle_connection")?);
    for &games in extent.games {
        let games = games.min(most_games());
        eprintln!("cost of a move with {games} games");
        let think = u64::try_from(games * 1_000 / RATE)?;
        // Every player should have moved.
        let seconds = extent.seconds.max(2 * think / 1_000);
        let load = Load { games, seconds, think: Some(think), ..Load::default() };
        let report = load.run(&Kept::embedded()?.relay)?;
        let (us, rate) = (figure(&report, "/cpu_us_per_move")?, figure(&report, "/moves_per_second")?);
        figures.costs.push(Cost { games, us, rate });
    }
    Ok(figures)
}

fn beside_echo(relay: &RelayProcess, echo: &Echo, seconds: u64, throughput: &mut Throughput) -> Result<()> {
    let before = echo.computed();
    let load = Load { games: BUSY, seconds, echo: Some(&echo.url), ..Load::default() };
    let report = load.run(relay)?;
    throughput.ratios.push(figure(&report, "/echo/ratio")?);
    throughput.messages.push(figure(&report, "/messages_per_second")?);
    throughput.moves.push(figure(&report, "/moves_per_second")?);
    throughput
        .computing
        .push(figure(&report, "/cpu_us_per_move")? * figure(&report, "/moves")? / figure(&report, "/messages")?);
    if let Some((before, after)) = before.zip(echo.computed()) {
        throughput.echo_computing.push((after - before) * 1e6 / figure(&report, "/echo/messages")?);
    }
    Ok(())
}

/// A relay with its store.
struct Kept {
    relay: RelayProcess,
    _folder: Option<TempDir>,
    _redis: Option<Redis>,
}

impl Kept {
    fn embedded() -> Result<Self> {
        let folder = TempDir::new()?;
        let relay = start(StoreLocation::Folder(folder.path().to_owned()))?;
        Ok(Self { relay, _folder: Some(folder), _redis: None })
    }

    /// This Redis syncs every write, as the embedded store does.
    fn redis() -> Result<Self> {
        let redis = Redis::start()?;
        let relay = start(StoreLocation::Redis(redis.port()))?;
        Ok(Self { relay, _folder: None, _redis: Some(redis) })
    }
}

fn start(location: StoreLocation) -> Result<RelayProcess> {
    RelayProcess::start(location, &[])?.context("there is no tabiya to start")
}

/// The number of games that the limit of open files allows: each has two connections.
fn most_games() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let hard =
        limits.lines().find_map(|line| line.strip_prefix("Max open files")?.split_whitespace().nth(1)?.parse().ok());
    hard.map_or(usize::MAX, |hard: usize| hard.saturating_sub(OTHER_DESCRIPTORS) / 2)
}
