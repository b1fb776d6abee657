//! The list of the games of each board, by the code of the board.

use rules::Verdict;
use serde::{Deserialize, Serialize};

use super::registry::Registry;
use crate::room::{Code, Name, Room, RoomId, verdict_or_none};
use crate::store::{Collection, StoreError};

/// Maximum number of games in the list of a board. The oldest are removed first.
const MOST: usize = 300;

/// How many of the oldest games are looked up when one is added: those that the store has not kept are removed.
const PRUNED: usize = 4;

/// A game of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedGame {
    pub(crate) code: Code,
    pub(crate) room: RoomId,
    /// The number of the game in the room, from 1.
    pub(crate) game: u32,
    /// When it was added, in seconds since 1970.
    pub(crate) on: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) white: Option<Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) black: Option<Name>,
    pub(crate) plies: usize,
    /// How it ended; `None` while it is played, or if the board was not connected at its end.
    #[serde(default, rename = "ending", with = "verdict_or_none")]
    pub(crate) verdict: Option<Verdict>,
}

impl ListedGame {
    /// The current or last game of a room.
    pub(crate) fn of(room: &Room, on: u64) -> Self {
        let name = |color| room.seat(color).map(|seated| seated.player.name.clone());
        Self {
            code: room.code().clone(),
            room: room.id(),
            game: room.games(),
            on,
            white: name(chess::Color::White),
            black: name(chess::Color::Black),
            plies: room.game().len(),
            verdict: room.verdict(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.room, self.game) == (other.room, other.game)
    }
}

impl Registry {
    /// The games of the board with this code, the newest first.
    pub(crate) async fn games(&self, board: &Code) -> Result<Vec<ListedGame>, StoreError> {
        let mut games = self.listed(board).await?.1;
        games.reverse();
        Ok(games)
    }

    /// Adds a game to the list of a board, or updates it.
    pub(crate) async fn list_game(&self, board: &Code, game: &ListedGame) -> Result<(), StoreError> {
        loop {
            let (version, mut games) = self.listed(board).await?;
            match games.iter_mut().find(|listed| listed.is_same(game)) {
                Some(listed) if listed.plies == game.plies && listed.verdict == game.verdict => return Ok(()),
                Some(listed) => *listed = ListedGame { on: listed.on, ..game.clone() },
                None => {
                    self.prune(&mut games).await?;
                    games.push(game.clone());
                }
            }
            let bytes = serde_json::to_vec(&games).map_err(|error| StoreError::Corrupt(error.to_string()))?;
            if self.store().write(Collection::BoardGames, board.as_str(), version, &bytes).await?.is_some() {
                return Ok(());
            }
        }
    }

    async fn listed(&self, board: &Code) -> Result<(u64, Vec<ListedGame>), StoreError> {
        let Some(record) = self.store().read(Collection::BoardGames, board.as_str()).await? else {
            return Ok((0, Vec::new()));
        };
        let games = serde_json::from_slice(&record.bytes)
            .map_err(|error| StoreError::Corrupt(format!("games of the board {board}: {error}")))?;
        Ok((record.version, games))
    }

    /// Removes games that are not stored any more.
    async fn prune(&self, games: &mut Vec<ListedGame>) -> Result<(), StoreError> {
        games.drain(..games.len().saturating_sub(MOST - 1));
        for _ in 0..PRUNED {
            let Some(oldest) = games.first() else { return Ok(()) };
            if !self.store().page(oldest.room, 0, 1).await?.is_empty() {
                return Ok(());
            }
            games.remove(0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rules::Why;

    use super::*;
    use crate::relay::Relay;
    use crate::room::Terms;
    use crate::store::memory::Memory;

    async fn game_in(relay: &Relay, code: &str) -> ListedGame {
        let code: Code = code.parse().unwrap();
        relay.open(&code, Terms::default()).await.unwrap();
        let room = relay.find(&code).await.unwrap().unwrap();
        ListedGame { code, room, game: 1, on: 5, white: None, black: None, plies: 2, verdict: None }
    }

    #[tokio::test]
    async fn a_game_is_listed_once_and_updated() {
        let store = Arc::new(Memory::default());
        let (registry, relay) = (Registry::new(store.clone()), Relay::new(store));
        let board: Code = "BOARD".parse().unwrap();
        assert!(registry.games(&board).await.unwrap().is_empty());
        let first = game_in(&relay, "FIRST").await;
        let second = game_in(&relay, "SECOND").await;
        for game in [&first, &second, &first] {
            registry.list_game(&board, game).await.unwrap();
        }
        let over = ListedGame { plies: 9, verdict: Some(Verdict::Drawn(Why::Agreement)), on: 77, ..first.clone() };
        registry.list_game(&board, &over).await.unwrap();
        let games = registry.games(&board).await.unwrap();
        assert_eq!(games, [second, ListedGame { on: 5, ..over }]);
    }

    #[tokio::test]
    async fn games_that_are_not_stored_any_more_and_too_many_ones_are_removed() {
        let store = Arc::new(Memory::default());
        let (registry, relay) = (Registry::new(store.clone()), Relay::new(store));
        let board: Code = "BOARD".parse().unwrap();
        let gone = ListedGame { room: RoomId(1), ..game_in(&relay, "GONE").await };
        let kept = game_in(&relay, "KEPT").await;
        for game in [&gone, &kept] {
            registry.list_game(&board, game).await.unwrap();
        }
        assert_eq!(registry.games(&board).await.unwrap(), std::slice::from_ref(&kept));
        for number in 2..u32::try_from(MOST).unwrap() + 9 {
            registry.list_game(&board, &ListedGame { game: number, ..kept.clone() }).await.unwrap();
        }
        let games = registry.games(&board).await.unwrap();
        assert_eq!((games.len(), games[0].game), (MOST, u32::try_from(MOST).unwrap() + 8));
    }
}
