//! Graceful shutdown: a token for the tasks, and a tracker of open connections.

use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Shutdown signal and the set of connections to wait for. Clones share their state.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    stopping: CancellationToken,
    immediate: CancellationToken,
    open: TaskTracker,
}

impl Shutdown {
    /// Not stopping yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Installs handlers for SIGTERM and SIGINT: the first signal stops gracefully, the second immediately.
    pub fn listen(&self) -> std::io::Result<()> {
        let mut signals = Signals::new()?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            signals.next().await;
            shutdown.stop();
            tracing::info!("shutting down; a second signal exits immediately");
            signals.next().await;
            shutdown.stop_now();
            tracing::warn!("second signal: exiting immediately");
        });
        Ok(())
    }

    /// Starts the graceful shutdown.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Stops without waiting for open connections.
    pub fn stop_now(&self) {
        self.stopping.cancel();
        self.immediate.cancel();
    }

    /// Cancelled when the shutdown starts.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Cancelled when the process should exit without waiting for anything.
    #[must_use]
    pub fn immediate(&self) -> &CancellationToken {
        &self.immediate
    }

    /// Whether the shutdown has started.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Makes [`finish`](Self::finish) wait until the returned token is dropped.
    pub(super) fn track(&self) -> TaskTrackerToken {
        self.open.token()
    }

    /// Waits for all tracked connections, up to a timeout or a second signal. Returns how many are still open.
    pub(crate) async fn finish(&self, limit: Duration) -> usize {
        self.open.close();
        tokio::select! {
            _ = timeout(limit, self.open.wait()) => {}
            () = self.immediate.cancelled() => {}
        }
        self.open.len()
    }
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without a handler no signal ever comes.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_for_open_connections_up_to_the_timeout() {
        let shutdown = Shutdown::new();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 0);

        let shutdown = Shutdown::new();
        let open = shutdown.track();
        shutdown.stop();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 1);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(3)).await;
            drop(open);
        });
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_signal_skips_the_wait() {
        let shutdown = Shutdown::new();
        let _open = shutdown.track();
        let started = tokio::time::Instant::now();
        shutdown.stop_now();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 1);
        assert!(started.elapsed() < Duration::from_secs(1) && shutdown.is_stopping());
    }
}
