use std::fs;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use super::{answers, cli, free_port, wait_until};
use crate::temp_dir::TempDir;

/// A Redis Sentinel that alone decides about failovers. Dropping it kills the process.
#[derive(Debug)]
pub struct Sentinel {
    _folder: TempDir,
    port: u16,
    process: Child,
}

impl Sentinel {
    /// The name under which it monitors the primary.
    pub const MASTER: &str = "chess";

    /// Starts a Sentinel for the primary on this port, and waits until it knows the primary's replica.
    pub fn start(primary: u16) -> Result<Self> {
        let (folder, port, name) = (TempDir::new()?, free_port()?, Self::MASTER);
        let file = folder.path().join("sentinel.conf");
        let lines = [
            format!("port {port}"),
            "bind 127.0.0.1".to_owned(),
            format!("dir {}", folder.path().display()),
            format!("sentinel monitor {name} 127.0.0.1 {primary} 1"),
            format!("sentinel down-after-milliseconds {name} 500"),
            format!("sentinel failover-timeout {name} 5000"),
        ];
        fs::write(&file, lines.join("\n") + "\n")?;
        let mut command = Command::new("redis-server");
        command.arg(&file).arg("--sentinel").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().context("cannot start a Sentinel")?;
        let sentinel = Self { _folder: folder, port, process };
        wait_until("the Sentinel answers", || Ok(answers(port)))?;
        wait_until("the Sentinel knows the replica", || {
            Ok(cli(port, &["sentinel", "replicas", name])?.contains("master-link-status\nok"))
        })?;
        Ok(sentinel)
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
