//! Benchmark of the rules beside two other engines, each in a build of its own, all in one run.

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
