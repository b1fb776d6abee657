//! The targets of the physical simulation.

use super::bench::{Tallies, made};
use super::tally::{DelayClass, Kind, Tally};
use crate::bench::{Limit, Target};

/// All styles together.
#[must_use]
pub fn whole(total: &Tallies) -> Tally {
    let mut whole = Tally::default();
    for tally in total.values() {
        whole.absorb(tally);
    }
    whole
}

/// The targets for games with at least this many moves.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of moves and milliseconds fit a double")]
pub fn targets(total: &Tallies, moves: u64) -> Vec<Target> {
    let all = whole(total);
    let per = |count: u64, of: u64, one_in: u64| (count as f64, (of / one_in) as f64);
    let (lost, lost_limit) = per(all.count(Kind::Misread, true), all.own, 20_000);
    let (misread, misread_limit) = per(all.count(Kind::Misread, false), all.local, 10_000);
    let (unread, unread_limit) = per(all.of_kind(Kind::Unread), all.moves, 5_000);
    vec![
        Target::new("moves", made(total) as f64, Limit::AtLeast(moves as f64)),
        Target::new("wrong moves that stay with a remote opponent, 1 in 20,000", lost, Limit::AtMost(lost_limit)),
        Target::new("wrong moves that stay at a shared board, 1 in 10,000", misread, Limit::AtMost(misread_limit)),
        Target::new("readable moves that are not read, 1 in 5,000", unread, Limit::AtMost(unread_limit)),
        Target::new("wedged games", all.wedged as f64, Limit::AtMost(0.0)),
        delay("shared board, rest to commit, median ms", all.delays(DelayClass::Shared).reached_by(500), 10),
        delay("shared board, rest to commit, p99 ms", all.delays(DelayClass::Shared).reached_by(990), 350),
        delay("remote game, rest to commit, median ms", all.delays(DelayClass::Remote).reached_by(500), 400),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds fit a double")]
fn delay(what: &str, ms: u64, limit: u64) -> Target {
    Target::new(what, ms as f64, Limit::AtMost(limit as f64))
}

/// What ideal hands on nominal parts must reach: no fault of any class.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of moves fit a double")]
pub fn ideal(tally: &Tally) -> Vec<Target> {
    let faults: u64 = tally.faults.values().sum();
    let mut targets = vec![Target::new("faults of ideal hands", faults as f64, Limit::AtMost(0.0))];
    targets.push(Target::new("questions to ideal hands", tally.asked as f64, Limit::AtMost(0.0)));
    targets.push(Target::new("wedged games of ideal hands", tally.wedged as f64, Limit::AtMost(0.0)));
    targets
}
