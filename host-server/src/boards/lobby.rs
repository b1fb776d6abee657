use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;

use super::paired::Paired;
use super::registry::{BoardError, Registry};
use crate::relay::Relay;
use crate::room::{Code, Name};
use crate::store::{Drawer, StoreError};
use crate::tongue::board::Record;

/// What is known is good for so long, however many ask.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// What everybody may know of boards: which of them wait for somebody to play with.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    known: Mutex<Option<(Instant, Vec<Waiting>)>>,
}

/// A board that waits for somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Waiting {
    pub(crate) name: Name,
    /// What one says to play with whoever sits at it.
    pub(crate) code: Code,
}

/// What a board is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// It is connected.
    pub(crate) is_online: bool,
    /// Somebody who comes can have a game.
    pub(crate) is_free: bool,
    /// A game with somebody elsewhere is going on.
    pub(crate) is_playing: bool,
}

impl Lobby {
    /// All boards that are connected and free.
    pub(crate) async fn waiting(&self, registry: &Registry, relay: &Relay) -> Result<Vec<Waiting>, StoreError> {
        let mut known = self.known.lock().await;
        if let Some((since, waiting)) = &*known
            && since.elapsed() < FRESH_FOR
        {
            return Ok(waiting.clone());
        }
        let mut waiting = Vec::new();
        for board in registry.list().await? {
            let standing = registry.standing(&board, Some(relay)).await?;
            if standing.is_online && standing.is_free {
                waiting.push(Waiting { name: board.name, code: board.code });
            }
        }
        *known = Some((Instant::now(), waiting.clone()));
        Ok(waiting)
    }
}

impl Registry {
    /// What a board is doing. Only a relay knows which relays are alive; without one, what the last one wrote is believed.
    pub(crate) async fn standing(&self, board: &Paired, relay: Option<&Relay>) -> Result<Standing, StoreError> {
        let record = self.store().read(Drawer::Sessions, &board.id().to_string()).await?;
        let Some(record) = record.and_then(|record| serde_json::from_slice::<Record>(&record.bytes).ok()) else {
            return Ok(Standing::default());
        };
        let is_online = record.relay().is_some_and(|id| relay.is_none_or(|relay| relay.is_alive(id)));
        let (is_free, is_playing) = record.engagement().unwrap_or_default();
        Ok(Standing { is_online, is_free, is_playing })
    }

    /// The same for one who is to play: it has to be there, and free.
    pub(crate) async fn ready(&self, name: &str, relay: Option<&Relay>) -> Result<Paired, BoardError> {
        let found = self.read(name).await?;
        let (board, _) = found.ok_or_else(|| BoardError::Unknown(name.to_owned()))?;
        let standing = self.standing(&board, relay).await?;
        if !standing.is_online {
            return Err(BoardError::Offline(board.name));
        }
        if !standing.is_free {
            return Err(BoardError::Busy(board.name));
        }
        Ok(board)
    }
}
