//! Reserved codes: under which codes a client may open a room.
//!
//! A code that people chose may be used again when its room is closed. A generated code may not: it is the permanent link to
//! what was played under it, or to a board.

use super::lobby::Standing;
use super::paired::Paired;
use super::registry::Registry;
use crate::relay::Relay;
use crate::room::{Code, Name};
use crate::store::StoreError;

/// A board whose room is not open, although its code is valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BoardAway {
    #[error("The board {0} is not connected. Its game opens when it is.")]
    Offline(Name),
    #[error("The board {0} is in another game.")]
    Busy(Name),
}

/// Fewest digits of a code of digits that counts as generated: such codes are random numbers of 64 bits.
const GENERATED_DIGITS: usize = 15;

fn is_generated(code: &Code) -> bool {
    let digits = code.as_str().as_bytes();
    crate::random::is_drawn(code) || digits.len() >= GENERATED_DIGITS && digits.iter().all(u8::is_ascii_digit)
}

impl Registry {
    /// Whether a room may be opened under this code: by a board under its own code, and otherwise if the code is not one that
    /// the relay generated for a board or for an earlier room whose games are still stored.
    pub(crate) async fn may_open(&self, code: &Code, opener: Option<&Paired>) -> Result<bool, StoreError> {
        if !is_generated(code) || opener.is_some_and(|board| board.code == *code) {
            return Ok(true);
        }
        Ok(self.store().find(code).await?.is_none() && self.with_code(code).await?.is_none())
    }

    /// The board whose permanent code this is.
    pub(crate) async fn with_code(&self, code: &Code) -> Result<Option<Paired>, StoreError> {
        if !crate::random::is_drawn(code) {
            return Ok(None);
        }
        Ok(self.list().await?.into_iter().find(|board| board.code == *code))
    }

    /// Why a board is not in the room of its code.
    pub(crate) async fn why_away(&self, board: Paired, relay: &Relay) -> Result<BoardAway, StoreError> {
        let Standing { is_online, .. } = self.standing(&board, Some(relay)).await?;
        Ok(if is_online { BoardAway::Busy(board.name) } else { BoardAway::Offline(board.name) })
    }
}
