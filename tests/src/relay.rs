//! A real relay: the process `tabiya serve`, which can be stopped, killed and started again where it was.
//!
//! It listens on the loopback only. Nothing of the environment reaches it, so it is the same one everywhere. Limits that a
//! test does not set are off: one machine plays everybody here.

mod answer;
mod line;
mod log;

use std::ffi::{OsStr, OsString};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context, Result, bail, ensure};

use crate::parts;
use crate::redis::Folder;
pub use answer::{Answer, get, post};
pub use line::{Heard, Line, Refused};
use log::Log;

/// Long enough for a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often to look whether something has happened.
const POLL: Duration = Duration::from_millis(10);

/// What is off unless a test sets it.
const NO_LIMITS: [&str; 7] = [
    "--max-connections=0",
    "--max-connections-per-address=0",
    "--connections-per-minute=0",
    "--requests-per-minute=0",
    "--joins-per-minute=0",
    "--messages-per-second=0",
    "--virtual-board=off",
];

/// Where a relay keeps everything.
#[derive(Clone, Debug)]
pub enum Keeping {
    /// In a folder of its own.
    Folder(PathBuf),
    /// In the Redis that listens on this port of the loopback.
    Redis(u16),
}

impl Keeping {
    /// As settings of a command.
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

/// A relay. It is ended when this is dropped.
#[derive(Debug)]
pub struct Relay {
    program: PathBuf,
    keeping: Keeping,
    arguments: Vec<String>,
    address: SocketAddr,
    /// Where it runs, so that it finds no settings.
    folder: Folder,
    process: Option<Child>,
    log: Log,
}

impl Relay {
    /// Starts one, and waits until it answers. There is none if there is no program to start.
    pub fn start(keeping: Keeping, arguments: &[&str]) -> Result<Option<Self>> {
        let Some(program) = parts::tabiya() else { return Ok(None) };
        let mut relay = Self {
            program,
            keeping,
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            folder: Folder::new()?,
            process: None,
            log: Log::default(),
        };
        relay.restart()?;
        Ok(Some(relay))
    }

    /// Where it listens. It is the same place after a restart.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of the process.
    pub fn process_id(&self) -> Result<u32> {
        Ok(self.process.as_ref().context("the relay does not run")?.id())
    }

    /// How much memory the process has, in bytes. Nothing, where the system does not say so.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process_id().ok()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }

    /// Ends it as a power cut would, as far as a process can be.
    pub fn kill9(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill().context("the relay cannot be killed")?;
            process.wait().context("the relay does not end")?;
        }
        Ok(())
    }

    /// Starts it again where it was, and waits until it answers.
    pub fn restart(&mut self) -> Result<()> {
        self.kill9()?;
        // The signal that comes with a file that may not grow would end the process, and a full disk sends none.
        let mut command = self.clean("sh");
        command.args(["-c", "trap '' XFSZ && exec \"$0\" \"$@\""]).arg(&self.program).args(self.words());
        command.env("RUST_BACKTRACE", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().context("the relay does not start")?;
        let errors = process.stderr.take().context("the relay has no log")?;
        self.process = Some(process);
        let before = self.log.len();
        self.log.follow(errors);
        let deadline = Instant::now() + PATIENCE;
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
        words.extend(self.keeping.words());
        let is_set = |limit: &str| {
            let name = limit.split_once('=').map_or(limit, |(name, _)| name);
            self.arguments.iter().any(|argument| argument.split('=').next() == Some(name))
        };
        words.extend(NO_LIMITS.into_iter().filter(|limit| !is_set(limit)).map(OsString::from));
        words.extend(self.arguments.iter().map(OsString::from));
        words
    }

    /// Runs another command of the same program on the same store, and returns what it prints.
    pub fn command(&self, words: &[&str]) -> Result<String> {
        let mut command = self.clean(&self.program);
        let output = command.args(words).args(self.keeping.words()).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(text)
    }

    /// A command that finds no settings.
    fn clean(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.folder.path());
        command.envs(env::vars_os().filter(|(name, _)| is_harmless(name)));
        command
    }

    /// What it has logged, in all its lives.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.since(0)
    }

    /// Makes sure that nothing in it has panicked, and that it runs.
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

    /// The folder that it keeps everything in, if it does.
    #[must_use]
    pub fn data(&self) -> Option<&Path> {
        match &self.keeping {
            Keeping::Folder(path) => Some(path),
            Keeping::Redis(_) => None,
        }
    }

    /// One of its figures, summed over all labels that contain a text.
    pub async fn figure(&self, name: &str, label: &str) -> Result<f64> {
        let answer = get(self.address, "/metrics").await?;
        let lines = answer.text().lines().filter(|line| line.starts_with(name) && line.contains(label));
        Ok(lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum())
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.kill9();
    }
}

/// Settings have these names, and some libraries look at proxies.
fn is_harmless(name: &OsStr) -> bool {
    ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"].iter().any(|known| name == *known)
}

fn listening_at(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once(" listening address=")?;
    rest.split(' ').next()?.parse().ok()
}
