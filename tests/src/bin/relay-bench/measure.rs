//! What is measured, and in which order.

use anyhow::{Context, Result};
use tests::redis::{Folder, Redis};
use tests::relay::{Keeping, Relay};

use crate::disk::Probe;
use crate::echo::Echo;
use crate::figures::{Cost, Delays, Figures, Throughput};
use crate::load::{Load, figure};

/// How much is measured.
pub(crate) struct Extent {
    /// How often everything that is compared is measured, in turns.
    rounds: usize,
    /// How long each time.
    seconds: u64,
    idle: usize,
    /// How many games are in play when what a move costs is measured.
    games: &'static [usize],
}

impl Extent {
    pub(crate) const FULL: Self = Self { rounds: 5, seconds: 8, idle: 10_000, games: &[10, 100, 1_000, 10_000] };
    pub(crate) const QUICK: Self = Self { rounds: 1, seconds: 3, idle: 1_000, games: &[10, 100, 1_000] };
}

/// So many games when all is as fast as it goes.
const BUSY: usize = 200;

/// So many games when each moves once a second.
const PACED: usize = 1_000;

/// So many moves a second in all, however many games they are in, when what a move costs is measured. Otherwise more games
/// would also share more of what is done once for many moves, and look cheaper than they are.
const RATE: usize = 1_000;

/// A process needs some descriptors that are no connections.
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
    drop((embedded, redis, echo));

    eprintln!("memory of {} idle connections", extent.idle);
    let idle = Load { idle: extent.idle, ..Load::default() }.run(&Kept::embedded()?.relay)?;
    figures.idle = (extent.idle, figure(&idle, "/memory_per_connection")?);
    for &games in extent.games {
        let games = games.min(most_games());
        eprintln!("cost of a move with {games} games");
        let think = u64::try_from(games * 1_000 / RATE)?;
        // Everybody should have moved.
        let seconds = extent.seconds.max(2 * think / 1_000);
        let load = Load { games, seconds, think: Some(think), ..Load::default() };
        let report = load.run(&Kept::embedded()?.relay)?;
        let (us, rate) = (figure(&report, "/computing_us")?, figure(&report, "/moves_per_second")?);
        figures.costs.push(Cost { games, us, rate });
    }
    Ok(figures)
}

fn beside_echo(relay: &Relay, echo: &Echo, seconds: u64, throughput: &mut Throughput) -> Result<()> {
    let before = echo.computed();
    let load = Load { games: BUSY, seconds, echo: Some(&echo.url), ..Load::default() };
    let report = load.run(relay)?;
    throughput.ratios.push(figure(&report, "/echo/ratio")?);
    throughput.messages.push(figure(&report, "/messages_per_second")?);
    throughput.moves.push(figure(&report, "/moves_per_second")?);
    throughput
        .computing
        .push(figure(&report, "/computing_us")? * figure(&report, "/moves")? / figure(&report, "/messages")?);
    if let Some((before, after)) = before.zip(echo.computed()) {
        throughput.echo_computing.push((after - before) * 1e6 / figure(&report, "/echo/messages")?);
    }
    Ok(())
}

/// A relay, and where it keeps everything, for as long as it runs.
struct Kept {
    relay: Relay,
    _folder: Option<Folder>,
    _redis: Option<Redis>,
}

impl Kept {
    fn embedded() -> Result<Self> {
        let folder = Folder::new()?;
        let relay = start(Keeping::Folder(folder.path().to_owned()))?;
        Ok(Self { relay, _folder: Some(folder), _redis: None })
    }

    /// With everything on the disk before it is acknowledged, as the embedded one has it: that is what this Redis does.
    fn redis() -> Result<Self> {
        let redis = Redis::start()?;
        let relay = start(Keeping::Redis(redis.port()))?;
        Ok(Self { relay, _folder: None, _redis: Some(redis) })
    }
}

fn start(keeping: Keeping) -> Result<Relay> {
    Relay::start(keeping, &[])?.context("there is no tabiya to start")
}

/// Both players of a game are one process here and two connections of the relay, and the system may not allow that many.
fn most_games() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let hard =
        limits.lines().find_map(|line| line.strip_prefix("Max open files")?.split_whitespace().nth(1)?.parse().ok());
    hard.map_or(usize::MAX, |hard: usize| hard.saturating_sub(OTHER_DESCRIPTORS) / 2)
}
