//! Reports of the hand simulation as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::counters::{HandCounters, HandFault};
use super::targets::class_name;
use crate::bench::{Target, upper_bound};

/// The report as a table.
#[must_use]
pub fn text(counters: &HandCounters, targets: &[Target], seed: Option<u64>) -> String {
    let mut text = "A simulated hand on the move detection of the board".to_owned();
    match seed {
        Some(seed) => _ = writeln!(text, ", seed {seed}"),
        None => text.push('\n'),
    }
    for (name, count) in counts(counters) {
        _ = writeln!(text, "{name:32} {count:>9}");
    }
    _ = writeln!(text, "\n{:32} {:>9} {:>9}   misread or unread, at most (95 %)", "Behaviour", "times", "faults");
    for (behaviour, &count) in &counters.behaviours {
        let faults = counters.fault_classes.get(behaviour).copied().unwrap_or_default();
        _ = writeln!(text, "{:32} {count:>9} {faults:>9}   {}", behaviour.name(), upper_bound(faults, count));
    }
    let faults = counters.misread + counters.unread;
    _ = writeln!(
        text,
        "{:32} {:>9} {faults:>9}   {}",
        "all moves",
        counters.moves,
        upper_bound(faults, counters.moves)
    );
    _ = writeln!(text, "\n{:32} {:>9} {:>6} {:>6} {:>6}", "Last touch to reading, ms", "moves", "p50", "p99", "max");
    for (&(delay_class, magnets), delays) in &counters.delays {
        let (half, most, longest) = (delays.reached_by(500), delays.reached_by(990), delays.longest());
        _ = writeln!(
            text,
            "{:32} {:>9} {half:>6} {most:>6} {longest:>6}",
            class_name(delay_class, magnets),
            delays.count()
        );
    }
    text.push('\n');
    text.extend(targets.iter().map(Target::line));
    for HandFault { game, what, moves, log } in &counters.faults {
        _ = write!(text, "\nGame {game}: {what}\n{moves}\n{log}");
    }
    text
}

/// The report as one JSON object.
#[must_use]
pub fn json(counters: &HandCounters, targets: &[Target], seed: Option<u64>) -> Value {
    let delays = counters.delays.iter().map(|(&(delay_class, magnets), delays)| {
        json!({
            "class": class_name(delay_class, magnets),
            "moves": delays.count(),
            "p50_ms": delays.reached_by(500),
            "p99_ms": delays.reached_by(990),
            "max_ms": delays.longest(),
        })
    });
    let targets = targets.iter().map(Target::json);
    let faults =
        counters.faults.iter().map(|fault| json!({ "game": fault.game, "what": fault.what, "log": fault.log }));
    json!({
        "seed": seed,
        "counts": counts(counters).into_iter().map(named).collect::<Value>(),
        "behaviours": counters.behaviours.iter().map(|(behaviour, &count)| named((behaviour.name(), count))).collect::<Value>(),
        "faults_by_behaviour": counters.fault_classes.iter().map(|(behaviour, &count)| named((behaviour.name(), count))).collect::<Value>(),
        "delays": delays.collect::<Value>(),
        "targets": targets.collect::<Value>(),
        "faults": faults.collect::<Value>(),
    })
}

fn counts(counters: &HandCounters) -> [(&'static str, u64); 8] {
    [
        ("moves", counters.moves),
        ("games", counters.games),
        ("misread", counters.misread),
        ("unread", counters.unread),
        ("stuck games", counters.stuck),
        ("asked", counters.questions),
        ("touched again unasked", counters.touched_again),
        ("flickers", counters.flickers),
    ]
}

fn named((name, count): (&str, u64)) -> (String, Value) {
    (name.to_owned(), count.into())
}
