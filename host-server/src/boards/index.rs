use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use wire::link::BoardId;

use super::paired::Paired;
use super::registry::Registry;
use crate::room::Name;
use crate::store::StoreError;

/// Ids that nobody knows make us look through all boards no more often than this, whoever tries them. They wait for it.
const PATIENCE: Duration = Duration::from_millis(500);

/// Finds a board by the id with which it knocks. Boards are kept by name, so this is a copy, and looks again when it has to.
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
    /// Another board is there.
    pub(crate) async fn look_again(&self) {
        self.known.lock().await.looked = None;
    }

    /// The board, as it is in the store now.
    pub(crate) async fn find(&self, id: BoardId, registry: &Registry) -> Result<Option<Paired>, StoreError> {
        let since = Instant::now();
        let name = loop {
            let mut known = self.known.lock().await;
            let name = known.names.get(&id).cloned();
            if name.is_some() || known.looked.is_some_and(|looked| looked >= since) {
                break name;
            }
            let wait = known.looked.map_or(Duration::ZERO, |looked| PATIENCE.saturating_sub(looked.elapsed()));
            if wait.is_zero() {
                let looked = Instant::now();
                let boards = registry.list().await?;
                known.names = boards.into_iter().map(|board| (board.id(), board.name)).collect();
                known.looked = Some(looked);
            } else {
                // It may have been paired just now, through another relay or by a command.
                drop(known);
                sleep(wait).await;
            }
        };
        let Some(name) = name else { return Ok(None) };
        // It may have been removed, or there may be another one of that name.
        let board = registry.read(name.as_str()).await?.map(|(board, _)| board);
        Ok(board.filter(|board| board.id() == id))
    }
}
