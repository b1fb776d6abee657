//! A real Redis, or a Cluster of them, for as long as a test needs it.
//!
//! It listens on the loopback only, on a port that is free, and keeps its files in a folder that goes with it. Everything is
//! on the disk before it is answered, so that a test can kill it at any moment and count what is left.

mod cluster;
mod folder;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

pub use self::cluster::Cluster;
pub use self::folder::Folder;

/// Long enough for a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often to look whether something has happened.
const POLL: Duration = Duration::from_millis(20);

/// Between being looked for and being used a port may be taken by somebody else. That does not happen often.
const TRIES: usize = 5;

/// A Redis. It is ended when this is dropped.
#[derive(Debug)]
pub struct Redis {
    folder: Folder,
    port: u16,
    extra: Vec<String>,
    process: Option<Child>,
}

impl Redis {
    /// Starts one, and waits until it answers.
    pub fn start() -> Result<Self> {
        Self::start_with(&[])
    }

    /// Starts one with more on its command line.
    pub fn start_with(extra: &[&str]) -> Result<Self> {
        let mut last = None;
        for _ in 0..TRIES {
            let extra = extra.iter().map(|&word| word.to_owned()).collect();
            let mut redis = Self { folder: Folder::new()?, port: free_port()?, extra, process: None };
            match redis.restart() {
                Ok(()) => return Ok(redis),
                Err(error) => last = Some(error),
            }
        }
        Err(last.context("no attempt was made")?)
    }

    /// Where it listens, on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends it as a power cut would, as far as a process can be.
    pub fn kill9(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill().context("Redis cannot be killed")?;
            process.wait().context("Redis does not end")?;
        }
        Ok(())
    }

    /// Starts it again with the files that it has, and waits until it answers.
    pub fn restart(&mut self) -> Result<()> {
        self.kill9()?;
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--dir"]).arg(self.folder.path());
        command.args(["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--logfile", "redis.log"]);
        command.args(&self.extra).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().context("redis-server does not start")?);
        wait_until("Redis answers", || {
            if let Some(process) = &mut self.process
                && let Some(status) = process.try_wait()?
            {
                bail!("Redis has ended: {status}");
            }
            Ok(answers(self.port))
        })
    }

    /// Tells it something by its own client, and returns what that prints.
    pub fn cli(&self, words: &[&str]) -> Result<String> {
        cli(self.port, words)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.kill9();
    }
}

fn cli(port: u16, words: &[&str]) -> Result<String> {
    let mut command = Command::new("redis-cli");
    let output = command.args(["-p", &port.to_string(), "-c"]).args(words).stdin(Stdio::null()).output();
    let output = output.context("redis-cli does not start")?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() { Ok(text) } else { bail!("redis-cli {words:?}: {text}") }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !is_so()? {
        if Instant::now() > deadline {
            bail!("it takes too long until {what}");
        }
        thread::sleep(POLL);
    }
    Ok(())
}

/// Whether it takes questions: while it reads its files it only says that it does.
fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address(port), POLL * 10)?;
        stream.set_read_timeout(Some(POLL * 10))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 7];
        stream.read_exact(&mut answer)?;
        Ok(answer == *b"+PONG\r\n")
    };
    ask().unwrap_or(false)
}

fn address(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(address(0)).context("there is no free port")?;
    Ok(listener.local_addr()?.port())
}
