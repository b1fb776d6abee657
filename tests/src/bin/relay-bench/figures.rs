//! The figures with their targets.

use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};
use tests::bench::{Limit, Report, Target};
use tests::load::DialectComparison;

use crate::load::figure;
use crate::long_game::LongGame;

/// Targets for the throughput of the relay, as a fraction of the echo server's.
const EMBEDDED_RATIO: f64 = 0.6;
const REDIS_RATIO: f64 = 0.6;
/// Target of the 99th percentile from a move to its arrival at the opponent.
const DELAY_MS: f64 = 10.0;
/// Target for the memory of an idle connection, in bytes.
const IDLE_BYTES: f64 = 8.0 * 1_024.0;
/// Target for the CPU time of a move with this number of games, in microseconds.
const COST_GAMES: usize = 1_000;
const COST_US: f64 = 150.0;
/// Target for the moves per second of every dialect, as a fraction of Chessata's.
const DIALECT_RATIO: f64 = 0.8;
/// Targets for the longest game: to open it, and for the worst ping of another player meanwhile.
const OPEN_MS: f64 = 50.0;
const PING_MS: f64 = 100.0;
/// Target for the growth of the CPU time of a move from few to many games.
const GROWTH: f64 = 1.25;

/// All figures.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) embedded: Throughput,
    pub(crate) redis: Throughput,
    pub(crate) embedded_delays: Vec<Delays>,
    pub(crate) redis_delays: Vec<Delays>,
    /// Latency of fsync meanwhile.
    pub(crate) disk: Delays,
    /// Number of idle connections, and bytes for each.
    pub(crate) idle: (usize, f64),
    pub(crate) costs: Vec<Cost>,
    pub(crate) dialects: Vec<(&'static str, DialectComparison)>,
    pub(crate) long_game: LongGame,
}

/// Throughput at full speed, one sample for each round.
#[derive(Default)]
pub(crate) struct Throughput {
    /// Messages per second, divided by the echo server's.
    pub(crate) ratios: Vec<f64>,
    pub(crate) messages: Vec<f64>,
    pub(crate) moves: Vec<f64>,
    /// CPU time for a message, in microseconds.
    pub(crate) computing: Vec<f64>,
    pub(crate) echo_computing: Vec<f64>,
}

/// Percentiles of the latency of a move, in milliseconds.
#[derive(Default)]
pub(crate) struct Delays {
    p50: f64,
    p99: f64,
    p999: f64,
}

/// CPU time of the relay for a move, in microseconds, with this number of games.
pub(crate) struct Cost {
    pub(crate) games: usize,
    pub(crate) us: f64,
    /// Moves per second.
    pub(crate) rate: f64,
}

impl Delays {
    /// The percentiles of these values.
    pub(crate) fn among(mut all: Vec<f64>) -> Self {
        all.sort_unstable_by(f64::total_cmp);
        let at = |per_mille: usize| all.get(all.len() * per_mille / 1_000).copied().unwrap_or(f64::NAN);
        Self { p50: at(500), p99: at(990), p999: at(999) }
    }

    fn line(&self, what: &str) -> String {
        let Self { p50, p99, p999 } = self;
        format!("  {what:9} p50 {p50:6.2}, p99 {p99:6.2}, p99.9 {p999:6.2}\n")
    }

    fn json(&self) -> Value {
        let Self { p50, p99, p999 } = self;
        json!({ "p50": p50, "p99": p99, "p999": p999 })
    }

    pub(crate) fn of(report: &Value) -> Result<Self> {
        let ms = |path: &str| figure(report, path).map(|us| us / 1_000.0);
        Ok(Self { p50: ms("/latency_us/p50")?, p99: ms("/latency_us/p99")?, p999: ms("/latency_us/p999")? })
    }
}

impl Report for Figures {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "200 games, as fast as they go; everything is on the disk before it is acknowledged");
        for (store, throughput) in self.throughputs() {
            let _ = writeln!(text, "  {store:9} {}", throughput.line());
        }
        let _ = writeln!(text, "1,000 games, each moves once a second; from the move to the opponent, in milliseconds");
        for (store, delays) in [("embedded", &self.embedded_delays), ("Redis", &self.redis_delays)] {
            text.extend(delays.iter().map(|delays| delays.line(store)));
        }
        text.push_str(&self.disk.line("the disk"));
        let _ = writeln!(text, "embedded, {} idle connections: {:.0} bytes each", self.idle.0, self.idle.1);
        let _ = writeln!(text, "embedded, what a move costs the relay, in microseconds of computing");
        for Cost { games, us, rate } in &self.costs {
            let _ = writeln!(text, "  {games:6} games: {us:6.1}, at {rate:.0} moves a second");
        }
        let _ = writeln!(text, "embedded, 100 games of each dialect, as fast as they go, beside as many of Chessata");
        for (dialect, figures) in &self.dialects {
            let _ = writeln!(
                text,
                "  {dialect:9} {:.0} moves a second, Chessata {:.0}; computes {:.1} us for a move, Chessata {:.1}",
                figures.moves_per_second,
                figures.chessata_moves_per_second,
                figures.cpu_us_per_move,
                figures.chessata_cpu_us_per_move
            );
        }
        let LongGame { entries, opens, ping_alone, ping_meanwhile } = &self.long_game;
        let _ = writeln!(text, "embedded, the longest game, with {entries} entries in its log, in milliseconds");
        for (what, ms) in opens {
            let _ = writeln!(text, "  {what:22} {ms:6.1}");
        }
        let _ = writeln!(
            text,
            "  worst ping of another player: {ping_alone:.1} alone, {ping_meanwhile:.1} with 8 requests"
        );
        for target in self.targets() {
            text.push_str(&target.line());
        }
        text
    }

    fn json(&self) -> Value {
        let throughput = |throughput: &Throughput| {
            json!({
                "ratios": throughput.ratios,
                "messages_per_second": throughput.messages,
                "moves_per_second": throughput.moves,
                "computing_us_per_message": throughput.computing,
                "echo_computing_us_per_message": throughput.echo_computing,
            })
        };
        let delays = |delays: &[Delays]| delays.iter().map(Delays::json).collect::<Vec<_>>();
        let cost =
            |Cost { games, us, rate }: &Cost| json!({ "games": games, "computing_us": us, "moves_per_second": rate });
        let dialect = |(name, figures): &(&str, DialectComparison)| {
            let figures = json!({
                "moves_per_second": figures.moves_per_second,
                "chessata_moves_per_second": figures.chessata_moves_per_second,
                "computing_us": figures.cpu_us_per_move,
                "chessata_computing_us": figures.chessata_cpu_us_per_move,
            });
            ((*name).to_owned(), figures)
        };
        json!({
            "fsync": "before every acknowledgement, embedded and Redis alike",
            "throughput": { "embedded": throughput(&self.embedded), "redis": throughput(&self.redis) },
            "delay_ms": { "embedded": delays(&self.embedded_delays), "redis": delays(&self.redis_delays), "disk": self.disk.json() },
            "idle": { "connections": self.idle.0, "bytes": self.idle.1 },
            "costs": self.costs.iter().map(cost).collect::<Vec<_>>(),
            "dialects": self.dialects.iter().map(dialect).collect::<serde_json::Map<_, _>>(),
            "longest_game": {
                "entries": self.long_game.entries,
                "open_ms": self.long_game.opens.iter().map(|&(what, ms)| (what.to_owned(), ms.into())).collect::<serde_json::Map<_, _>>(),
                "worst_ping_ms": { "alone": self.long_game.ping_alone, "meanwhile": self.long_game.ping_meanwhile },
            },
            "targets": self.targets().iter().map(Target::json).collect::<Vec<_>>(),
        })
    }

    fn targets(&self) -> Vec<Target> {
        let p99 = |delays: &[Delays]| median(delays.iter().map(|delays| delays.p99));
        let mut targets = vec![
            Target::new("embedded, of the echo's messages", self.embedded.ratio(), Limit::AtLeast(EMBEDDED_RATIO)),
            Target::new("Redis, of the echo's messages", self.redis.ratio(), Limit::AtLeast(REDIS_RATIO)),
            Target::new("embedded, p99, ms", p99(&self.embedded_delays), Limit::AtMost(DELAY_MS)),
            Target::new("Redis, p99, ms", p99(&self.redis_delays), Limit::AtMost(DELAY_MS)),
            Target::new(
                format!("bytes for each of {} idle connections", self.idle.0),
                self.idle.1,
                Limit::AtMost(IDLE_BYTES),
            ),
        ];
        if let [few, .., many] = self.costs.as_slice() {
            let what = format!("cost of a move, {} games beside {}", many.games, few.games);
            targets.push(Target::new(what, many.us / few.us, Limit::AtMost(GROWTH)));
        }
        if let Some(cost) = self.costs.iter().find(|cost| cost.games == COST_GAMES) {
            targets.push(Target::new("cost of a move, 1000 games, us", cost.us, Limit::AtMost(COST_US)));
        }
        for (dialect, figures) in &self.dialects {
            let ratio = figures.moves_per_second / figures.chessata_moves_per_second;
            targets.push(Target::new(format!("{dialect}, of Chessata's moves"), ratio, Limit::AtLeast(DIALECT_RATIO)));
        }
        targets.push(Target::new("longest game, to open it, ms", self.long_game.slowest(), Limit::AtMost(OPEN_MS)));
        let what = "longest game, worst ping of another player, ms";
        targets.push(Target::new(what, self.long_game.ping_meanwhile, Limit::AtMost(PING_MS)));
        targets
    }
}

impl Figures {
    fn throughputs(&self) -> [(&'static str, &Throughput); 2] {
        [("embedded", &self.embedded), ("Redis", &self.redis)]
    }
}

impl Throughput {
    fn ratio(&self) -> f64 {
        median(self.ratios.iter().copied())
    }

    fn line(&self) -> String {
        let middle = |values: &[f64]| median(values.iter().copied());
        format!(
            "{:.0} moves and {:.0} messages a second, {:.2} of the echo ({}); computes {:.1} us for a message, the echo {:.1}",
            middle(&self.moves),
            middle(&self.messages),
            self.ratio(),
            self.ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", "),
            middle(&self.computing),
            middle(&self.echo_computing),
        )
    }
}

/// The median, so that a round with other load on the machine does not count.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
