//! The figures of many games, for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::tally::{Fault, Tally};
use super::verdict::{Verdict, Wanted, class};

/// As text.
#[must_use]
pub fn text(tally: &Tally, verdicts: &[Verdict]) -> String {
    let mut text = "A simulated hand on the brain of the board\n".to_owned();
    for (name, count) in counts(tally) {
        _ = writeln!(text, "{name:32} {count:>9}");
    }
    _ = writeln!(text, "\n{:32} {:>9}", "What hands did besides", "times");
    for (habit, count) in &tally.habits {
        _ = writeln!(text, "{:32} {count:>9}", habit.name());
    }
    _ = writeln!(text, "\n{:32} {:>9} {:>6} {:>6} {:>6}", "Last touch to reading, ms", "moves", "p50", "p99", "max");
    for (&(pace, magnets), delays) in &tally.delays {
        let (half, most, longest) = (delays.reached_by(500), delays.reached_by(990), delays.longest());
        _ = writeln!(text, "{:32} {:>9} {half:>6} {most:>6} {longest:>6}", class(pace, magnets), delays.count());
    }
    text.push('\n');
    for verdict in verdicts {
        let reached = if verdict.is_reached() { "reached" } else { "MISSED" };
        let (words, wanted) = in_words(verdict.wanted);
        _ = writeln!(text, "{reached:7} {}: {}, wanted {words} {wanted}", verdict.what, verdict.figure);
    }
    for Fault { game, what, moves, log } in &tally.faults {
        _ = write!(text, "\nGame {game}: {what}\n{moves}\n{log}");
    }
    text
}

/// As one JSON object.
#[must_use]
pub fn json(tally: &Tally, verdicts: &[Verdict]) -> Value {
    let delays = tally.delays.iter().map(|(&(pace, magnets), delays)| {
        json!({
            "class": class(pace, magnets),
            "moves": delays.count(),
            "p50_ms": delays.reached_by(500),
            "p99_ms": delays.reached_by(990),
            "max_ms": delays.longest(),
        })
    });
    let verdicts = verdicts.iter().map(|verdict| {
        let (words, wanted) = in_words(verdict.wanted);
        json!({
            "what": verdict.what,
            "figure": verdict.figure,
            "wanted": format!("{words} {wanted}"),
            "reached": verdict.is_reached(),
        })
    });
    let faults = tally.faults.iter().map(|fault| json!({ "game": fault.game, "what": fault.what, "log": fault.log }));
    json!({
        "counts": counts(tally).into_iter().map(named).collect::<Value>(),
        "habits": tally.habits.iter().map(|(habit, &count)| named((habit.name(), count))).collect::<Value>(),
        "delays": delays.collect::<Value>(),
        "verdicts": verdicts.collect::<Value>(),
        "faults": faults.collect::<Value>(),
    })
}

fn counts(tally: &Tally) -> [(&'static str, u64); 8] {
    [
        ("moves", tally.moves),
        ("games", tally.games),
        ("misread", tally.misread),
        ("unread", tally.unread),
        ("wedged", tally.wedged),
        ("asked", tally.asked),
        ("touched again unasked", tally.unseen),
        ("flickers", tally.flickers),
    ]
}

fn named((name, count): (&str, u64)) -> (String, Value) {
    (name.to_owned(), count.into())
}

const fn in_words(wanted: Wanted) -> (&'static str, u64) {
    match wanted {
        Wanted::AtMost(most) => ("at most", most),
        Wanted::AtLeast(least) => ("at least", least),
    }
}
