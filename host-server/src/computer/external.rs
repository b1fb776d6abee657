//! An external engine: a few processes that are started when they are needed, kept for the next move, and replaced when they fail.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, sleep_until};

use super::engine_spec::EngineSpec;
use super::uci_process::UciProcess;
use super::{ClockLeft, EngineQuestion, EngineResult, Failure};
use crate::metrics;

/// Bounds of the exponential backoff between two starts of an engine that fails.
const FIRST_BACKOFF: Duration = Duration::from_millis(250);
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct ExternalEngine {
    spec: EngineSpec,
    /// One permit for each process. Searches wait for it in the order in which they came.
    permits: Semaphore,
    idle: Mutex<Vec<UciProcess>>,
    backoff: Mutex<Backoff>,
}

#[derive(Debug)]
struct Backoff {
    delay: Duration,
    not_before: Instant,
}

impl ExternalEngine {
    pub(super) fn new(spec: EngineSpec) -> Self {
        let backoff = Backoff { delay: FIRST_BACKOFF, not_before: Instant::now() };
        Self { permits: Semaphore::new(spec.processes), spec, idle: Mutex::default(), backoff: Mutex::new(backoff) }
    }

    /// Answers a question. The search is cancelled when the answer is no longer awaited.
    pub(super) async fn answer(
        self: Arc<Self>,
        mut question: EngineQuestion,
        mut reply: oneshot::Sender<Result<EngineResult, Failure>>,
    ) {
        let asked = Instant::now();
        let permit = tokio::select! {
            permit = self.permits.acquire() => permit,
            () = reply.closed() => return,
        };
        // The semaphore is never closed.
        let Ok(_permit) = permit else { return };
        metrics::computer_waited(asked.elapsed());
        if let Some(ClockLeft { remaining_ms, .. }) = &mut question.clock {
            // The clock has run while the question was waiting.
            let waited = u32::try_from(asked.elapsed().as_millis()).unwrap_or(u32::MAX);
            *remaining_ms = remaining_ms.saturating_sub(waited);
        }
        let process = tokio::select! {
            process = self.process() => process,
            () = reply.closed() => return,
        };
        let mut process = match process {
            Ok(process) => process,
            Err(failure) => {
                self.failed(&failure);
                _ = reply.send(Err(failure));
                return;
            }
        };
        let result = tokio::select! {
            result = process.think(&question, &self.spec) => Some(result),
            () = reply.closed() => None,
        };
        let end = match &result {
            None => process.abandon().await,
            Some(Ok(_)) => Ok(()),
            Some(Err(failure)) => Err(failure.clone()),
        };
        match end {
            Ok(()) => {
                self.backoff.lock().delay = FIRST_BACKOFF;
                self.idle.lock().push(process);
            }
            Err(failure) => {
                self.failed(&failure);
                process.kill().await;
            }
        }
        if let Some(result) = result {
            if result.is_ok() {
                metrics::computer_moved(self.spec.name.as_str(), asked.elapsed());
            }
            // The room may have closed meanwhile.
            _ = reply.send(result);
        }
    }

    /// A process that waits for a position: one that is idle, or a new one.
    async fn process(&self) -> Result<UciProcess, Failure> {
        if let Some(process) = self.idle.lock().pop() {
            return Ok(process);
        }
        let not_before = self.backoff.lock().not_before;
        sleep_until(not_before).await;
        UciProcess::start(&self.spec).await
    }

    fn failed(&self, failure: &Failure) {
        let delay = {
            let mut backoff = self.backoff.lock();
            let delay = backoff.delay;
            backoff.not_before = Instant::now() + delay;
            backoff.delay = (delay * 2).min(LONGEST_BACKOFF);
            delay
        };
        metrics::computer_failed(self.spec.name.as_str());
        let details = match failure {
            Failure::Start(details) => details.as_str(),
            _ => "",
        };
        let (engine, path) = (&self.spec.name, self.spec.path.display());
        tracing::warn!(%engine, %path, error = %failure, details, ?delay, "engine failed, it is started again after the delay");
    }
}
