use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use crate::failure::Failure;
use crate::load::{Crowd, Idlers, RelayUrl, Report};
use crate::server;

/// Plays many games through relays at once, checks every state that they show against other rules, and measures.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// How many games are played at a time.
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// Where: ws://host:port. With several, the players of a game are at different ones.
    #[arg(long, required = true, num_args = 1.., value_name = "URL")]
    relays: Vec<RelayUrl>,
    /// For how long, in seconds.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    time: u64,
    /// How long a player thinks, in milliseconds, on average. Without it, all move as fast as they can.
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Players whose connection breaks come back to their seats, perhaps through another relay.
    #[arg(long)]
    resume: bool,
    /// So many more connections sit at tables and do nothing; what they cost the first relay is measured.
    #[arg(long, default_value_t = 0, value_name = "N")]
    idle: usize,
    /// In turns with that, send the same frames to a server that only sends them back, with as many on their way, and compare.
    #[arg(long, value_name = "URL")]
    echo: Option<RelayUrl>,
    /// What makes the games the same ones again.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Failure> {
        server::take_all_descriptors();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Runtime)?;
        let json = self.json;
        let report = runtime.block_on(self.play())?;
        if json {
            writeln!(output, "{}", serde_json::to_string(&report).map_err(io::Error::from)?)?;
        } else {
            write_table(&report, output)?;
        }
        if report.inconsistencies + report.hung > 0 {
            return Err(Failure::Inconsistent(report.inconsistencies, report.hung));
        }
        Ok(())
    }

    async fn play(self) -> Result<Report, Failure> {
        let idlers = match (self.idle, self.relays.first()) {
            (0, _) | (_, None) => None,
            (count, Some(relay)) => Some(Idlers::come(relay, count).await.map_err(Failure::Load)?),
        };
        let crowd = Crowd {
            relays: self.relays,
            games: self.games,
            time: Duration::from_secs(self.time),
            think: self.think.map(Duration::from_millis),
            resume: self.resume,
            echo: self.echo,
            seed: self.seed.unwrap_or_else(crate::dice::roll),
        };
        let quiet = self.json;
        let played = crowd
            .play(|moves| {
                if !quiet {
                    // It is only for those who watch.
                    let _ = write!(io::stderr(), "\r{moves} moves ");
                }
            })
            .await
            .map_err(Failure::Load)?;
        if !quiet {
            let _ = writeln!(io::stderr());
        }
        let memory = idlers.as_ref().and_then(|idlers| idlers.memory);
        if let Some(idlers) = idlers {
            idlers.go().await;
        }
        Ok(played.report(memory))
    }
}

fn write_table(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let Report { seconds, games, finished, moves, errors, reconnects, inconsistencies, hung, .. } = report;
    writeln!(output, "games              {games}, of which {finished} came to their end")?;
    writeln!(output, "moves              {moves} in {seconds:.1} s")?;
    writeln!(output, "moves per second   {:.0}", report.moves_per_second)?;
    writeln!(output, "messages           {:.0} per second, both ways", report.messages_per_second)?;
    let delays = report.delay_us;
    let ms = |us: u32| f64::from(us) / 1000.0;
    writeln!(
        output,
        "move to opponent   p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, max {:.2} ms",
        ms(delays.p50),
        ms(delays.p99),
        ms(delays.p999),
        ms(delays.max)
    )?;
    if let Some(computing) = report.computing_us {
        writeln!(output, "relay computes     {computing:.0} us for a move")?;
    }
    writeln!(output, "errors             {errors}, reconnects {reconnects}")?;
    writeln!(output, "inconsistencies    {inconsistencies}, hung {hung}")?;
    if let Some(memory) = report.memory_per_connection {
        writeln!(output, "relay memory       {memory:.0} bytes for each idle connection")?;
    }
    if let Some(echo) = report.echo {
        let (messages, ratio) = (echo.messages_per_second, echo.ratio);
        writeln!(output, "a bare echo        {messages:.0} messages per second; the relay makes {ratio:.2} of that")?;
    }
    for complaint in &report.complaints {
        writeln!(output, "  {complaint}")?;
    }
    Ok(())
}
