//! Reserved codes: under which codes a client may open a room.
//!
//! A code that people chose may be used again when its room is closed. A generated code may not: it is the permanent link to
//! what was played under it, or to a board.

use super::lobby::Standing;
use super::paired::{ChallengePolicy, Paired};
use super::registry::Registry;
use crate::relay::{Claim, Relay};
use crate::room::{Code, Fact, Name};
use crate::store::StoreError;

/// A board whose room is not open for a player, although its code is valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BoardAway {
    #[error("The board {0} is not connected. Its game opens when it is.")]
    Offline(Name),
    #[error("The board {0} is in another game.")]
    Busy(Name),
    #[error("The board {0} accepts no challenges.")]
    Refuses(Name),
}

/// Fewest digits of a code of digits that counts as generated: such codes are random numbers of 64 bits.
const GENERATED_DIGITS: usize = 15;

/// Length of the links that the interface of the chess board game builder draws. People choose codes of this length, too.
const LINK_LENGTH: usize = 8;

fn is_generated(code: &Code) -> bool {
    let digits = code.as_str().as_bytes();
    crate::random::is_drawn(code) || digits.len() >= GENERATED_DIGITS && digits.iter().all(u8::is_ascii_digit)
}

fn may_be_link(code: &Code) -> bool {
    code.as_str().len() == LINK_LENGTH && code.as_str().bytes().all(|letter| letter.is_ascii_alphanumeric())
}

impl Registry {
    /// Whether a room may be opened under this code: by a board under its own code, and otherwise if the code is not one that
    /// the relay generated for a board or for an earlier room whose games are still stored.
    pub(crate) async fn may_open(&self, code: &Code, opener: Option<&Paired>) -> Result<bool, StoreError> {
        if opener.is_some_and(|board| board.code == *code) {
            return Ok(true);
        }
        if may_be_link(code) {
            return Ok(!self.had_script(code).await?);
        }
        if !is_generated(code) {
            return Ok(true);
        }
        Ok(self.store().find(code).await?.is_none() && self.with_code(code).await?.is_none())
    }

    /// Whether a game by a script was the last one under this code. Only rooms under drawn codes and links have scripts.
    async fn had_script(&self, code: &Code) -> Result<bool, StoreError> {
        let Some(room) = self.store().find(code).await? else { return Ok(false) };
        let first = self.store().page(room, 0, 1).await?;
        Ok(first
            .first()
            .is_some_and(|entry| matches!(&entry.fact, Fact::Opened { terms, .. } if terms.script.is_some())))
    }

    /// The board whose permanent code this is.
    pub(crate) async fn with_code(&self, code: &Code) -> Result<Option<Paired>, StoreError> {
        if !crate::random::is_drawn(code) {
            return Ok(None);
        }
        Ok(self.list().await?.into_iter().find(|board| board.code == *code))
    }

    /// Why a player may not enter the room of this code, if it is that of a board which accepts no challenges. Spectators may
    /// still come in, and a player who has a seat may return.
    pub(crate) async fn refusal(&self, code: &Code, claim: &Claim) -> Result<Option<BoardAway>, StoreError> {
        if !matches!(claim, Claim::Play(_) | Claim::Sit(_)) {
            return Ok(None);
        }
        let board = self.with_code(code).await?;
        let refusing = board.filter(|board| board.challenges == ChallengePolicy::Off);
        Ok(refusing.map(|board| BoardAway::Refuses(board.name)))
    }

    /// Why a board is not in the room of its code.
    pub(crate) async fn why_away(&self, board: Paired, relay: &Relay) -> Result<BoardAway, StoreError> {
        let Standing { is_online, .. } = self.standing(&board, Some(relay)).await?;
        Ok(if is_online { BoardAway::Busy(board.name) } else { BoardAway::Offline(board.name) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::room::{ScriptTerms, Terms};
    use crate::scripts::Scripts;
    use crate::scripts::race::{RACE, Race};
    use crate::store::memory::Memory;

    #[tokio::test]
    async fn a_link_of_a_game_by_a_script_is_not_opened_again() {
        let relay = Relay::new(Arc::new(Memory::default()));
        relay.execute_scripts(Scripts::new(Race::default()));
        let registry = Registry::new(relay.store().clone());
        let start = relay.try_script(RACE).await.unwrap();
        let script = ScriptTerms { id: crate::relay::script_id(RACE), name: "script".to_owned(), start };
        let [link, chosen, unused]: [Code; 3] = ["a7Kq0ZpB", "FRIDAY12", "FRIDAY13"].map(|code| code.parse().unwrap());
        relay.open(&link, Terms::default().by_script(script)).await.unwrap();
        relay.open(&chosen, Terms::default()).await.unwrap();
        assert!(!registry.may_open(&link, None).await.unwrap());
        assert!(registry.may_open(&chosen, None).await.unwrap(), "people have chosen it");
        assert!(registry.may_open(&unused, None).await.unwrap());
    }
}
