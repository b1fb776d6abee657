use std::time::Duration;

use serde::Serialize;

use super::crowd::Played;

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Games that were begun.
    pub(crate) games: u64,
    /// Games that came to their end.
    pub(crate) finished: u64,
    /// Moves that were made and seen by both players.
    pub(crate) moves: u64,
    /// Frames that went to the relay, and came from it.
    pub(crate) sent: u64,
    /// Frames that came from it.
    pub(crate) received: u64,
    /// Errors that the relay reported, and that nobody had asked for.
    pub(crate) errors: u64,
    /// Connections that broke or could not be made, and were made again.
    pub(crate) reconnects: u64,
    /// Things that were shown and cannot be, or were not there any more. There must not be any.
    pub(crate) inconsistencies: u64,
    /// Times at which nothing came for so long that it was given up. There must not be any.
    pub(crate) hung: u64,
    /// From sending a move to seeing it on the other side, in microseconds, in no order.
    pub(crate) delays: Vec<u32>,
    /// What was wrong, for people to read: the first few of each.
    pub(crate) complaints: Vec<String>,
}

/// So many complaints are kept: whoever has that many needs no more.
const COMPLAINTS: usize = 20;

/// The same, for machines.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) seconds: f64,
    pub(crate) games: u64,
    pub(crate) finished: u64,
    pub(crate) moves: u64,
    pub(crate) moves_per_second: f64,
    pub(crate) messages: u64,
    pub(crate) messages_per_second: f64,
    pub(crate) delay_us: Delays,
    /// How long the relays have computed for a move, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) computing_us: Option<f64>,
    pub(crate) errors: u64,
    pub(crate) reconnects: u64,
    pub(crate) inconsistencies: u64,
    pub(crate) hung: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_per_connection: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) echo: Option<Compared>,
    pub(crate) complaints: Vec<String>,
}

/// The same frames through a server that only sends them back.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) messages: u64,
    pub(crate) messages_per_second: f64,
    /// The relay's messages per second, as a part of these.
    pub(crate) ratio: f64,
    pub(crate) delay_us: Delays,
}

/// How long it took, in microseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Delays {
    pub(crate) p50: u32,
    pub(crate) p99: u32,
    pub(crate) p999: u32,
    pub(crate) max: u32,
}

impl Tally {
    pub(crate) fn absorb(&mut self, other: Self) {
        self.games += other.games;
        self.finished += other.finished;
        self.moves += other.moves;
        self.sent += other.sent;
        self.received += other.received;
        self.errors += other.errors;
        self.reconnects += other.reconnects;
        self.inconsistencies += other.inconsistencies;
        self.hung += other.hung;
        self.delays.extend(other.delays);
        for complaint in other.complaints {
            self.complain(complaint);
        }
    }

    pub(super) fn complain(&mut self, complaint: String) {
        if self.complaints.len() < COMPLAINTS {
            self.complaints.push(complaint);
        }
    }

    pub(super) fn object(&mut self, objection: String) {
        self.inconsistencies += 1;
        self.complain(objection);
    }

    /// Frames of both directions.
    pub(crate) const fn messages(&self) -> u64 {
        self.sent + self.received
    }

    #[expect(clippy::cast_precision_loss, reason = "nobody reads that many digits")]
    fn report(mut self, took: Duration) -> Report {
        let seconds = took.as_secs_f64().max(f64::EPSILON);
        self.delays.sort_unstable();
        let delays = &self.delays;
        let at = |per_mille: usize| {
            let index = delays.len().saturating_mul(per_mille) / 1000;
            delays.get(index.min(delays.len().saturating_sub(1))).copied().unwrap_or_default()
        };
        Report {
            seconds,
            games: self.games,
            finished: self.finished,
            moves: self.moves,
            moves_per_second: self.moves as f64 / seconds,
            messages: self.messages(),
            messages_per_second: self.messages() as f64 / seconds,
            delay_us: Delays { p50: at(500), p99: at(990), p999: at(999), max: at(1000) },
            computing_us: None,
            errors: self.errors,
            reconnects: self.reconnects,
            inconsistencies: self.inconsistencies,
            hung: self.hung,
            memory_per_connection: None,
            echo: None,
            complaints: self.complaints,
        }
    }
}

impl Played {
    /// With what an idle connection takes, if that was measured.
    #[expect(clippy::cast_precision_loss, reason = "nobody reads that many digits")]
    pub(crate) fn report(self, memory_per_connection: Option<f64>) -> Report {
        let moves = self.tally.moves.max(1) as f64;
        let computing_us = self.computed.map(|seconds| seconds * 1e6 / moves);
        let report = Report { computing_us, memory_per_connection, ..self.tally.report(self.took) };
        match self.echo {
            Some((tally, took)) => report.beside(tally.report(took)),
            None => report,
        }
    }
}

impl Report {
    /// With what an echo made of the same frames.
    fn beside(self, echo: Self) -> Self {
        let ratio = self.messages_per_second / echo.messages_per_second.max(f64::EPSILON);
        let Self { messages, messages_per_second, delay_us, .. } = echo;
        let compared = Compared { messages, messages_per_second, ratio, delay_us };
        let errors = self.errors + echo.errors;
        let inconsistencies = self.inconsistencies + echo.inconsistencies;
        let complaints = [self.complaints, echo.complaints].concat();
        Self { echo: Some(compared), errors, inconsistencies, complaints, ..self }
    }
}
