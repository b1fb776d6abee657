//! The messages to clients that enter long games. They may contain every move, so making them takes longer than a worker of the runtime should
//! be busy, and they take megabytes until the client has read them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::task::block_in_place;
use tokio::time::timeout;

use crate::server::ClientAddress;

/// Plies from which a game is long.
pub(super) const LONG_GAME: usize = 500;

/// How many clients get their messages made at the same time. More would take cores from the connections.
const CONCURRENT: usize = 2;

/// Plies of all games that are being sent, with about 160 bytes each: 64 MB. Further clients wait until others have read theirs, or were dropped
/// because they do not read.
const MOST_PLIES: usize = 400_000;

/// How long a client waits. That is longer than it takes until clients that do not read are dropped.
const PATIENCE: Duration = Duration::from_secs(15);

/// Those of this process.
pub(super) static LONG_WELCOMES: LazyLock<LongWelcomes> = LazyLock::new(|| LongWelcomes::new(MOST_PLIES));

/// Limits the work and the memory.
#[derive(Debug)]
pub(super) struct LongWelcomes {
    workers: Semaphore,
    plies: Semaphore,
    most_plies: usize,
    /// Three quarters of the plies: spectators who do not read leave room for players.
    of_spectators: Semaphore,
    /// A quarter of the plies for each site that has clients here. `None` is this process itself.
    of_sites: Mutex<HashMap<Option<ClientAddress>, Arc<Semaphore>>>,
}

/// The memory that messages take, until they are sent.
#[derive(Debug)]
pub(super) struct Memory<'a> {
    _all: SemaphorePermit<'a>,
    _spectators: Option<SemaphorePermit<'a>>,
    _site: OwnedSemaphorePermit,
}

impl LongWelcomes {
    fn new(most_plies: usize) -> Self {
        Self {
            workers: Semaphore::new(CONCURRENT),
            plies: Semaphore::new(most_plies),
            most_plies,
            of_spectators: Semaphore::new(most_plies / 4 * 3),
            of_sites: Mutex::default(),
        }
    }

    /// Makes the messages for a client that enters a game of this many plies, while another thread takes over the tasks of this worker.
    /// The caller holds the memory until they are sent. `None` if too many other clients do not read theirs.
    pub(super) async fn make<T>(
        &self,
        client: Option<ClientAddress>,
        is_player: bool,
        plies: usize,
        work: impl FnOnce() -> T,
    ) -> Option<(T, Memory<'_>)> {
        let memory = timeout(PATIENCE, self.memory(client, is_player, plies)).await.ok().flatten()?;
        let _worker = self.workers.acquire().await.ok()?;
        let made = match Handle::current().runtime_flavor() {
            RuntimeFlavor::MultiThread => block_in_place(work),
            // Only tests run on a single thread.
            _ => work(),
        };
        Some((made, memory))
    }

    /// Waits for a game of this many plies to have room. A game that is longer than a share takes all of it. The semaphores are never closed.
    async fn memory(&self, client: Option<ClientAddress>, is_player: bool, plies: usize) -> Option<Memory<'_>> {
        let count = |share: usize| u32::try_from(plies.min(share)).unwrap_or(u32::MAX);
        let quarter = self.most_plies / 4;
        let site = self.site(client.map(ClientAddress::site), quarter);
        let site = site.acquire_many_owned(count(quarter)).await.ok()?;
        let spectators =
            if is_player { None } else { Some(self.of_spectators.acquire_many(count(quarter * 3)).await.ok()?) };
        let all = self.plies.acquire_many(count(self.most_plies)).await.ok()?;
        Some(Memory { _all: all, _spectators: spectators, _site: site })
    }

    fn site(&self, site: Option<ClientAddress>, share: usize) -> Arc<Semaphore> {
        let mut sites = self.of_sites.lock();
        // Permits and clients that wait for one hold their semaphore.
        sites.retain(|_, plies| Arc::strong_count(plies) > 1);
        sites.entry(site).or_insert_with(|| Arc::new(Semaphore::new(share))).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::FutureExt;

    use super::*;

    fn site(number: u8) -> ClientAddress {
        IpAddr::from([192, 0, 2, number]).into()
    }

    /// Clients that do not read keep others waiting, and not the memory growing.
    #[tokio::test]
    async fn the_messages_of_long_games_take_bounded_memory() {
        let welcomes = LongWelcomes::new(10_000);
        let enter = |from, plies| welcomes.make(Some(site(from)), true, plies, || ()).now_or_never().flatten();
        let full: Vec<_> = (0..4).map(|from| enter(from, 2_500).unwrap()).collect();
        assert!(enter(9, 1).is_none(), "it was made beyond the limit");
        drop(full);
        // A game that is longer than the limit is sent alone.
        let alone = enter(0, 20_000).unwrap();
        assert!(enter(9, 1).is_none(), "it was made beyond the limit");
        drop(alone);
        assert!(enter(9, 1).is_some());
        assert_eq!(welcomes.of_sites.lock().len(), 1, "sites without a client are forgotten");
    }

    #[tokio::test]
    async fn an_address_has_a_quarter_of_the_memory_and_spectators_leave_some_to_players() {
        let welcomes = LongWelcomes::new(10_000);
        let enter = |from, is_player, plies| {
            welcomes.make(Some(site(from)), is_player, plies, || ()).now_or_never().flatten().map(|((), memory)| memory)
        };
        let mut held = vec![enter(0, false, 2_000).unwrap()];
        assert!(enter(0, false, 600).is_none() && enter(0, true, 600).is_none(), "the share of the address is used up");
        held.push(enter(1, false, 2_500).unwrap());
        held.push(enter(2, false, 2_500).unwrap());
        assert!(enter(3, false, 1_000).is_none(), "spectators use up the share of players");
        assert!(enter(3, true, 2_500).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_does_not_wait_for_ever_for_others_to_read() {
        let welcomes = LongWelcomes::new(10_000);
        let _held = welcomes.make(Some(site(0)), true, 2_500, || ()).await.unwrap();
        assert!(welcomes.make(Some(site(0)), true, 2_500, || ()).await.is_none());
        assert!(welcomes.make(Some(site(1)), true, 2_500, || ()).await.is_some());
    }
}
