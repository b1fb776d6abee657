//! The messages to clients that enter long games. They may contain every move, so making them takes longer than a worker of the runtime should
//! be busy, and they take megabytes until the client has read them.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::block_in_place;

/// Plies from which a game is long.
pub(super) const LONG_GAME: usize = 500;

/// How many clients get their messages made at the same time. More would take cores from the connections.
const CONCURRENT: usize = 2;

/// Plies of all games that are being sent, with about 160 bytes each: 64 MB. Further clients wait until others have read theirs, or were dropped
/// because they do not read.
const MOST_PLIES: usize = 400_000;

/// Those of this process.
pub(super) static LONG_WELCOMES: LongWelcomes = LongWelcomes::new(MOST_PLIES);

/// Limits the work and the memory.
#[derive(Debug)]
pub(super) struct LongWelcomes {
    workers: Semaphore,
    plies: Semaphore,
    most_plies: usize,
}

impl LongWelcomes {
    const fn new(most_plies: usize) -> Self {
        Self { workers: Semaphore::const_new(CONCURRENT), plies: Semaphore::const_new(most_plies), most_plies }
    }

    /// Makes the messages for a client that enters a game of this many plies, while another thread takes over the tasks of this worker.
    /// The caller holds the permit until they are sent.
    pub(super) async fn make<T>(&self, plies: usize, work: impl FnOnce() -> T) -> (T, Option<SemaphorePermit<'_>>) {
        // The semaphores are never closed.
        let plies = u32::try_from(plies.min(self.most_plies)).unwrap_or(u32::MAX);
        let memory = self.plies.acquire_many(plies).await.ok();
        let _worker = self.workers.acquire().await;
        let made = match Handle::current().runtime_flavor() {
            RuntimeFlavor::MultiThread => block_in_place(work),
            // Only tests run on a single thread.
            _ => work(),
        };
        (made, memory)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Clients that do not read keep others waiting, and not the memory growing.
    #[tokio::test]
    async fn the_messages_of_long_games_take_bounded_memory() {
        let welcomes = LongWelcomes::new(10_000);
        let ((), first) = welcomes.make(6_000, || ()).await;
        let ((), second) = welcomes.make(4_000, || ()).await;
        assert!(welcomes.make(1, || ()).now_or_never().is_none(), "it was made beyond the limit");
        drop(second);
        assert!(welcomes.make(5_000, || ()).now_or_never().is_none(), "it was made beyond the limit");
        assert!(welcomes.make(4_000, || ()).now_or_never().is_some());
        drop(first);
        // A game that is longer than the limit is sent alone.
        assert!(welcomes.make(20_000, || ()).now_or_never().is_some());
    }
}
