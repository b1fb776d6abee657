//! What `tabiya load` makes of a relay.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tests::parts;
use tests::relay::Relay;

/// What is asked of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Load<'a> {
    pub(crate) games: usize,
    pub(crate) seconds: u64,
    /// How long players think, in milliseconds; nothing is as fast as it goes.
    pub(crate) think: Option<u64>,
    pub(crate) idle: usize,
    pub(crate) echo: Option<&'a str>,
}

impl Load<'_> {
    /// Lets it play. Whatever a relay shows that cannot be is an error, since no figure counts then.
    pub(crate) fn run(self, relay: &Relay) -> Result<Value> {
        let program = parts::tabiya().context("there is no tabiya")?;
        let mut command = Command::new(program);
        command.args(["load", "--json", "--relays", &format!("ws://{}", relay.address())]);
        let mut option = |name: &str, value: String| {
            command.args([name, &value]);
        };
        option("--games", self.games.to_string());
        option("--time", self.seconds.to_string());
        option("--idle", self.idle.to_string());
        if let Some(think) = self.think {
            option("--think", think.to_string());
        }
        if let Some(url) = self.echo {
            option("--echo", url.to_owned());
        }
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("load does not start")?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "load has failed ({}): {text}", output.status);
        let report: Value = serde_json::from_str(&text).context("load did not write JSON")?;
        ensure!(report["errors"] == 0, "there were errors: {report:#}");
        Ok(report)
    }
}

/// A figure of a report.
pub(crate) fn figure(report: &Value, path: &str) -> Result<f64> {
    report.pointer(path).and_then(Value::as_f64).with_context(|| format!("load does not say {path}"))
}
