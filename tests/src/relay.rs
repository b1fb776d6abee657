//! A relay as a process (`tabiya serve`) that can be killed and restarted, and HTTP requests to it.
//!
//! It listens on the loopback unless a test asks for more, and its environment is cleared. Limits that a test does not set are off, since all clients
//! have the same address.

mod http;
mod log;

use std::ffi::{OsStr, OsString};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context, Result, bail, ensure};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

use crate::parts;
use crate::temp_dir::TempDir;
pub use http::{HttpResponse, get, post, request};
use log::Log;

/// Timeout of every wait. It ends a test that hangs.
const TIMEOUT: Duration = Duration::from_secs(30);

const POLL: Duration = Duration::from_millis(10);

/// Limits that are off unless a test sets them.
const NO_LIMITS: [&str; 8] = [
    "--max-connections=0",
    "--max-connections-per-address=0",
    "--connections-per-minute=0",
    "--requests-per-minute=0",
    "--joins-per-minute=0",
    "--messages-per-second=0",
    "--store-per-day=0",
    "--virtual-board=off",
];

/// The store of a relay.
#[derive(Clone, Debug)]
pub enum StoreLocation {
    /// The embedded store in this folder.
    Folder(PathBuf),
    /// The Redis on this port of the loopback.
    Redis(u16),
}

impl StoreLocation {
    /// As command line arguments.
    fn words(&self) -> Vec<OsString> {
        match self {
            Self::Folder(path) => vec!["--data".into(), path.into()],
            Self::Redis(port) => {
                let port = format!("--redis-port={port}");
                vec!["--redis-host=127.0.0.1".into(), port.into(), "--redis-prefix=test:".into()]
            }
        }
    }
}

/// A relay process. Dropping it kills the process.
#[derive(Debug)]
pub struct RelayProcess {
    program: PathBuf,
    location: StoreLocation,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    address: SocketAddr,
    /// The working directory, without a settings file.
    folder: TempDir,
    process: Option<Child>,
    log: Log,
}

impl RelayProcess {
    /// Starts a relay, and waits until it listens; `None` if the program is missing.
    pub fn start(location: StoreLocation, arguments: &[&str]) -> Result<Option<Self>> {
        Self::start_with_variables(location, arguments, &[])
    }

    /// The same for all addresses of this machine, and not only for the loopback.
    pub fn start_on_all_addresses(location: StoreLocation, arguments: &[&str]) -> Result<Option<Self>> {
        Self::start_at((Ipv4Addr::UNSPECIFIED, 0).into(), location, arguments, &[])
    }

    /// The same as [`RelayProcess::start`] with these environment variables.
    pub fn start_with_variables(
        location: StoreLocation,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Option<Self>> {
        Self::start_at((Ipv4Addr::LOCALHOST, 0).into(), location, arguments, variables)
    }

    fn start_at(
        address: SocketAddr,
        location: StoreLocation,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        let mut relay = Self {
            program,
            location,
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            variables: variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            address,
            folder: TempDir::new()?,
            process: None,
            log: Log::default(),
        };
        relay.restart()?;
        Ok(Some(relay))
    }

    /// The address, which stays the same after a restart.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The process id.
    pub fn process_id(&self) -> Result<u32> {
        Ok(self.process.as_ref().context("the relay does not run")?.id())
    }

    /// Resident memory in bytes, where the system reports it.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process_id().ok()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }

    /// Kills the process with SIGKILL.
    pub fn kill9(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill().context("the relay cannot be killed")?;
            process.wait().context("the relay does not end")?;
        }
        Ok(())
    }

    /// Sends SIGTERM.
    #[cfg(unix)]
    pub fn terminate(&self) -> Result<()> {
        self.signal(Signal::TERM)
    }

    /// Suspends the process (SIGSTOP): it accepts connections and bytes, and does nothing.
    #[cfg(unix)]
    pub fn suspend(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Resumes the process (SIGCONT).
    #[cfg(unix)]
    pub fn resume(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) -> Result<()> {
        let pid = Pid::from_raw(i32::try_from(self.process_id()?)?).context("a process has an id")?;
        Ok(kill_process(pid, signal)?)
    }

    /// Waits until the process has ended by itself.
    pub fn wait(&mut self) -> Result<ExitStatus> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let process = self.process.as_mut().context("the relay does not run")?;
            if let Some(status) = process.try_wait()? {
                self.process = None;
                return Ok(status);
            }
            ensure!(Instant::now() < deadline, "the relay does not end:\n{}", self.log().join("\n"));
            thread::sleep(POLL);
        }
    }

    /// Restarts the process with the same address and store, and waits until it listens.
    pub fn restart(&mut self) -> Result<()> {
        self.kill9()?;
        // SIGXFSZ, which a file size limit causes, would end the process; a full disk sends no signal.
        let mut command = self.clean("sh");
        command.args(["-c", "trap '' XFSZ && exec \"$0\" \"$@\""]).arg(&self.program).args(self.words());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env("RUST_BACKTRACE", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().context("the relay does not start")?;
        let errors = process.stderr.take().context("the relay has no log")?;
        self.process = Some(process);
        let before = self.log.len();
        self.log.follow(errors);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(address) = self.log.since(before).iter().find_map(|line| listening_at(line)) {
                self.address = address;
                return Ok(());
            }
            if let Some(process) = &mut self.process
                && let Some(status) = process.try_wait()?
            {
                bail!("the relay has ended, {status}:\n{}", self.log.since(before).join("\n"));
            }
            ensure!(Instant::now() < deadline, "the relay does not listen:\n{}", self.log.since(before).join("\n"));
            thread::sleep(POLL);
        }
    }

    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["serve".into(), "--listen".into(), self.address.to_string().into()];
        words.extend(self.location.words());
        let is_set = |limit: &str| {
            let name = limit.split_once('=').map_or(limit, |(name, _)| name);
            self.arguments.iter().any(|argument| argument.split('=').next() == Some(name))
        };
        words.extend(NO_LIMITS.into_iter().filter(|limit| !is_set(limit)).map(OsString::from));
        words.extend(self.arguments.iter().map(OsString::from));
        words
    }

    /// Runs another sub-command on the same store, and returns its output.
    pub fn command(&self, words: &[&str]) -> Result<String> {
        let mut command = self.clean(&self.program);
        let output = command.args(words).args(self.location.words()).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(text)
    }

    /// A command with a cleared environment.
    fn clean(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.folder.path());
        command.envs(env::vars_os().filter(|(name, _)| is_harmless(name)));
        command
    }

    /// The log of all runs.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.since(0)
    }

    /// Waits until the log has this text.
    pub fn wait_for_log(&self, text: &str) -> Result<()> {
        let deadline = Instant::now() + TIMEOUT;
        while !self.log().iter().any(|line| line.contains(text)) {
            ensure!(Instant::now() < deadline, "the log has no {text:?}:\n{}", self.log().join("\n"));
            thread::sleep(POLL);
        }
        Ok(())
    }

    /// Fails if the process has exited or its log has a panic.
    pub fn check(&mut self) -> Result<()> {
        let log = self.log();
        if let Some(place) = log.iter().position(|line| line.starts_with("thread '") && line.contains("panicked")) {
            bail!("the relay has panicked:\n{}", log[place..].join("\n"));
        }
        let process = self.process.as_mut().context("the relay does not run")?;
        if let Some(status) = process.try_wait()? {
            bail!("the relay has ended, {status}:\n{}", log.join("\n"));
        }
        Ok(())
    }

    /// The folder of the embedded store.
    #[must_use]
    pub fn data(&self) -> Option<&Path> {
        match &self.location {
            StoreLocation::Folder(path) => Some(path),
            StoreLocation::Redis(_) => None,
        }
    }

    /// A metric, summed over all series whose labels contain a text.
    pub async fn figure(&self, name: &str, label: &str) -> Result<f64> {
        let answer = get(self.address, "/metrics").await?;
        let lines = answer.text().lines().filter(|line| line.starts_with(name) && line.contains(label));
        Ok(lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum())
    }
}

impl Drop for RelayProcess {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.kill9();
    }
}

/// Environment variables that a relay may inherit.
fn is_harmless(name: &OsStr) -> bool {
    ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"].iter().any(|known| name == *known)
}

fn listening_at(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once(" listening address=")?;
    rest.split(' ').next()?.parse().ok()
}
