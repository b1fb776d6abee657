//! Turns of a told game. Each of them replaces the game in memory, together with the ply that led to it.

use rules::{Play, Ply};
use wire::link::GameInfo;

use super::Referee;
use crate::offers::Offers;
use crate::time::Instant;

/// What was known of a told game before its next turn was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    plies: usize,
    last: Option<Ply>,
}

impl Known {
    /// Nothing for a game that is not told.
    pub(crate) fn of(play: &Play) -> Option<Self> {
        play.is_told().then(|| Self { plies: play.len(), last: play.last() })
    }
}

impl Referee {
    /// The next turn of the same told game was loaded into [`Referee::loading`]. Unlike [`Referee::resume`] it keeps the clock, the touches and
    /// open offers.
    pub(crate) fn resume_told(&mut self, known: Known, info: &GameInfo, now: Instant) {
        self.seat = info.seat;
        self.hints = info.hints;
        let is_known = |plies: usize, last: Option<Ply>| Known { plies, last } == known;
        let before_last = self.play.len().checked_sub(1);
        let is_same = is_known(self.play.len(), self.play.last());
        let follows = before_last.is_some_and(|plies| {
            let last = self.play.plies_from(0).take(plies).next_back();
            is_known(plies, last)
        });
        if !is_same {
            self.offers = Offers::NONE;
        }
        self.look_back();
        match self.before.known() {
            _ if is_same => {}
            // As an event of the opponent would do.
            Some((earlier, ply)) if follows && !self.seat.has(earlier.situation().to_move()) => {
                let was_made = self.to_make.is_none();
                self.to_make = was_made.then_some(ply);
                self.arranged &= was_made;
            }
            // The lights guide the pieces to the position.
            _ => {
                self.to_make = None;
                self.arranged = false;
            }
        }
        let to_move = self.play.to_move();
        let ended = self.play.verdict().is_some();
        if let Some(clock) = &mut self.clock {
            if ended {
                clock.stop(now);
            } else if clock.running().is_some_and(|running| running != to_move) {
                // The relay reports the exact times after the turn.
                clock.hand_over(to_move, now);
            }
        }
        self.settle(now);
        self.note_stance(now);
    }

    /// The ply of the remote opponent comes together with the turn after it. If the pieces still stand as before the ply, it is shown until it
    /// is made.
    pub(super) fn show_told_ply(&mut self) {
        if let Some((earlier, ply)) = self.before.known()
            && self.to_make.is_none()
            && self.play.is_told()
            && !self.seat.has(earlier.situation().to_move())
            && earlier.situation().occupied() == self.hand.occupied()
        {
            self.to_make = Some(ply);
        }
    }

    /// The same while the pieces are brought to the position, or after a start, when the switches are read one after the other.
    pub(super) fn find_told_ply(&mut self, now: Instant) {
        if !self.arranged && self.to_make.is_none() {
            self.show_told_ply();
            if self.to_make.is_some() {
                self.settle(now);
            }
        }
    }
}
