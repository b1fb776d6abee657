//! A client of the firmware's serial console, which QEMU connects over TCP.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The other end of a serial console.
pub struct SerialConsole {
    listener: TcpListener,
    line: Option<TcpStream>,
    /// What was received since the last match.
    output: String,
}

impl SerialConsole {
    /// Listens for the serial line of a board.
    pub fn new() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port for the serial console")?;
        Ok(Self { listener, line: None, output: String::new() })
    }

    /// The TCP port for the serial line.
    pub fn port(&self) -> Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Waits until a board has connected its serial line.
    pub fn attach(&mut self) -> Result<()> {
        let (line, _) = self.listener.accept()?;
        line.set_read_timeout(Some(Duration::from_millis(200)))?;
        self.line = Some(line);
        Ok(())
    }

    fn line(&mut self) -> Result<&mut TcpStream> {
        self.line.as_mut().context("no board is attached to the serial console")
    }

    /// Sends a command line.
    pub fn send_line(&mut self, line: &str) -> Result<()> {
        self.output.clear();
        Ok(write!(self.line()?, "{line}\r")?)
    }

    /// Reads until the output contains this text; returns the output up to its end, and keeps the rest.
    pub fn wait_for(&mut self, text: &str) -> Result<String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(start) = self.output.find(text) {
                return Ok(self.output.drain(..start + text.len()).collect());
            }
            let mut bytes = [0; 256];
            match self.line()?.read(&mut bytes) {
                Ok(0) => bail!("the serial line was closed; the output is {:?}", self.output),
                Ok(count) => self.output += &String::from_utf8_lossy(&bytes[..count]),
                Err(_) if Instant::now() < deadline => {}
                Err(_) => bail!("{text:?} never came; the output is {:?}", self.output),
            }
        }
    }
}
