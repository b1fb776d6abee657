//! Replays logs on blocking threads.
//!
//! A log may have tens of thousands of entries, whose replay takes milliseconds. On a worker of the async runtime that would delay
//! every connection of the relay.

use std::panic;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Replays at the same time. More would take cores from the connections.
const CONCURRENT: usize = 2;

/// Runs work on logs on blocking threads, a few at a time.
#[derive(Debug)]
pub(super) struct ReplayPool {
    permits: Arc<Semaphore>,
}

impl Default for ReplayPool {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(CONCURRENT)) }
    }
}

impl ReplayPool {
    /// Runs the work on a blocking thread. The work runs to its end even if the caller gives up, and holds its permit until then.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        // The semaphore is never closed.
        let permit = self.permits.clone().acquire_owned().await;
        let task = spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        match task.await {
            Ok(done) => done,
            Err(error) => panic::resume_unwind(error.into_panic()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn long_work_does_not_block_the_runtime_and_few_run_at_once() {
        let pool = Arc::new(ReplayPool::default());
        let running = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let (pool, running) = (pool.clone(), running.clone());
                tokio::spawn(async move {
                    pool.run(move || {
                        use std::sync::atomic::Ordering::SeqCst;
                        let now = running.fetch_add(1, SeqCst) + 1;
                        std::thread::sleep(Duration::from_millis(20));
                        running.fetch_sub(1, SeqCst);
                        now
                    })
                    .await
                })
            })
            .collect();
        // The only worker of this runtime is free meanwhile.
        let (sender, receiver) = tokio::sync::oneshot::channel();
        tokio::spawn(async move { sender.send(()) });
        receiver.await.unwrap();
        assert!(tasks.iter().any(|task| !task.is_finished()));
        for task in tasks {
            assert!(task.await.unwrap() <= CONCURRENT);
        }
    }
}
