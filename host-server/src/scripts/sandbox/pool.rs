//! All fork servers of a relay, with one queue.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::{OnceCell, oneshot, watch};
use tokio::time::timeout;

use super::fork_server::{CALL_TIME, Ending, ForkServer, Outcome};
use super::python::Python;
use super::queue::Queue;
use crate::metrics::{self, SandboxLayer};
use crate::scripts::answer::is_error;
use crate::scripts::{Call, Caller, Execute, Reply, ScriptConfig, ScriptError, Urgency};

/// How long a call waits for a process. A player who gets the error that the relay is busy can do something else.
const LONGEST_QUEUE: Duration = Duration::from_secs(4);
/// Processor time after [`CALL_TIME`] in which an answer may come: the kernel looks at timers every 10 ms at most, and the end of a process with
/// much memory counts as well. A script that is slower has escaped its timer.
const TOLERANCE: Duration = Duration::from_millis(25);
/// A caller whose call took longer waits with its next one until no other caller does.
const SLOW: Duration = Duration::from_millis(50);
/// Pause after a failed start of a process.
const START_PAUSE: Duration = Duration::from_secs(5);

/// Executes scripts in sandboxed processes.
#[derive(Debug)]
pub(crate) struct Pool {
    /// Whether a script was called. Until then there are no processes: most relays never execute one.
    is_used: watch::Sender<bool>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Job {
    script: Arc<str>,
    call: Call,
    queued: Instant,
    /// Told when a process executes it.
    begun: oneshot::Sender<()>,
    reply: oneshot::Sender<Result<Vec<u8>, ScriptError>>,
}

#[derive(Debug)]
struct Shared {
    launcher: PathBuf,
    python: PathBuf,
    /// What `python` is. While it cannot be used, it is looked for again: an operator may install it at any time.
    found: OnceCell<Python>,
    jobs: Queue<Job>,
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
    /// Looks for the interpreter in the background, so that the log says at the start if there is none. The processes are started with the first
    /// call, and end when the pool is dropped.
    pub(crate) fn start(config: &ScriptConfig) -> Self {
        let (is_used, _) = watch::channel(false);
        let shared = Arc::new(Shared {
            launcher: config.launcher.clone(),
            python: config.python.clone(),
            found: OnceCell::new(),
            jobs: Queue::new(config.processes),
            memory: Mutex::new(vec![0; config.processes]),
        });
        for number in 0..config.processes {
            let is_used = is_used.subscribe();
            let worker = Worker { shared: shared.clone(), number, is_used, process: None, last_failure: None };
            tokio::spawn(worker.run());
        }
        let probe = shared.clone();
        tokio::spawn(async move {
            if let Err(problem) = probe.python().await {
                tracing::warn!(problem, "rule scripts cannot be executed; everything else works");
            }
        });
        Self { is_used, shared }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.jobs.close();
    }
}

impl Shared {
    async fn python(&self) -> Result<&Python, String> {
        self.found.get_or_try_init(|| Python::find(&self.python)).await
    }
}

impl Execute for Pool {
    fn execute(&self, script: Arc<str>, call: Call, caller: Caller, urgency: Urgency) -> Reply {
        self.is_used.send_if_modified(|is_used| !mem::replace(is_used, true));
        let (begun, begins) = oneshot::channel();
        let (reply, answer) = oneshot::channel();
        let job = Job { script, call, queued: Instant::now(), begun, reply };
        let is_queued = self.shared.jobs.push(job, caller, urgency);
        Box::pin(async move {
            // A job whose answer is no longer awaited is not executed.
            if !is_queued || timeout(LONGEST_QUEUE, begins).await.is_err() {
                return Err(ScriptError::Busy);
            }
            answer.await.unwrap_or(Err(ScriptError::Busy))
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
        while let Some((Job { script, call, queued, begun, reply }, running)) = shared.jobs.take().await {
            // The answer is no longer awaited.
            if reply.is_closed() {
                continue;
            }
            metrics::script_waited(queued.elapsed());
            let _ = begun.send(());
            let (result, took) = self.answer(&script, &call).await;
            running.end(took > SLOW);
            let _ = reply.send(result);
            // Off the path of the call: the next one finds a process.
            if self.process.is_none() && self.last_failure.is_none() {
                let _ = self.process().await;
            }
        }
    }

    /// The reply of a call, and the time of the process that it took.
    async fn answer(&mut self, script: &str, call: &Call) -> (Result<Vec<u8>, ScriptError>, Duration) {
        let request = format!(
            r#"{{"script":{},"functions":{},"arguments":{}}}"#,
            json!(script),
            json!(call.functions()),
            call.arguments()
        );
        // A process that has ended since its last call says nothing of this script, so there is a second one.
        for _ in 0..2 {
            let process = match self.process().await {
                Ok(process) => process,
                Err(problem) => return (Err(ScriptError::Unavailable(problem)), Duration::ZERO),
            };
            match process.call(request.as_bytes()).await {
                Ok(outcome) => {
                    let took = outcome.time();
                    metrics::script_ran(took);
                    return (judge(outcome), took);
                }
                Err(error) => {
                    tracing::error!(%error, "a process for scripts failed, and another one is started");
                    metrics::script_process_failed();
                    self.process = None;
                }
            }
        }
        (Err(ScriptError::Unavailable("its sandbox fails".to_owned())), Duration::ZERO)
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
        let python = self.shared.python().await?;
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
    let took = outcome.time();
    let Outcome { ending, reply, .. } = outcome;
    match ending {
        Ending::Timeout => Err(ScriptError::Timeout { line: None }),
        Ending::Starved => Err(ScriptError::Busy),
        // A script can catch the error of its timer, or block it.
        _ if took > CALL_TIME + TOLERANCE && !is_error(&reply) => Err(ScriptError::Timeout { line: None }),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(cpu: u64, elapsed: u64) -> Result<Vec<u8>, ScriptError> {
        let (cpu, elapsed) = (Duration::from_millis(cpu), Duration::from_millis(elapsed));
        judge(Outcome { ending: Ending::Exit(0), reply: br#"{"answer":1}"#.to_vec(), cpu, elapsed })
    }

    #[test]
    fn an_answer_counts_by_processor_time_or_else_by_elapsed_time() {
        let late = Err(ScriptError::Timeout { line: None });
        for (cpu, elapsed, is_in_time) in
            [(125, 130, true), (126, 130, false), (90, 3_000, true), (0, 125, true), (0, 126, false)]
        {
            let expected = if is_in_time { Ok(br#"{"answer":1}"#.to_vec()) } else { late.clone() };
            assert_eq!(judged(cpu, elapsed), expected, "{cpu} of {elapsed} ms");
        }
    }
}
