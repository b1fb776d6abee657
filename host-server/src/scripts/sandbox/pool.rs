//! All fork serveres of a relay, with one queue.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::{Mutex as AsyncMutex, OnceCell, mpsc, oneshot, watch};

use super::fork_server::{Ending, ForkServer, Outcome};
use super::python::{self, Python};
use crate::metrics::{self, SandboxLayer};
use crate::scripts::{Call, Execute, Reply, ScriptConfig, ScriptError};

/// Calls that wait for a process. More are refused at once: they would wait for minutes.
const MAX_WAITING: usize = 1_000;
/// Pause after a failed start of a process.
const START_PAUSE: Duration = Duration::from_secs(5);

/// Executes scripts in sandboxed processes.
#[derive(Debug)]
pub(crate) struct Pool {
    jobs: mpsc::Sender<Job>,
    /// Whether a script was called. Until then there are no processes: most relays never execute one.
    is_used: watch::Sender<bool>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Job {
    script: Arc<str>,
    call: Call,
    queued: Instant,
    reply: oneshot::Sender<Result<Vec<u8>, ScriptError>>,
}

#[derive(Debug)]
struct Shared {
    launcher: PathBuf,
    python: PathBuf,
    /// What `python` is, or why it cannot be used.
    found: OnceCell<Result<Python, String>>,
    jobs: AsyncMutex<mpsc::Receiver<Job>>,
    /// Memory of each worker's processes, in bytes.
    memory: Mutex<Vec<u64>>,
}

/// The owner of one process.
struct Worker {
    shared: Arc<Shared>,
    number: usize,
    is_used: watch::Receiver<bool>,
    process: Option<ForkServer>,
    last_failure: Option<(Instant, String)>,
}

impl Pool {
    /// Looks for the interpreter. The processes are started in the background with the first call, and end when the pool is dropped.
    pub(crate) fn start(config: &ScriptConfig) -> Self {
        if let Err(problem) = python::locate(&config.python) {
            tracing::warn!(problem, "rule scripts cannot be executed; everything else works");
        }
        let (is_used, _) = watch::channel(false);
        let (jobs, receiver) = mpsc::channel(MAX_WAITING);
        let shared = Arc::new(Shared {
            launcher: config.launcher.clone(),
            python: config.python.clone(),
            found: OnceCell::new(),
            jobs: AsyncMutex::new(receiver),
            memory: Mutex::new(vec![0; config.processes]),
        });
        for number in 0..config.processes {
            let is_used = is_used.subscribe();
            let worker = Worker { shared: shared.clone(), number, is_used, process: None, last_failure: None };
            tokio::spawn(worker.run());
        }
        Self { jobs, is_used, shared }
    }
}

impl Execute for Pool {
    fn execute(&self, script: Arc<str>, call: Call) -> Reply {
        self.is_used.send_if_modified(|is_used| !mem::replace(is_used, true));
        let (reply, answer) = oneshot::channel();
        let queued = self.jobs.try_send(Job { script, call, queued: Instant::now(), reply });
        Box::pin(async move {
            match queued {
                Ok(()) => answer.await.unwrap_or(Err(ScriptError::Busy)),
                Err(_) => Err(ScriptError::Busy),
            }
        })
    }

    fn memory(&self) -> u64 {
        self.shared.memory.lock().iter().sum()
    }
}

impl Worker {
    async fn run(mut self) {
        if self.is_used.wait_for(|is_used| *is_used).await.is_err() {
            return;
        }
        if let Err(problem) = self.process().await
            && self.number == 0
        {
            tracing::warn!(problem, "rule scripts cannot be executed; everything else works");
        }
        let shared = self.shared.clone();
        loop {
            let Some(job) = shared.jobs.lock().await.recv().await else { return };
            // The answer is no longer awaited.
            if job.reply.is_closed() {
                continue;
            }
            metrics::script_waited(job.queued.elapsed());
            let result = self.answer(&job).await;
            let _ = job.reply.send(result);
            // Off the path of the call: the next one finds a process.
            if self.process.is_none() && self.last_failure.is_none() {
                let _ = self.process().await;
            }
        }
    }

    async fn answer(&mut self, job: &Job) -> Result<Vec<u8>, ScriptError> {
        let request = format!(
            r#"{{"script":{},"function":"{}","arguments":{}}}"#,
            json!(&*job.script),
            job.call.function(),
            job.call.arguments()
        );
        // A process that has ended since its last call says nothing of this script, so there is a second one.
        for _ in 0..2 {
            let process = self.process().await.map_err(ScriptError::Unavailable)?;
            match process.call(request.as_bytes()).await {
                Ok(outcome) => {
                    metrics::script_ran(outcome.cpu);
                    return judge(outcome);
                }
                Err(error) => {
                    tracing::error!(%error, "a process for scripts failed, and another one is started");
                    metrics::script_process_failed();
                    self.process = None;
                }
            }
        }
        Err(ScriptError::Unavailable("its sandbox fails".to_owned()))
    }

    /// The process, which is started if there is none.
    async fn process(&mut self) -> Result<&mut ForkServer, String> {
        if self.process.is_none() {
            if let Some((at, problem)) = &self.last_failure
                && at.elapsed() < START_PAUSE
            {
                return Err(problem.clone());
            }
            match self.start().await {
                Ok(process) => {
                    self.last_failure = None;
                    self.shared.memory.lock()[self.number] = process.own_memory();
                    self.process = Some(process);
                }
                Err(problem) => {
                    self.last_failure = Some((Instant::now(), problem.clone()));
                    return Err(problem);
                }
            }
        }
        self.process.as_mut().ok_or_else(|| "its sandbox fails".to_owned())
    }

    async fn start(&self) -> Result<ForkServer, String> {
        let found = self.shared.found.get_or_init(|| Python::find(&self.shared.python)).await;
        let python = found.as_ref().map_err(Clone::clone)?;
        let process = ForkServer::start(&self.shared.launcher, python).await?;
        let layers = process.layers();
        if self.number == 0 {
            let (major, minor) = python.version;
            tracing::info!(
                python = format!("{major}.{minor}"),
                landlock = layers.landlock,
                namespaces = layers.namespaces,
                "rule scripts can be executed"
            );
            if !layers.landlock {
                tracing::warn!(
                    "this kernel has no Landlock: scripts are kept from files by the system call filter alone"
                );
            }
        }
        metrics::sandbox_layer(SandboxLayer::Landlock, layers.landlock);
        metrics::sandbox_layer(SandboxLayer::Namespaces, layers.namespaces);
        Ok(process)
    }
}

/// The reply of a call, or why there is none.
fn judge(outcome: Outcome) -> Result<Vec<u8>, ScriptError> {
    let Outcome { ending, reply, .. } = outcome;
    match ending {
        Ending::Timeout => Err(ScriptError::Timeout { line: None }),
        Ending::Starved => Err(ScriptError::Busy),
        _ if !reply.is_empty() => Ok(reply),
        Ending::Exit(code) => Err(ScriptError::NoAnswer(format!("exit code {code}"))),
        // The processor time limit of the kernel.
        Ending::Signal(24) => Err(ScriptError::Timeout { line: None }),
        Ending::Signal(number) => Err(ScriptError::NoAnswer(signal_name(number))),
    }
}

fn signal_name(number: u32) -> String {
    let name = i32::try_from(number).ok().and_then(|number| nix::sys::signal::Signal::try_from(number).ok());
    name.map_or_else(|| format!("signal {number}"), |signal| signal.as_str().to_owned())
}
