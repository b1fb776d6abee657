use std::time::Duration;

use rules::Start;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use tokio::time::Instant;
use wire::link::features;

use super::paired::{ChallengePolicy, Paired};
use super::registry::{BoardError, Registry};
use super::status::Status;
use crate::relay::Relay;
use crate::room::{Code, Name, Room, UserId};
use crate::store::{Collection, StoreError};

/// How long the lists are cached, so that many requests cost one scan of the store.
const CACHE_FOR: Duration = Duration::from_secs(1);

/// The public lists of boards, cached.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    known: Mutex<Option<(Instant, PublicBoards)>>,
}

/// The boards that everyone may challenge.
#[derive(Clone, Debug, Default)]
pub(crate) struct PublicBoards {
    /// Those that are connected and free.
    pub(crate) waiting: Vec<Waiting>,
    /// All of them, also busy and offline ones, whose games can be looked at.
    pub(crate) all: Vec<Listed>,
}

/// A board whose games are public. Its code is no secret: the lobby shows it whenever the board is free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Listed {
    pub(crate) name: Name,
    pub(crate) code: Code,
}

/// A board that is connected and free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Waiting {
    pub(crate) name: Name,
    /// The code of the board's room.
    pub(crate) code: Code,
    /// Whether it can be challenged: after a game its pieces have to be set up first.
    pub(crate) set_up: bool,
}

/// Whether a board can play now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent answers about one board")]
pub(crate) struct Standing {
    pub(crate) is_online: bool,
    pub(crate) is_free: bool,
    pub(crate) is_set_up: bool,
    pub(crate) is_playing: bool,
    /// Its seat in a room.
    pub(crate) seat: Option<StoredSeat>,
    /// Which rules it can play besides chess.
    pub(crate) features: u32,
}

impl Standing {
    /// Whether its player can be asked now. An older board asks nothing and follows every challenge, also after a game.
    pub(crate) const fn can_ask(&self) -> bool {
        self.is_set_up || self.features & features::CHALLENGES == 0
    }
}

/// What the stored session of a board says about it.
#[derive(Debug, Default, Deserialize)]
struct StoredStanding {
    #[serde(flatten)]
    status: Status,
    #[serde(default)]
    seat: Option<StoredSeat>,
}

/// The seat of a board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct StoredSeat {
    /// The code of the room.
    pub(crate) code: Code,
    /// The public id of the board in the room.
    pub(crate) user: UserId,
    /// The token of the seat.
    pub(crate) token: String,
}

impl Lobby {
    /// Drops the cached lists, so that a test need not wait for it to expire.
    #[cfg(test)]
    pub(crate) async fn expire(&self) {
        *self.known.lock().await = None;
    }

    pub(crate) async fn boards(&self, registry: &Registry, relay: &Relay) -> Result<PublicBoards, StoreError> {
        let mut known = self.known.lock().await;
        if let Some((since, boards)) = &*known
            && since.elapsed() < CACHE_FOR
        {
            return Ok(boards.clone());
        }
        let mut boards = PublicBoards::default();
        for board in registry.list().await? {
            if board.challenges != ChallengePolicy::Everyone {
                continue;
            }
            let standing = registry.standing(&board, Some(relay)).await?;
            boards.all.push(Listed { name: board.name.clone(), code: board.code.clone() });
            if standing.is_online && standing.is_free {
                boards.waiting.push(Waiting { set_up: standing.can_ask(), name: board.name, code: board.code });
            }
        }
        *known = Some((Instant::now(), boards.clone()));
        Ok(boards)
    }
}

impl Registry {
    /// Whether a board is connected, free or playing. Only a relay knows which relays are alive; without one, the stored
    /// connection is trusted.
    pub(crate) async fn standing(&self, board: &Paired, relay: Option<&Relay>) -> Result<Standing, StoreError> {
        let record = self.store().read(Collection::Sessions, &board.id().to_string()).await?;
        let session = record.and_then(|record| serde_json::from_slice(&record.bytes).ok());
        let StoredStanding { status, seat } = session.unwrap_or_default();
        let Status { relay: connected, is_free, is_set_up, is_playing, features } = status;
        let is_online = connected.is_some_and(|id| relay.is_none_or(|relay| relay.is_alive(id)));
        Ok(Standing { is_online, is_free, is_set_up, is_playing, seat, features })
    }

    /// The room with a code. A running relay replays its log apart from the connections.
    pub(super) async fn room(&self, code: &Code, relay: Option<&Relay>) -> Result<Option<Room>, StoreError> {
        match relay {
            Some(relay) => relay.look(code).await,
            None => match self.store().find(code).await? {
                Some(room) => Ok(Room::from_log(&self.store().load(room, 0).await?)),
                None => Ok(None),
            },
        }
    }

    /// The opponent of a board in its room.
    pub(crate) async fn opponent(&self, seat: &StoredSeat, relay: Option<&Relay>) -> Result<Option<Name>, StoreError> {
        let Some(room) = self.room(&seat.code, relay).await? else { return Ok(None) };
        let opponent = room.seat_of(&seat.user).and_then(|color| room.seat(!color));
        Ok(opponent.map(|seated| seated.player.name.clone()))
    }

    /// The board with a name or a permanent code, if a player who knows only that may challenge it now.
    pub(crate) async fn challengeable(&self, name: &str, start: &Start, relay: &Relay) -> Result<Paired, BoardError> {
        let found = self.read(name).await?;
        if found.is_none()
            && let Ok(code) = name.parse()
            && let Some(board) = self.with_code(&code).await?
        {
            // Who has the link may challenge it, unless its owner has switched challenges off.
            return match board.challenges {
                ChallengePolicy::Off => Err(BoardError::Refuses(board.name)),
                ChallengePolicy::Everyone | ChallengePolicy::Link => {
                    self.ready(board.name.as_str(), start, Some(relay)).await
                }
            };
        }
        match found.map(|(board, _)| (board.challenges, board.name)) {
            // The same answer as for an unknown board, so that names cannot be probed.
            Some((ChallengePolicy::Link, _)) => return Err(BoardError::Unknown(name.to_owned())),
            Some((ChallengePolicy::Off, name)) => return Err(BoardError::Refuses(name)),
            Some((ChallengePolicy::Everyone, _)) | None => {}
        }
        self.ready(name, start, Some(relay)).await
    }

    /// The same, if its player can be asked now. Without pieces on their squares no light could ask.
    pub(crate) async fn askable(&self, name: &str, start: &Start, relay: &Relay) -> Result<Paired, BoardError> {
        let board = self.challengeable(name, start, relay).await?;
        let standing = self.standing(&board, Some(relay)).await?;
        if standing.can_ask() { Ok(board) } else { Err(BoardError::NotSetUp(board.name)) }
    }

    /// The board with a name, if it is connected and free, and can play from this start.
    pub(crate) async fn ready(&self, name: &str, start: &Start, relay: Option<&Relay>) -> Result<Paired, BoardError> {
        let found = self.read(name).await?;
        let (board, _) = found.ok_or_else(|| BoardError::Unknown(name.to_owned()))?;
        let standing = self.standing(&board, relay).await?;
        if !standing.is_online {
            return Err(BoardError::Offline(board.name));
        }
        if !standing.is_free {
            return Err(BoardError::Busy(board.name));
        }
        if start.feature() & !standing.features != 0 {
            return Err(BoardError::Rules(board.name, start.name()));
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, mpsc};

    use tokio::task::yield_now;

    use super::*;
    use crate::room::Terms;
    use crate::store::memory::Memory;

    /// While both threads for long work are busy, nothing is replayed, and the only thread of the runtime is free.
    #[tokio::test]
    async fn the_game_of_a_board_is_replayed_apart_from_the_connections() {
        let store = Arc::new(Memory::default());
        let (relay, registry) = (Relay::new(store.clone()), Registry::new(store));
        let code: Code = "hall".parse().unwrap();
        relay.open(&code, Terms::default()).await.unwrap();
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(Mutex::new(released));
        let busy: Vec<_> = (0..2)
            .map(|_| {
                let (relay, released) = (relay.clone(), released.clone());
                tokio::spawn(async move { relay.replay(move || released.lock().unwrap().recv()).await })
            })
            .collect();
        yield_now().await;
        let seat = StoredSeat { code: code.clone(), user: crate::random::user_id(), token: String::new() };
        let looking = tokio::spawn({
            let (relay, registry) = (relay.clone(), registry.clone());
            async move { registry.opponent(&seat, Some(&relay)).await }
        });
        let checking = tokio::spawn(async move { registry.check_free_seat(&code, Some(&relay)).await });
        for _ in 0..1_000 {
            yield_now().await;
        }
        assert!(!looking.is_finished() && !checking.is_finished(), "it was replayed outside the pool");
        drop(release);
        for task in busy {
            assert!(task.await.unwrap().is_err(), "the channel is closed");
        }
        assert_eq!(looking.await.unwrap(), Ok(None));
        assert!(checking.await.unwrap().is_ok());
    }
}
