//! A Redis server or a Redis Cluster for a test.
//!
//! It listens on a free port of the loopback, and has a temporary folder. `appendfsync always` makes every answered write
//! durable, so that a test can kill it at any moment.

mod cluster;
mod sentinel;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use crate::temp_dir::TempDir;

pub use self::cluster::Cluster;
pub use self::sentinel::Sentinel;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_secs(30);

const POLL: Duration = Duration::from_millis(20);

/// Attempts to start, since another process may take the free port first.
const TRIES: usize = 5;

/// A Redis process. Dropping it kills the process.
#[derive(Debug)]
pub struct Redis {
    folder: TempDir,
    port: u16,
    extra: Vec<String>,
    /// The port of the primary, if this is a replica.
    primary: Option<u16>,
    process: Option<Child>,
}

impl Redis {
    /// Starts a server, and waits until it answers.
    pub fn start() -> Result<Self> {
        Self::start_with(&[])
    }

    /// Starts a server with further command line arguments.
    pub fn start_with(extra: &[&str]) -> Result<Self> {
        Self::start_following(extra, None)
    }

    fn start_following(extra: &[&str], primary: Option<u16>) -> Result<Self> {
        let mut last = None;
        for _ in 0..TRIES {
            let extra = extra.iter().map(|&word| word.to_owned()).collect();
            let mut redis = Self { folder: TempDir::new()?, port: free_port()?, extra, primary, process: None };
            match redis.restart() {
                Ok(()) => return Ok(redis),
                Err(error) => last = Some(error),
            }
        }
        Err(last.context("no attempt was made")?)
    }

    /// Starts a replica of the server on this port, and waits until it has a copy.
    pub fn start_replica(primary: u16) -> Result<Self> {
        let replica = Self::start_following(&[], Some(primary))?;
        replica.wait_for_copy()?;
        Ok(replica)
    }

    /// Restarts the server as a replica of the server on this port, and waits until it has a copy.
    pub fn restart_as_replica(&mut self, primary: u16) -> Result<()> {
        self.primary = Some(primary);
        self.restart()?;
        self.wait_for_copy()
    }

    /// Waits until this replica has a copy of its primary, and receives what is new.
    pub fn wait_for_copy(&self) -> Result<()> {
        wait_until("the replica has a copy", || {
            Ok(self.cli(&["info", "replication"])?.contains("master_link_status:up"))
        })
    }

    /// Makes a replica a primary.
    pub fn promote(&mut self) -> Result<()> {
        self.primary = None;
        self.cli(&["replicaof", "no", "one"]).map(drop)
    }

    /// Limits the size of files, so that the append-only file takes only this many further bytes, and waits until that has ended
    /// the process: a server that syncs every write cannot go on without its disk.
    pub fn run_out_of_disk(&mut self, bytes: u64) -> Result<()> {
        let process = self.process.as_mut().context("Redis does not run")?;
        let pid = Pid::from_raw(process.id().try_into()?).context("no process id")?;
        let mut largest = 0;
        for file in fs::read_dir(self.folder.path().join("appendonlydir"))? {
            largest = largest.max(file?.metadata()?.len());
        }
        let limit = Rlimit { current: Some(largest + bytes), maximum: None };
        prlimit(Some(pid), Resource::Fsize, limit)?;
        wait_until("Redis ends on a full disk", || Ok(process.try_wait()?.is_some()))?;
        self.process = None;
        Ok(())
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills the process with SIGKILL.
    pub fn kill9(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill().context("killing Redis failed")?;
            process.wait().context("waiting for Redis failed")?;
        }
        Ok(())
    }

    /// Suspends the process (SIGSTOP): it accepts bytes and does not answer.
    pub fn suspend(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Resumes the process (SIGCONT).
    pub fn resume(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let process = self.process.as_ref().context("Redis does not run")?;
        let pid = Pid::from_raw(process.id().try_into()?).context("no process id")?;
        Ok(kill_process(pid, signal)?)
    }

    /// Restarts the server with its files, and waits until it answers.
    pub fn restart(&mut self) -> Result<()> {
        self.kill9()?;
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--dir"]).arg(self.folder.path());
        command.args(["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--logfile", "redis.log"]);
        // A replica gets its copy at once.
        command.args(["--repl-diskless-sync-delay", "0"]);
        if let Some(primary) = self.primary {
            command.args(["--replicaof", "127.0.0.1", &primary.to_string()]);
        }
        command.args(&self.extra).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().context("cannot start redis-server")?);
        wait_until("Redis answers", || {
            if let Some(process) = &mut self.process
                && let Some(status) = process.try_wait()?
            {
                bail!("Redis exited: {status}");
            }
            Ok(answers(self.port))
        })
    }

    /// Runs a command with redis-cli, and returns its output.
    pub fn cli(&self, words: &[&str]) -> Result<String> {
        cli(self.port, words)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.kill9();
    }
}

fn cli(port: u16, words: &[&str]) -> Result<String> {
    let mut command = Command::new("redis-cli");
    let output = command.args(["-p", &port.to_string(), "-c"]).args(words).stdin(Stdio::null()).output();
    let output = output.context("cannot start redis-cli")?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() { Ok(text) } else { bail!("redis-cli {words:?}: {text}") }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    while !is_so()? {
        if Instant::now() > deadline {
            bail!("waiting timed out: {what}");
        }
        thread::sleep(POLL);
    }
    Ok(())
}

/// Whether the server answers PING. While it loads its files it answers with an error.
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
    let listener = TcpListener::bind(address(0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}
