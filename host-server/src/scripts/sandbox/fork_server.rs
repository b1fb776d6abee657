//! One fork server as the relay sees it: its start, its calls, and their deadlines.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::filter;
use super::lockdown::Layers;
use super::python::Python;
use crate::scripts::answer::MAX_REPLY;

pub(super) const CALL_TIME: Duration = Duration::from_millis(100);
/// Time after that for the script's process to report the line in which it was. Then it is killed.
const REPORT_TIME: Duration = Duration::from_millis(50);
/// Time of a call if the machine gives the script no processor. It has to be less than what players wait for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Memory of a call, beyond that of the interpreter.
const CALL_MEMORY: u64 = 100_000_000;
/// Time for the interpreter to start, and for a killed child to end, on a machine under load.
const PATIENCE: Duration = Duration::from_secs(20);
/// The exit code of a child that could not be locked down, as in the fork server.
const NOT_LOCKED: u32 = 70;
/// What a child writes when it has read its request, as in the fork server.
const READ: u8 = b'B';
/// Longest frame of the fork server, in bytes.
const MAX_FRAME: usize = 1_024;
/// How much of the standard error of a process that does not start is in the error, in bytes.
const MAX_ERRORS: u64 = 2_000;
const PROGRAM: &str = include_str!("fork_server.py");

/// A locked down interpreter that waits for calls.
#[derive(Debug)]
pub(super) struct ForkServer {
    child: Child,
    requests: ChildStdin,
    frames: BufReader<ChildStdout>,
    /// What children write. Before they exist, it is the standard error of the fork server.
    replies: ChildStderr,
    layers: Layers,
    /// The system call filters of the fork server. None if the kernel does not say (before Linux 5.9).
    filters: Option<u32>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) ending: Ending,
    /// What the script's process wrote.
    pub(super) reply: Vec<u8>,
    /// Processor time of the call; zero if the kernel does not say.
    pub(super) cpu: Duration,
    /// Time from the request to the end of the process.
    pub(super) elapsed: Duration,
}

impl Outcome {
    /// The time that the call took: that of the processor, or if the kernel does not say it, all of it.
    pub(super) fn time(&self) -> Duration {
        if self.cpu.is_zero() { self.elapsed } else { self.cpu }
    }
}

/// How the script's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Exit(u32),
    Signal(u32),
    /// The relay killed it because its time was over.
    Timeout,
    /// The relay killed it because the machine had no time for it.
    Starved,
}

/// What the kernel says of a script's process.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    running: Duration,
    /// Time for which it could run and had no processor.
    waiting: Duration,
    /// Whether it can run now.
    is_runnable: bool,
    has_ended: bool,
}

impl ForkServer {
    /// Starts an interpreter by `launcher`, which is this program. The error is one line.
    pub(super) async fn start(launcher: &Path, python: &Python) -> Result<Self, String> {
        let mut command = Command::new(launcher);
        command
            .arg("script-process")
            .arg(&python.program)
            .arg(PROGRAM)
            .args(&python.libraries)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            // The relay kills the whole group.
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", launcher.display()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(requests), Some(frames), Some(replies)) = pipes else {
            return Err("the process has no pipes".to_owned());
        };
        let mut frames = BufReader::new(frames);
        let started = timeout(PATIENCE, async {
            let layers = read_frame(&mut frames, b'L').await?;
            read_frame(&mut frames, b'+').await?;
            serde_json::from_slice::<Layers>(&layers).map_err(io::Error::from)
        });
        let layers = match started.await {
            Ok(Ok(layers)) => layers,
            Ok(Err(error)) => {
                let mut text = Vec::new();
                let mut errors = replies.take(MAX_ERRORS);
                let _ = timeout(Duration::from_secs(1), errors.read_to_end(&mut text)).await;
                let text = String::from_utf8_lossy(&text);
                let last = text.lines().last().map_or_else(|| error.to_string(), ToOwned::to_owned);
                return Err(format!("the sandbox did not start: {last}"));
            }
            Err(_) => return Err(format!("the sandbox did not start within {} seconds", PATIENCE.as_secs())),
        };
        let mut process = Self { child, requests, frames, replies, layers, filters: None };
        process.check().await?;
        Ok(process)
    }

    /// Which of the layers that depend on the kernel are in force.
    pub(super) const fn layers(&self) -> Layers {
        self.layers
    }

    /// Memory of the fork server and its waiting child that they do not share with anything, in bytes.
    pub(super) fn own_memory(&self) -> u64 {
        let Some(server) = self.child.id() else { return 0 };
        let children = fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
        let processes = children.split_whitespace().filter_map(|id| id.parse().ok()).chain([server]);
        processes.filter_map(proportional_memory).sum()
    }

    /// Asks the kernel whether the process is locked down, and sends what its children need.
    async fn check(&mut self) -> Result<(), String> {
        let id = self.child.id().ok_or("the sandbox has ended")?;
        self.filters = Lockdown::of(id)?.filters;
        let pages = fs::read_to_string(format!("/proc/{id}/statm")).map_err(|error| format!("/proc: {error}"))?;
        let pages = pages.split(' ').next().and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default();
        let filter = filter::of_scripts().map_err(|error| format!("seccomp: {error}"))?;
        let setup = json!({
            "filter": filter::to_hex(&filter),
            "size": pages * page_size() + CALL_MEMORY,
            "seconds": CALL_TIME.as_secs_f64(),
        });
        self.write_frame(setup.to_string().as_bytes()).await.map_err(|error| format!("the sandbox has ended: {error}"))
    }

    /// Executes a request in the child that waits for it. After an error the process must not be used again.
    pub(super) async fn call(&mut self, request: &[u8]) -> io::Result<Outcome> {
        let id = timeout(PATIENCE, read_frame(&mut self.frames, b'P')).await??;
        let id = id.try_into().map(u32::from_le_bytes).map_err(|_| invalid())?;
        let id = i32::try_from(id).map_err(|_| invalid())?;
        self.check_child(id).await?;
        let before = Usage::of(id);
        timeout(PATIENCE, self.write_frame(request)).await??;
        let began = Instant::now();
        let mut killed = None;
        let mut next_check = began + CALL_TIME + REPORT_TIME;
        let mut reply = Vec::new();
        let mut part = vec![0; 64 << 10];
        let result = {
            let result = read_frame(&mut self.frames, b'R');
            tokio::pin!(result);
            loop {
                tokio::select! {
                    result = &mut result => break result?,
                    length = self.replies.read(&mut part) => {
                        keep(&mut reply, &part[..length?]);
                        if reply.len() > MAX_REPLY + 1 && killed.is_none() {
                            // Nothing that follows can make it right, and reading it takes time of the relay.
                            killed = Some(Ending::Signal(9));
                            kill(Pid::from_raw(id), Signal::SIGKILL).map_err(io::Error::from)?;
                            next_check = Instant::now() + PATIENCE;
                        }
                        continue;
                    }
                    () = sleep_until(next_check) => {}
                }
                if killed.is_some() {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                // A process that writes its reply may wait for this task, which is not its fault.
                let is_writing = reply.len() > 1;
                let used = Usage::of(id).since(before, began.elapsed(), is_writing);
                if used < CALL_TIME + REPORT_TIME && began.elapsed() < LONGEST_WAIT {
                    let rest = (CALL_TIME + REPORT_TIME).saturating_sub(used);
                    next_check = Instant::now() + rest.max(Duration::from_millis(1));
                    continue;
                }
                let is_timeout = used >= CALL_TIME + REPORT_TIME;
                killed = Some(if is_timeout { Ending::Timeout } else { Ending::Starved });
                // The fork server has not reaped it, so the id is still that of the script's process.
                kill(Pid::from_raw(id), Signal::SIGKILL).map_err(io::Error::from)?;
                next_check = Instant::now() + PATIENCE;
            }
        };
        let elapsed = began.elapsed();
        // The child has ended, so everything that it wrote is in the pipe.
        loop {
            match nix::unistd::read(&self.replies, &mut part) {
                Ok(0) | Err(Errno::EAGAIN) => break,
                Ok(length) => keep(&mut reply, &part[..length]),
                Err(error) => return Err(error.into()),
            }
        }
        let cpu = Usage::of(id).running.saturating_sub(before.running);
        let [was_killed, status @ ..] = &result[..] else { return Err(invalid()) };
        let status = status.try_into().map(u32::from_le_bytes).map_err(|_| invalid())?;
        let ending = match (killed, was_killed) {
            (Some(ending), 1) => ending,
            (_, 0) => Ending::Exit(status),
            _ => Ending::Signal(status),
        };
        let is_read = reply.first() == Some(&READ);
        match ending {
            Ending::Exit(NOT_LOCKED) if !is_read => Err(not_locked_down()),
            // The next child would find the rest of the request.
            _ if !is_read => Err(io::Error::other("a script's process ended before it had its request")),
            _ => Ok(Outcome { ending, reply: reply.split_off(1), cpu, elapsed }),
        }
    }

    /// Waits until the kernel says that a child is locked down: it has one system call filter more than the fork server. A kernel that does not count them
    /// leaves it to the child, which reads no request without its filter.
    async fn check_child(&self, id: i32) -> io::Result<()> {
        let began = Instant::now();
        loop {
            let found = Lockdown::of(id.unsigned_abs()).map_err(io::Error::other)?;
            match (found.filters, self.filters) {
                _ if found.has_ended || began.elapsed() > PATIENCE => return Err(not_locked_down()),
                (Some(own), Some(inherited)) if own <= inherited => sleep(Duration::from_millis(1)).await,
                _ => return Ok(()),
            }
        }
    }

    async fn write_frame(&mut self, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).map_err(|_| invalid())?;
        self.requests.write_all(&length.to_le_bytes()).await?;
        self.requests.write_all(payload).await?;
        self.requests.flush().await
    }
}

fn not_locked_down() -> io::Error {
    io::Error::other("a script's process could not be locked down")
}

/// What the kernel says of a process that has to be locked down.
struct Lockdown {
    /// Its system call filters. None if the kernel does not count them (before Linux 5.9).
    filters: Option<u32>,
    has_ended: bool,
}

impl Lockdown {
    /// An error if the process is not locked down at all.
    fn of(id: u32) -> Result<Self, String> {
        let status = fs::read_to_string(format!("/proc/{id}/status")).map_err(|error| format!("/proc: {error}"))?;
        let value = |key| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        for (key, expected) in [("NoNewPrivs:", "1"), ("Seccomp:", "2"), ("CapEff:", "0000000000000000")] {
            if value(key) != expected {
                return Err(format!("the sandbox is not locked down: {key} {}", value(key)));
            }
        }
        Ok(Self { filters: value("Seccomp_filters:").parse().ok(), has_ended: value("State:").starts_with(['Z', 'X']) })
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        // Dropping the child kills the fork server only.
        if let Some(id) = self.child.id().and_then(|id| i32::try_from(id).ok()) {
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
    }
}

impl Usage {
    /// Nothing, if the kernel does not say.
    fn of(id: i32) -> Self {
        let read = |name: &str| fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
        let times = read("schedstat");
        let mut times = times.split_whitespace().map(|time| time.parse().map_or(Duration::ZERO, Duration::from_nanos));
        let status = read("stat");
        let state = status.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        Self {
            running: times.next().unwrap_or_default(),
            waiting: times.next().unwrap_or_default(),
            // `D`: it waits for the disk to load a page of the interpreter; a script itself cannot read files.
            is_runnable: matches!(state, Some('R' | 'D')),
            has_ended: matches!(state, Some('Z' | 'X')),
        }
    }

    /// The time that the script used of these `elapsed`: all of it, without what the machine did not give it.
    fn since(self, before: Self, elapsed: Duration, is_writing: bool) -> Duration {
        let running = self.running.saturating_sub(before.running);
        // The current wait for a processor is not counted in `waiting` before it is over.
        if self.has_ended || is_writing || (self.is_runnable && self.running > Duration::ZERO) {
            return running;
        }
        elapsed.saturating_sub(self.waiting.saturating_sub(before.waiting)).max(running)
    }
}

/// Keeps a part of a reply. What is too long anyway is dropped.
fn keep(reply: &mut Vec<u8>, part: &[u8]) {
    if reply.len() <= MAX_REPLY + 1 {
        reply.extend_from_slice(part);
    }
}

async fn read_frame(frames: &mut BufReader<ChildStdout>, tag: u8) -> io::Result<Vec<u8>> {
    let mut head = [0; 5];
    frames.read_exact(&mut head).await?;
    let [found, length @ ..] = head;
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(|_| invalid())?;
    if found != tag || length > MAX_FRAME {
        return Err(invalid());
    }
    let mut payload = vec![0; length];
    frames.read_exact(&mut payload).await?;
    Ok(payload)
}

fn invalid() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the fork server sent an invalid frame")
}

fn page_size() -> u64 {
    nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE)
        .ok()
        .flatten()
        .and_then(|size| u64::try_from(size).ok())
        .unwrap_or(4_096)
}

/// The share of a process in the memory of the machine, in bytes.
fn proportional_memory(id: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
