//! The rules beside two other engines: each alone in its own build, all of them in one run.

mod deep;
mod device;
mod engine;
mod host;

use anyhow::Result;
use serde_json::json;

use crate::setup;

pub(crate) fn run(as_json: bool) -> Result<()> {
    setup::run()?;
    let device = device::measure()?;
    let host = host::measure()?;
    let deep = deep::measure()?;
    if as_json {
        let report = json!({ "device": device.json(), "host": host.json(), "deep": deep.json() });
        println!("{report:#}");
    } else {
        println!("{}\n{}\n{}", device.table(), host.table(), deep.table());
    }
    Ok(())
}

/// One line that sets a figure beside what it should be. The figure is printed either way: it is what it is.
fn verdict(what: &str, figure: f64, comparison: Comparison, wanted: f64) -> String {
    let (reached, words) = match comparison {
        Comparison::AtMost => (figure <= wanted, "at most"),
        Comparison::AtLeast => (figure >= wanted, "at least"),
    };
    let reached = if reached { "reached" } else { "MISSED" };
    format!("{reached:7} {what}: {figure:.2}, wanted {words} {wanted}\n")
}

#[derive(Clone, Copy)]
enum Comparison {
    AtMost,
    AtLeast,
}
