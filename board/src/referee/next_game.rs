//! After the end of a game, pieces on the start squares start the next one.
//!
//! The hand reads the start position from touches. That is not enough: a game can end on the start squares, and pieces can be set up while the
//! power is off. So what is occupied decides, without any touch.

use chess::Bitboard;
use rules::Verdict;

use super::{Effects, Referee};
use crate::hand::START;
use crate::time::Instant;

/// How long the result of a game that ended on the start squares is shown if no piece is touched, in milliseconds.
const RESULT_SHOWN: u64 = 10_000;

/// What has happened on the board since the end of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// What was occupied when the game ended.
    occupied: Bitboard,
    /// Whether a piece was moved since: the lights show the start position in place of the result.
    is_cleared: bool,
    /// Whether the pieces are set up by the players, and not as the game left them.
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
            let occupied = self.hand.occupied();
            self.ended = Some(Ended { occupied, is_cleared: false, is_touched, set_up_since: None });
        } else if let Some(ended) = &mut self.ended
            && !ended.is_cleared
        {
            // The last ply of the opponent was made on the board.
            ended.occupied = self.hand.occupied();
        }
    }

    /// The squares to fill and to clear for the next game, once a piece was moved after the end of this one.
    pub(super) fn to_set_up(&self) -> Option<(Bitboard, Bitboard)> {
        let occupied = self.hand.occupied();
        let is_cleared = self.ended.is_some_and(|ended| ended.is_cleared);
        is_cleared.then(|| (START.without(occupied), occupied.without(START)))
    }

    /// Starts the next game when the pieces have rested on the start squares.
    pub(super) fn start_next_game(&mut self, now: Instant, effects: &mut Effects) {
        let Some(ended) = &mut self.ended else { return };
        let occupied = self.hand.occupied();
        if occupied != ended.occupied && !ended.is_cleared {
            if occupied == self.play.turn().occupied() {
                // A piece that was in a hand when the game ended is back.
                ended.occupied = occupied;
            } else {
                ended.is_cleared = self.to_make.is_none();
            }
        }
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
