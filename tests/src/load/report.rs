use std::time::Duration;

use serde::Serialize;

use super::load_test::LoadResult;

/// What the players of a load test have counted.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Games that began.
    pub games: u64,
    /// Games that ended on the board.
    pub finished: u64,
    /// Moves that both players have seen.
    pub moves: u64,
    /// Frames to the relay.
    pub sent: u64,
    /// Frames from the relay.
    pub received: u64,
    /// Errors that the relay reported, and connections that failed for good.
    pub errors: u64,
    /// Attempts to reconnect.
    pub reconnects: u64,
    /// States that contradict the rules, and moves that were lost. Must be 0.
    pub inconsistencies: u64,
    /// Times that the relay did not answer within the timeout. Must be 0.
    pub timeouts: u64,
    /// Time from sending a move to its arrival at the opponent, in microseconds, unsorted.
    pub latencies_us: Vec<u32>,
    /// Descriptions of errors and inconsistencies: the first few.
    pub problems: Vec<String>,
}

/// Number of problems that are kept.
const MAX_PROBLEMS: usize = 20;

/// The result of a load test, as printed.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it; each count is explained at `Counters`")]
pub struct LoadReport {
    pub seconds: f64,
    pub games: u64,
    pub finished: u64,
    pub moves: u64,
    pub moves_per_second: f64,
    pub messages: u64,
    pub messages_per_second: f64,
    pub latency_us: Latency,
    /// CPU time of the relays for one move, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us_per_move: Option<f64>,
    pub errors: u64,
    pub reconnects: u64,
    pub inconsistencies: u64,
    pub timeouts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_idle_connection: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<EchoComparison>,
    pub problems: Vec<String>,
}

/// The same frames through a server that only sends them back.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct EchoComparison {
    pub messages: u64,
    pub messages_per_second: f64,
    /// Messages per second of the relay, divided by those of the echo server.
    pub ratio: f64,
    pub latency_us: Latency,
}

/// Percentiles of a latency, in microseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[expect(missing_docs, reason = "the names of percentiles")]
pub struct Latency {
    pub p50: u32,
    pub p99: u32,
    pub p999: u32,
    pub max: u32,
}

impl Counters {
    pub(super) fn add(&mut self, other: Self) {
        self.games += other.games;
        self.finished += other.finished;
        self.moves += other.moves;
        self.sent += other.sent;
        self.received += other.received;
        self.errors += other.errors;
        self.reconnects += other.reconnects;
        self.inconsistencies += other.inconsistencies;
        self.timeouts += other.timeouts;
        self.latencies_us.extend(other.latencies_us);
        for problem in other.problems {
            self.add_problem(problem);
        }
    }

    pub(super) fn add_problem(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    pub(super) fn add_inconsistency(&mut self, problem: String) {
        self.inconsistencies += 1;
        self.add_problem(problem);
    }

    /// Frames in both directions.
    const fn messages(&self) -> u64 {
        self.sent + self.received
    }

    #[expect(clippy::cast_precision_loss, reason = "counts fit a double")]
    fn report(mut self, time: Duration) -> LoadReport {
        let seconds = time.as_secs_f64().max(f64::EPSILON);
        self.latencies_us.sort_unstable();
        let latencies = &self.latencies_us;
        let at = |per_mille: usize| {
            let index = latencies.len().saturating_mul(per_mille) / 1000;
            latencies.get(index.min(latencies.len().saturating_sub(1))).copied().unwrap_or_default()
        };
        LoadReport {
            seconds,
            games: self.games,
            finished: self.finished,
            moves: self.moves,
            moves_per_second: self.moves as f64 / seconds,
            messages: self.messages(),
            messages_per_second: self.messages() as f64 / seconds,
            latency_us: Latency { p50: at(500), p99: at(990), p999: at(999), max: at(1000) },
            cpu_us_per_move: None,
            errors: self.errors,
            reconnects: self.reconnects,
            inconsistencies: self.inconsistencies,
            timeouts: self.timeouts,
            bytes_per_idle_connection: None,
            echo: None,
            problems: self.problems,
        }
    }
}

impl LoadResult {
    /// The report, with the memory of an idle connection if it was measured.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts fit a double")]
    pub fn report(self, bytes_per_idle_connection: Option<f64>) -> LoadReport {
        let moves = self.counters.moves.max(1) as f64;
        let cpu_us_per_move = self.cpu_seconds.map(|seconds| seconds * 1e6 / moves);
        let report = LoadReport { cpu_us_per_move, bytes_per_idle_connection, ..self.counters.report(self.time) };
        match self.echo {
            Some((counters, time)) => report.compared_with(counters.report(time)),
            None => report,
        }
    }
}

impl LoadReport {
    fn compared_with(self, echo: Self) -> Self {
        let ratio = self.messages_per_second / echo.messages_per_second.max(f64::EPSILON);
        let Self { messages, messages_per_second, latency_us, .. } = echo;
        let comparison = EchoComparison { messages, messages_per_second, ratio, latency_us };
        let errors = self.errors + echo.errors;
        let inconsistencies = self.inconsistencies + echo.inconsistencies;
        let problems = [self.problems, echo.problems].concat();
        Self { echo: Some(comparison), errors, inconsistencies, problems, ..self }
    }
}
