use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use wire::link::BoardId;

use super::paired::Paired;
use super::registry::Registry;
use crate::room::Name;
use crate::store::StoreError;

/// Minimum interval between two scans of the registry because of unknown ids. Lookups wait for it.
const SCAN_INTERVAL: Duration = Duration::from_millis(500);

/// A cache that maps link ids to names, since boards are stored by name.
#[derive(Debug, Default)]
pub(crate) struct Index {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    names: HashMap<BoardId, Name>,
    looked: Option<Instant>,
}

impl Index {
    /// Invalidates the cache after a change of the registry.
    pub(crate) async fn look_again(&self) {
        self.known.lock().await.looked = None;
    }

    /// The board with an id, read from the store.
    pub(crate) async fn find(&self, id: BoardId, registry: &Registry) -> Result<Option<Paired>, StoreError> {
        loop {
            let Some((name, is_cached)) = self.name(id, registry).await? else { return Ok(None) };
            // The board may have been removed, renamed, or replaced by another one of that name.
            let board = registry.read(name.as_str()).await?.and_then(|(board, _)| board.under(id));
            if board.is_some() || !is_cached {
                return Ok(board);
            }
            self.known.lock().await.names.remove(&id);
        }
    }

    /// The name of the board with an id, and whether it is from an earlier scan of the registry.
    async fn name(&self, id: BoardId, registry: &Registry) -> Result<Option<(Name, bool)>, StoreError> {
        let since = Instant::now();
        loop {
            let mut known = self.known.lock().await;
            let name = known.names.get(&id).cloned();
            let is_new = known.looked.is_some_and(|looked| looked >= since);
            if name.is_some() || is_new {
                return Ok(name.map(|name| (name, !is_new)));
            }
            let wait = known.looked.map_or(Duration::ZERO, |looked| SCAN_INTERVAL.saturating_sub(looked.elapsed()));
            if wait.is_zero() {
                let looked = Instant::now();
                let boards = registry.list().await?;
                known.names = boards
                    .into_iter()
                    .flat_map(|board| board.ids().map(|id| (id, board.name.clone())).collect::<Vec<_>>())
                    .collect();
                known.looked = Some(looked);
            } else {
                // The board may have been paired just now, through another relay or the command line.
                drop(known);
                sleep(wait).await;
            }
        }
    }
}
