//! Runs the load generator (`bin/load.rs`) against a relay.

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tests::relay::RelayProcess;

/// Options of the load generator.
#[derive(Clone, Copy, Default)]
pub(crate) struct Load<'a> {
    pub(crate) games: usize,
    pub(crate) seconds: u64,
    /// Average thinking time, in milliseconds; `None` to move at once.
    pub(crate) think: Option<u64>,
    pub(crate) idle: usize,
    pub(crate) echo: Option<&'a str>,
}

impl Load<'_> {
    /// Runs it. Errors and inconsistencies fail the measurement, since its figures would be meaningless.
    pub(crate) fn run(self, relay: &RelayProcess) -> Result<Value> {
        let program = env::current_exe()?.with_file_name(format!("load{}", env::consts::EXE_SUFFIX));
        let mut command = Command::new(program);
        command.args(["--json", "--relays", &format!("ws://{}", relay.address())]);
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
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start the load generator")?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "the load generator failed ({}): {text}", output.status);
        let report: Value = serde_json::from_str(&text).context("the load generator did not print JSON")?;
        ensure!(report["errors"] == 0, "errors in the load test: {report:#}");
        Ok(report)
    }
}

/// A number in the report, by its JSON pointer.
pub(crate) fn figure(report: &Value, path: &str) -> Result<f64> {
    report
        .pointer(path)
        .and_then(Value::as_f64)
        .with_context(|| format!("no {path} in the report of the load generator"))
}
