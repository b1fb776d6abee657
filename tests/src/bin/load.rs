//! The load generator: what `cargo xtask load` runs. See [`tests::load`].

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use clap::Parser;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tests::load::{IdleConnections, LoadReport, LoadTest, RelayUrl};
use tokio::runtime::Runtime;

/// Play many games through relays in parallel, check every state with an independent rules engine, and measure.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask load", bin_name = "cargo xtask load")]
struct Options {
    /// Number of games in parallel.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// The relays: ws://host:port. With several, the two players of a game are connected to different ones.
    #[arg(long, required = true, num_args = 1.., value_name = "URL")]
    relays: Vec<RelayUrl>,
    /// Duration of the measurement, in seconds.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    time: u64,
    /// Average time that a player thinks before a move, in milliseconds. Without it, players move at once.
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Players reconnect to their seats when a connection breaks, through another relay if there are several.
    #[arg(long)]
    resume: bool,
    /// Open this many further connections that do nothing, and measure the memory that the first relay takes for them.
    #[arg(long, default_value_t = 0, value_name = "N")]
    idle: usize,
    /// Send the same frames to this echo server as well, in alternating time slices, and compare.
    #[arg(long, value_name = "URL")]
    echo: Option<RelayUrl>,
    /// Seed of the games. The same seed plays the same games.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<()> {
    raise_descriptor_limit()?;
    let json = options.json;
    let report = Runtime::new()?.block_on(play(options))?;
    let mut output = io::stdout().lock();
    if json {
        writeln!(output, "{}", serde_json::to_string(&report)?)?;
    } else {
        write_table(&report, &mut output)?;
    }
    let LoadReport { inconsistencies, timeouts, .. } = report;
    ensure!(inconsistencies + timeouts == 0, "{inconsistencies} inconsistencies and {timeouts} timeouts");
    Ok(())
}

/// Raises the soft limit of open files to the hard limit, since every connection is an open file.
fn raise_descriptor_limit() -> Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).context("cannot raise the limit of open files")
}

async fn play(options: Options) -> Result<LoadReport> {
    let idle = match (options.idle, options.relays.first()) {
        (0, _) | (_, None) => None,
        (count, Some(relay)) => Some(IdleConnections::open(relay, count).await.map_err(Error::msg)?),
    };
    let test = LoadTest {
        relays: options.relays,
        games: options.games,
        time: Duration::from_secs(options.time),
        think: options.think.map(Duration::from_millis),
        resume: options.resume,
        echo: options.echo,
        // The keys of a new hasher come from the operating system.
        seed: options.seed.unwrap_or_else(|| RandomState::new().hash_one(())),
    };
    let quiet = options.json;
    let result = test.run(|moves| {
        if !quiet {
            // A progress display that cannot be written does not matter.
            let _ = write!(io::stderr(), "\r{moves} moves ");
        }
    });
    let result = result.await.map_err(Error::msg)?;
    if !quiet {
        let _ = writeln!(io::stderr());
    }
    let bytes_per_idle_connection = idle.as_ref().and_then(|idle| idle.bytes_per_connection);
    if let Some(idle) = idle {
        idle.close().await;
    }
    Ok(result.report(bytes_per_idle_connection))
}

fn write_table(report: &LoadReport, output: &mut impl Write) -> io::Result<()> {
    let LoadReport { seconds, games, finished, moves, errors, reconnects, inconsistencies, timeouts, .. } = report;
    writeln!(output, "games              {games}, of which {finished} ended on the board")?;
    writeln!(output, "moves              {moves} in {seconds:.1} s")?;
    writeln!(output, "moves per second   {:.0}", report.moves_per_second)?;
    writeln!(output, "messages           {:.0} per second, in both directions", report.messages_per_second)?;
    let latency = report.latency_us;
    let ms = |us: u32| f64::from(us) / 1000.0;
    writeln!(
        output,
        "move to opponent   p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, max {:.2} ms",
        ms(latency.p50),
        ms(latency.p99),
        ms(latency.p999),
        ms(latency.max)
    )?;
    if let Some(cpu) = report.cpu_us_per_move {
        writeln!(output, "relay CPU time     {cpu:.0} us per move")?;
    }
    writeln!(output, "errors             {errors}, reconnects {reconnects}")?;
    writeln!(output, "inconsistencies    {inconsistencies}, timeouts {timeouts}")?;
    if let Some(bytes) = report.bytes_per_idle_connection {
        writeln!(output, "relay memory       {bytes:.0} bytes per idle connection")?;
    }
    if let Some(echo) = report.echo {
        let (messages, ratio) = (echo.messages_per_second, echo.ratio);
        writeln!(output, "echo server        {messages:.0} messages per second; the relay reaches {ratio:.2} of that")?;
    }
    for problem in &report.problems {
        writeln!(output, "  {problem}")?;
    }
    Ok(())
}
