//! Reports of the physical simulation as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::bench::Tallies;
use super::tally::{Fault, FaultClass, Kind, Tally};
use super::targets::whole;
use crate::bench::Target;

/// The report as tables.
#[must_use]
pub fn text(total: &Tallies, targets: &[Target], seed: u64) -> String {
    let all = whole(total);
    let mut text = format!("Simulated magnets, reeds and hands on the playing surface, seed {seed}\n");
    _ = writeln!(
        text,
        "{:8} {:>8} {:>8} {:>8} {:>10} {:>8} {:>10} {:>7} {:>6} {:>6} {:>5} {:>5}",
        "Style",
        "moves",
        "put right",
        "wrong",
        "wrong far",
        "unread",
        "unreadable",
        "wedged",
        "asked",
        "p50 ms",
        "p99",
        "max"
    );
    for (name, tally) in total.iter().map(|(style, tally)| (style.name(), tally)).chain([("all", &all)]) {
        let delays = &tally.local_delays;
        _ = writeln!(
            text,
            "{name:8} {:>8} {:>9} {:>8} {:>10} {:>8} {:>10} {:>7} {:>6} {:>6} {:>5} {:>5}",
            tally.moves,
            tally.of_kind(Kind::Corrected),
            tally.count(Kind::Misread, false),
            tally.count(Kind::Misread, true),
            tally.of_kind(Kind::Unread),
            tally.of_kind(Kind::Unreadable),
            tally.wedged,
            tally.asked,
            delays.reached_by(500),
            delays.reached_by(990),
            delays.longest(),
        );
    }
    let far = &all.remote_delays;
    _ = writeln!(
        text,
        "\n{} at shared boards, {} own and {} repeated in remote games, where p50 is {} ms and p99 {} ms; {} takebacks, {} kings, {} set-ups",
        all.local,
        all.own,
        all.repeated,
        far.reached_by(500),
        far.reached_by(990),
        all.takebacks,
        all.kings,
        all.set_ups
    );
    _ = writeln!(
        text,
        "\n{:44} {:>9} {:>9} {:>9} {:>10}   wrong or unread of all moves, at most (95 %)",
        "Class of fault", "put right", "wrong", "unread", "unreadable"
    );
    for &class in FaultClass::ALL {
        let counts = Kind::ALL.map(|kind| all.of_class(class, kind));
        let bound = upper_bound(counts[1] + counts[2], all.moves);
        let [corrected, wrong, unread, unreadable] = counts;
        _ = writeln!(text, "{:44} {corrected:>9} {wrong:>9} {unread:>9} {unreadable:>10}   {bound}", class.name());
    }
    text.push('\n');
    text.extend(targets.iter().map(Target::line));
    for Fault { game, style, what, log } in &all.examples {
        if !what.contains("Corrected") && !what.contains("Unreadable") {
            _ = write!(text, "\nGame {game}, {}: {what}\n{log}", style.name());
        }
    }
    text
}

/// The rate that a count does not exceed with a probability of 95 %, in words: for a count of 0 that is 3 in all moves.
fn upper_bound(count: u64, of: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of moves fit a double")]
    let (count, of) = (count as f64, of as f64);
    // Of a Poisson distribution: exact for 0, and Byar's approximation above.
    let most = if count == 0.0 {
        3.0
    } else {
        let above = count + 1.0;
        above * (1.0 - 1.0 / (9.0 * above) + 1.645 / (3.0 * above.sqrt())).powi(3)
    };
    if of == 0.0 { "-".to_owned() } else { format!("1 in {:.0}", of / most) }
}

/// The report as one JSON object.
#[must_use]
pub fn json(total: &Tallies, targets: &[Target], seed: u64) -> Value {
    let styles = total.iter().map(|(style, tally)| (style.name().to_owned(), figures(tally)));
    let all = whole(total);
    let classes = FaultClass::ALL.iter().map(|&class| {
        let [corrected, wrong, unread, unreadable] = Kind::ALL.map(|kind| all.of_class(class, kind));
        let bound = upper_bound(wrong + unread, all.moves);
        (
            class.name().to_owned(),
            json!({ "put_right": corrected, "wrong": wrong, "unread": unread, "unreadable": unreadable, "at_most": bound }),
        )
    });
    let faults = all
        .examples
        .iter()
        .map(|fault| json!({ "game": fault.game, "style": fault.style.name(), "what": fault.what, "log": fault.log }));
    json!({
        "seed": seed,
        "styles": styles.collect::<Value>(),
        "all": figures(&all),
        "classes": classes.collect::<Value>(),
        "targets": targets.iter().map(Target::json).collect::<Value>(),
        "faults": faults.collect::<Value>(),
    })
}

fn figures(tally: &Tally) -> Value {
    let delays = |delays: &crate::hand::histogram::Histogram| json!({ "moves": delays.count(), "p50_ms": delays.reached_by(500), "p99_ms": delays.reached_by(990), "max_ms": delays.longest() });
    json!({
        "games": tally.games,
        "moves": tally.moves,
        "shared": tally.local,
        "own": tally.own,
        "repeated": tally.repeated,
        "put_right": tally.of_kind(Kind::Corrected),
        "wrong_shared": tally.count(Kind::Misread, false),
        "wrong_remote": tally.count(Kind::Misread, true),
        "unread": tally.of_kind(Kind::Unread),
        "unreadable": tally.of_kind(Kind::Unreadable),
        "wedged": tally.wedged,
        "asked": tally.asked,
        "shared_delay": delays(&tally.local_delays),
        "remote_delay": delays(&tally.remote_delays),
        "other_delay": delays(&tally.other_delays),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_zero_has_an_upper_bound() {
        assert_eq!(upper_bound(0, 30_000), "1 in 10000");
        assert_eq!(upper_bound(0, 0), "-");
        // 10 events: at most 16.96 with 95 %.
        assert_eq!(upper_bound(10, 16_960), "1 in 1000");
    }
}
