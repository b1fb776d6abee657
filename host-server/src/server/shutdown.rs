use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// How a relay is told to stop, and who is not done yet.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    stopping: CancellationToken,
    at_once: CancellationToken,
    busy: TaskTracker,
}

impl Shutdown {
    /// One that nobody has told anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Listens to the signals that end a process: the first means to stop in order, and the second at once.
    pub fn listen(&self) -> std::io::Result<()> {
        let mut signals = Signals::new()?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            signals.next().await;
            shutdown.stop();
            tracing::info!("stopping; another signal ends it at once");
            signals.next().await;
            shutdown.stop_at_once();
            tracing::warn!("ending at once");
        });
        Ok(())
    }

    /// Stop in order.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Stop whatever happens.
    pub fn stop_at_once(&self) {
        self.stopping.cancel();
        self.at_once.cancel();
    }

    /// Is cancelled when it is time to stop.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Whether it is time to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Something that is waited for until what is returned is dropped.
    pub(super) fn busy(&self) -> TaskTrackerToken {
        self.busy.token()
    }

    /// Waits until nobody is busy any more, or for so long, or until it has to be at once. Says how many are not done.
    pub(super) async fn finish(&self, within: Duration) -> usize {
        self.busy.close();
        tokio::select! {
            _ = timeout(within, self.busy.wait()) => {}
            () = self.at_once.cancelled() => {}
        }
        self.busy.len()
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
            // Nobody will ever tell us anything.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_waits_for_the_busy_but_not_for_ever() {
        let shutdown = Shutdown::new();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 0);

        let shutdown = Shutdown::new();
        let busy = shutdown.busy();
        shutdown.stop();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 1);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(3)).await;
            drop(busy);
        });
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn at_once_is_at_once() {
        let shutdown = Shutdown::new();
        let _busy = shutdown.busy();
        let begun = tokio::time::Instant::now();
        shutdown.stop_at_once();
        assert_eq!(shutdown.finish(Duration::from_secs(10)).await, 1);
        assert!(begun.elapsed() < Duration::from_secs(1) && shutdown.is_stopping());
    }
}
