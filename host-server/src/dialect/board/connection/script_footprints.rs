//! Requests the footprints of the moves of a turn from a script that has the rules.

use super::BoardConnection;
use crate::dialect::board::close_cause::CloseCause;
use crate::relay::ActError;
use crate::room::{Act, GameId, Phase};

/// A turn of a game, by the number of plies before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnOfGame {
    game: GameId,
    number: usize,
}

impl BoardConnection {
    /// Asks once in each turn of the board, before the turn is sent. Without an answer, as from a relay without Python, the board receives moves of
    /// one piece each, and its lights guide the other pieces afterwards.
    pub(super) async fn request_footprints(&mut self) -> Result<(), CloseCause> {
        let (Some(handle), Some(room)) = (&self.handle, &self.room) else { return Ok(()) };
        let turn = TurnOfGame { game: room.game_id(), number: room.game().len() };
        let is_own_turn = room.phase() == Phase::Playing
            && room.seat_of(&handle.participant().id) == Some(room.game().to_move())
            && self.relay_session.can_play(room.terms().start());
        if room.has_footprints() || !is_own_turn || self.footprints_requested == Some(turn) {
            return Ok(());
        }
        self.footprints_requested = Some(turn);
        match handle.act(Act::RequestFootprints { number: turn.number }).await {
            Ok(()) | Err(ActError::Refused(_)) => {}
            Err(ActError::Script(error)) => {
                tracing::info!(board = %self.board.name, %error, "script computed no footprints for the turn, sending moves of one piece");
            }
            Err(error) => return Err(error.into()),
        }
        self.look().await
    }
}
