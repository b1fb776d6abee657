//! Benchmark of move recognition: errors and delays with a simulated hand, and the cost on a Cortex-M.

mod played;

use anyhow::{Result, ensure};
use serde_json::json;

use super::scan;
use crate::setup;

pub(crate) fn run(as_json: bool) -> Result<()> {
    setup::run()?;
    let played = played::measure(as_json)?;
    let scan = scan::measure()?;
    if as_json {
        println!("{:#}", json!({ "played": played.json()?, "scan": scan.json() }));
    } else {
        print!("{}\n{}", played.table(), scan.table());
    }
    ensure!(played.is_reached() && scan.is_reached(), "a target was missed");
    Ok(())
}
