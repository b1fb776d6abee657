//! Somebody with a cable, at the console of a board.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Ends what hangs. It says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A terminal that a board can be plugged into.
pub struct Terminal {
    listener: TcpListener,
    cable: Option<TcpStream>,
    screen: String,
}

impl Terminal {
    /// A terminal without a board.
    pub fn new() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("there is no port for a terminal")?;
        Ok(Self { listener, cable: None, screen: String::new() })
    }

    /// Where the console of a board has to end.
    pub fn port(&self) -> Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Waits until the board is at the other end.
    pub fn attach(&mut self) -> Result<()> {
        let (cable, _) = self.listener.accept()?;
        cable.set_read_timeout(Some(Duration::from_millis(200)))?;
        self.cable = Some(cable);
        Ok(())
    }

    fn cable(&mut self) -> Result<&mut TcpStream> {
        self.cable.as_mut().context("no board is plugged in")
    }

    /// Types a line.
    pub fn type_in(&mut self, line: &str) -> Result<()> {
        Ok(write!(self.cable()?, "{line}\r")?)
    }

    /// Reads on until this is on the screen, clears it, and returns what was on it.
    pub fn wait_for(&mut self, text: &str) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        while !self.screen.contains(text) {
            let mut bytes = [0; 256];
            match self.cable()?.read(&mut bytes) {
                Ok(0) => bail!("the cable is cut; on the screen is {:?}", self.screen),
                Ok(count) => self.screen += &String::from_utf8_lossy(&bytes[..count]),
                Err(_) if Instant::now() < deadline => {}
                Err(_) => bail!("{text:?} never came; on the screen is {:?}", self.screen),
            }
        }
        Ok(std::mem::take(&mut self.screen))
    }
}
