//! A client of QMP, the control socket of QEMU: reset, power and the network link of an emulated board.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// Timeout for connecting and for each answer.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The id of the network device, as `qemu.rs` passes it to QEMU.
const NETWORK_DEVICE: &str = "n0";

/// A QMP connection.
pub struct Qmp {
    reader: BufReader<UnixStream>,
    writer: UnixStream,
}

impl Qmp {
    /// Connects to the socket that QEMU was started with, as soon as QEMU listens.
    pub fn connect(socket: &Path) -> Result<Self> {
        let deadline = Instant::now() + TIMEOUT;
        let stream = loop {
            match UnixStream::connect(socket) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() >= deadline => return Err(error).context("QEMU does not listen for QMP"),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        stream.set_read_timeout(Some(TIMEOUT))?;
        let mut qmp = Self { reader: BufReader::new(stream.try_clone()?), writer: stream };
        qmp.execute("qmp_capabilities", &json!({}))?;
        Ok(qmp)
    }

    /// Resets the machine.
    pub fn reset(&mut self) -> Result<()> {
        self.execute("system_reset", &json!({}))
    }

    /// Stops the machine, or resets and starts it.
    pub fn power(&mut self, is_on: bool) -> Result<()> {
        if is_on {
            self.reset()?;
            self.execute("cont", &json!({}))
        } else {
            self.execute("stop", &json!({}))
        }
    }

    /// Plugs the network cable in, or unplugs it.
    pub fn plug(&mut self, is_in: bool) -> Result<()> {
        self.execute("set_link", &json!({ "name": NETWORK_DEVICE, "up": is_in }))
    }

    fn execute(&mut self, command: &str, arguments: &Value) -> Result<()> {
        writeln!(self.writer, "{}", json!({ "execute": command, "arguments": arguments }))?;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).with_context(|| format!("QEMU does not answer {command}"))? == 0 {
                bail!("QEMU closed the QMP connection during {command}");
            }
            let answer: Value = serde_json::from_str(&line)?;
            if let Some(error) = answer.get("error") {
                bail!("QEMU rejects {command}: {error}");
            }
            // The greeting and events have no `return`.
            if answer.get("return").is_some() {
                return Ok(());
            }
        }
    }
}
