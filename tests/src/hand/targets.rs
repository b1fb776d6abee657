//! The targets of the hand simulation: no misread move, and no move read too late.

use super::counters::{DelayClass, HandCounters};
use super::reeds::Magnet;
use crate::bench::{Limit, Target};

/// The targets for games with at least this many moves.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of moves and milliseconds fit a double")]
pub fn targets(counters: &HandCounters, moves: u64) -> Vec<Target> {
    let counts = [
        ("moves", counters.moves, Limit::AtLeast(moves as f64)),
        ("misread", counters.misread, Limit::AtMost(0.0)),
        ("unread", counters.unread, Limit::AtMost(0.0)),
        ("stuck games", counters.stuck, Limit::AtMost(0.0)),
    ];
    let counts = counts.map(|(what, figure, limit)| Target::new(what, figure as f64, limit));
    let delays = counters.delays.iter().map(|(&(delay_class, magnets), delays)| {
        let limit = Limit::AtMost(delay_class.limit_ms(magnets) as f64);
        Target::new(format!("{}, ms", class_name(delay_class, magnets)), delays.longest() as f64, limit)
    });
    counts.into_iter().chain(delays).collect()
}

/// The name of a class of moves in a report.
#[must_use]
pub fn class_name(delay_class: DelayClass, magnets: Magnet) -> String {
    match magnets {
        Magnet::Strong => delay_class.name().to_owned(),
        Magnet::Weak => format!("{}, weak magnet", delay_class.name()),
    }
}
