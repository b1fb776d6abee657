//! The switches of an emulated machine: its reset button, and its network cable.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// How long the emulator may take to listen, and to answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to the emulator itself.
pub struct Qmp {
    reader: BufReader<UnixStream>,
    writer: UnixStream,
}

impl Qmp {
    /// Connects to the socket that the machine was told to have.
    pub fn connect(socket: &Path) -> Result<Self> {
        let deadline = Instant::now() + PATIENCE;
        let stream = loop {
            match UnixStream::connect(socket) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() >= deadline => return Err(error).context("the emulator does not listen"),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut qmp = Self { reader: BufReader::new(stream.try_clone()?), writer: stream };
        qmp.execute("qmp_capabilities", &json!({}))?;
        Ok(qmp)
    }

    /// Presses the reset button.
    pub fn reset(&mut self) -> Result<()> {
        self.execute("system_reset", &json!({}))
    }

    /// Plugs the network cable in, or out.
    pub fn plug(&mut self, is_in: bool) -> Result<()> {
        self.execute("set_link", &json!({ "name": "n0", "up": is_in }))
    }

    fn execute(&mut self, command: &str, arguments: &Value) -> Result<()> {
        writeln!(self.writer, "{}", json!({ "execute": command, "arguments": arguments }))?;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).context("the emulator does not answer")? == 0 {
                bail!("the emulator has gone");
            }
            let answer: Value = serde_json::from_str(&line)?;
            if let Some(error) = answer.get("error") {
                bail!("the emulator refuses {command}: {error}");
            }
            // Everything else is an event, or its greeting.
            if answer.get("return").is_some() {
                return Ok(());
            }
        }
    }
}
