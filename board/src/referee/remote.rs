//! Events that arrive over the link.

use rules::{Footprint, Ply};
use wire::link::Event;

use super::before::Before;
use super::{Effects, Referee};
use crate::offers::{Change, Offers};
use crate::time::Instant;

impl Referee {
    /// Applies an event of the remote opponent. The relay has checked it, but it is checked here again: what the rules do not allow
    /// is ignored.
    pub fn apply(&mut self, event: Event, now: Instant) -> Effects {
        let mut effects = Effects::default();
        self.rewind_now(now);
        match self.offers.apply(event, &self.play, false) {
            Change::Ply(ply) => {
                self.apply_ply(ply, now);
            }
            Change::TakeBack(plies) => self.take_back(plies, now),
            Change::End(verdict) => {
                if self.play.end(verdict).is_ok() {
                    self.stop_clock(now);
                    self.settle(now);
                }
            }
            // The lights guide the pieces back.
            Change::TakebackDeclined => self.settle(now),
            Change::Hints(on) => self.hints = on,
            Change::Nothing | Change::Impossible => {}
        }
        self.note_stance(now);
        self.check_clock(now, &mut effects);
        effects
    }

    /// Applies an event to the game alone, without lights or offers: for events of this board that a loaded game does not include yet. An
    /// event that the rules do not allow is ignored.
    pub(crate) fn replay(&mut self, event: Event) {
        let game = &mut self.play;
        let _ignored = match Offers::default().apply(event, game, true) {
            Change::Ply(ply) => game.play(ply).is_ok(),
            Change::TakeBack(plies) => {
                let left = game.len().saturating_sub(plies.into());
                game.take_back_to(left);
                game.len() == left
            }
            Change::End(verdict) => game.end(verdict).is_ok(),
            Change::Nothing | Change::TakebackDeclined | Change::Hints(_) | Change::Impossible => false,
        };
    }

    /// Plays a ply that was not made on this board, and has it shown. Returns whether it was possible.
    pub(super) fn apply_ply(&mut self, ply: Ply, now: Instant) -> bool {
        let (earlier, number) = (self.play.position(), self.play.len());
        let Ok(made) = self.play.play_in_parts(ply) else { return false };
        self.offers = Offers::NONE;
        self.sent = false;
        self.press_clock(earlier.situation().to_move(), now);
        let changes = |Footprint { lifts, places, captured, .. }: Footprint| (lifts | places | captured).any();
        let changes_pieces = made.is_none_or(|made| changes(made.footprint));
        if changes_pieces || self.to_make.is_none() {
            self.before = Before::Known(earlier, ply, number);
            self.made = made;
        }
        match (changes_pieces, self.to_make) {
            (true, None) => {
                self.to_make = Some(ply);
            }
            (true, Some(_)) => {
                // The board is more than one ply behind: the lights guide to the position, not ply by ply.
                self.to_make = None;
                self.arranged = false;
            }
            // A promotion that is a ply of its own: no piece has to be moved for it.
            // Or the ply before it is still shown, and leads to the same squares.
            (false, _) => {}
        }
        self.settle(now);
        true
    }
}
