//! After the end of a game, pieces on the start squares start the next one.
//!
//! The hand reads the start position from touches. That is not enough: a game can end on the start squares, and pieces can be set up while the
//! power is off. So what is occupied decides, without any touch.

use rules::Verdict;

use super::{Effects, Referee};
use crate::hand::START;
use crate::time::Instant;

/// How long the result of a game that ended on the start squares is shown if no piece is touched, in milliseconds.
const RESULT_SHOWN: u64 = 10_000;

/// What has happened on the board since the end of the game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ended {
    /// Whether a player has begun to set up the pieces.
    is_touched: bool,
    /// Since when all pieces have stood on the start squares.
    set_up_since: Option<Instant>,
}

impl Referee {
    /// Notes whether the game is over. Called after every change of the game.
    pub(super) fn note_end(&mut self) {
        if self.play.verdict().is_none() {
            self.ended = None;
        } else if self.ended.is_none() {
            // A last ply of the opponent that is not yet on the board leaves the pieces on the start squares, too.
            let is_touched = self.to_make.is_none() && self.play.turn().occupied() != START;
            self.ended = Some(Ended { is_touched, set_up_since: None });
        }
    }

    /// Starts the next game when the pieces have rested on the start squares.
    pub(super) fn start_next_game(&mut self, now: Instant, effects: &mut Effects) {
        let Some(ended) = &mut self.ended else { return };
        let occupied = self.hand.occupied();
        if occupied != START {
            // A piece that was in the player's hand when the game ended is not set up, but put back.
            ended.is_touched |= ended.set_up_since.take().is_some() || occupied.without(START).any();
            return;
        }
        let since = *ended.set_up_since.get_or_insert(now);
        let has_result = !matches!(self.play.verdict(), Some(Verdict::Aborted | Verdict::Abandoned));
        let rest = if has_result && !ended.is_touched { RESULT_SHOWN } else { self.hand.settings().kings_rest };
        if now.since(since) >= rest {
            self.start_again(now, effects);
        }
    }
}
