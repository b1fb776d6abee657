//! Reports of the physical simulation as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::bench::Tallies;
use super::tally::{DelayClass, Fault, FaultClass, Kind, Tally};
use super::targets::whole;
use crate::bench::{Target, upper_bound};

/// Faults of each class and kind that are shown.
pub const EXAMPLES: usize = 3;

/// The report as tables. `shown` is the maximum number of faults to list for each class and kind.
#[must_use]
pub fn text(total: &Tallies, targets: &[Target], seed: u64, shown: usize) -> String {
    let all = whole(total);
    let mut text = format!("Simulated magnets, reeds and hands on the playing surface, seed {seed}\n");
    _ = writeln!(
        text,
        "{:8} {:>8} {:>8} {:>8} {:>10} {:>8} {:>10} {:>7} {:>6} {:>6} {:>5} {:>5}   wrong or unread, at most (95 %)",
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
        let delays = tally.delays(DelayClass::Shared);
        _ = writeln!(
            text,
            "{name:8} {:>8} {:>9} {:>8} {:>10} {:>8} {:>10} {:>7} {:>6} {:>6} {:>5} {:>5}   {}",
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
            worst_rate(tally),
        );
    }
    _ = writeln!(
        text,
        "\n{} at shared boards, {} own and {} repeated in remote games; {} takebacks, {} kings ({} confirmed), {} set-ups, {} restarts, {} illegal moves",
        all.local,
        all.own,
        all.repeated,
        all.takebacks,
        all.kings,
        all.confirmed,
        all.set_ups,
        all.restarts,
        all.illegal
    );
    _ = writeln!(text, "\n{:36} {:>8} {:>6} {:>6} {:>6}", "Rest to commit, ms", "moves", "p50", "p99", "max");
    for class in DelayClass::ALL {
        let delays = all.delays(class);
        let (half, most, longest) = (delays.reached_by(500), delays.reached_by(990), delays.longest());
        _ = writeln!(text, "{:36} {:>8} {half:>6} {most:>6} {longest:>6}", class.name(), delays.count());
    }
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
    text + &faults(&all, shown)
}

/// Lists uncorrected faults, at most `shown` of each class and kind, each with the number that `--game` needs to repeat it.
#[must_use]
pub fn faults(tally: &Tally, shown: usize) -> String {
    let mut text = String::new();
    for Fault { game, style, players, what, log, .. } in examples(tally, shown) {
        _ = write!(text, "\nGame {game}:{}:{}: {what}\n{log}", style.name(), players.name());
    }
    text
}

fn examples(tally: &Tally, shown: usize) -> Vec<&Fault> {
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut examples = Vec::new();
    let stays = |fault: &&Fault| matches!(fault.kind, Kind::Misread | Kind::Unread) || fault.what.contains("wedged");
    for fault in tally.faults_seen.iter().filter(stays) {
        let count = counts.entry(fault.what.split(':').next().unwrap_or_default()).or_default();
        *count += 1;
        if *count <= shown {
            examples.push(fault);
        }
    }
    examples
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
    let faults = examples(&all, EXAMPLES).into_iter().map(|Fault { game, style, players, what, log, .. }| {
        json!({ "game": game, "style": style.name(), "players": players.name(), "what": what, "log": log })
    });
    json!({
        "seed": seed,
        "styles": styles.collect::<Value>(),
        "all": figures(&all),
        "classes": classes.collect::<Value>(),
        "targets": targets.iter().map(Target::json).collect::<Value>(),
        "faults": faults.collect::<Value>(),
    })
}

/// The rate of wrong and unread moves that is not exceeded with a probability of 95 %.
fn worst_rate(tally: &Tally) -> String {
    upper_bound(tally.of_kind(Kind::Misread) + tally.of_kind(Kind::Unread), tally.moves)
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
        "at_most": worst_rate(tally),
        "wedged": tally.wedged,
        "asked": tally.asked,
        "delays": DelayClass::ALL.iter().map(|&class| (class.name().to_owned(), delays(&tally.delays(class)))).collect::<Value>(),
    })
}
