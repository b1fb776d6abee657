//! What was measured, beside what it should be.

use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};
use tests::bench::{Report, Verdict, Wanted};

use crate::load::figure;

/// How much of what the echo makes a relay must make.
const EMBEDDED_RATIO: f64 = 0.4;
const REDIS_RATIO: f64 = 0.25;
/// How long it may take until the other player sees a move, for 99 in 100 of them.
const DELAY_MS: f64 = 10.0;
/// What an idle connection may take.
const IDLE_BYTES: f64 = 16.0 * 1_024.0;
/// How much more a move may cost with many games than with few. Nothing would be exact; a busy machine is worth as much.
const GROWTH: f64 = 1.25;

/// Everything.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) embedded: Throughput,
    pub(crate) redis: Throughput,
    pub(crate) embedded_delays: Vec<Delays>,
    pub(crate) redis_delays: Vec<Delays>,
    /// How long the disk alone took meanwhile.
    pub(crate) disk: Delays,
    /// So many connections, and what each takes in bytes.
    pub(crate) idle: (usize, f64),
    pub(crate) costs: Vec<Cost>,
}

/// As fast as it goes, once for each round.
#[derive(Default)]
pub(crate) struct Throughput {
    /// Messages per second as a part of the echo's.
    pub(crate) ratios: Vec<f64>,
    pub(crate) messages: Vec<f64>,
    pub(crate) moves: Vec<f64>,
    /// How long the server has computed for a message, in microseconds.
    pub(crate) computing: Vec<f64>,
    pub(crate) echo_computing: Vec<f64>,
}

/// From a move to its being seen, in milliseconds.
#[derive(Default)]
pub(crate) struct Delays {
    p50: f64,
    p99: f64,
    p999: f64,
}

/// How long the relay has computed for a move, in microseconds, with so many games in play.
pub(crate) struct Cost {
    pub(crate) games: usize,
    pub(crate) us: f64,
    /// How many moves there were in a second.
    pub(crate) rate: f64,
}

impl Delays {
    /// Among these.
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
        Ok(Self { p50: ms("/delay_us/p50")?, p99: ms("/delay_us/p99")?, p999: ms("/delay_us/p999")? })
    }
}

impl Report for Figures {
    fn text(&self) -> String {
        let mut text = String::new();
        // A text takes everything.
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
        for verdict in self.verdicts() {
            text.push_str(&verdict.line());
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
        json!({
            "fsync": "before every acknowledgement, embedded and Redis alike",
            "throughput": { "embedded": throughput(&self.embedded), "redis": throughput(&self.redis) },
            "delay_ms": { "embedded": delays(&self.embedded_delays), "redis": delays(&self.redis_delays), "disk": self.disk.json() },
            "idle": { "connections": self.idle.0, "bytes": self.idle.1 },
            "costs": self.costs.iter().map(cost).collect::<Vec<_>>(),
            "verdicts": self.verdicts().iter().map(Verdict::json).collect::<Vec<_>>(),
        })
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let p99 = |delays: &[Delays]| median(delays.iter().map(|delays| delays.p99));
        let mut verdicts = vec![
            Verdict::new("embedded, of the echo's messages", self.embedded.ratio(), Wanted::AtLeast(EMBEDDED_RATIO)),
            Verdict::new("Redis, of the echo's messages", self.redis.ratio(), Wanted::AtLeast(REDIS_RATIO)),
            Verdict::new("embedded, p99, ms", p99(&self.embedded_delays), Wanted::AtMost(DELAY_MS)),
            Verdict::new("Redis, p99, ms", p99(&self.redis_delays), Wanted::AtMost(DELAY_MS)),
            Verdict::new(
                format!("bytes for each of {} idle connections", self.idle.0),
                self.idle.1,
                Wanted::AtMost(IDLE_BYTES),
            ),
        ];
        if let [few, .., many] = self.costs.as_slice() {
            let what = format!("cost of a move, {} games beside {}", many.games, few.games);
            verdicts.push(Verdict::new(what, many.us / few.us, Wanted::AtMost(GROWTH)));
        }
        verdicts
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

/// The one in the middle: a round in which the machine was busy with something else should not count.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
