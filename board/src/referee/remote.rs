//! Events that arrive over the link.

use rules::Ply;
use wire::link::Event;

use super::{Effects, Referee, Takeback};
use crate::time::Instant;

impl Referee {
    /// Applies an event of the remote opponent. The relay has checked it, but it is checked here again: what the rules do not allow
    /// is ignored.
    pub fn apply(&mut self, event: Event, now: Instant) -> Effects {
        let mut effects = Effects::default();
        match event {
            Event::Moved { number, ply, .. } => {
                self.apply_ply(number, ply, now);
            }
            Event::Resigned { color } => {
                let ended = self.play.resign(color).is_ok();
                self.apply_end(ended, now);
            }
            Event::Ended { verdict } => {
                let ended = self.play.end(verdict).is_ok();
                self.apply_end(ended, now);
            }
            Event::DrawOffered { color } => self.draw_offer = Some(color),
            Event::DrawAnswered { accepted } => {
                self.draw_offer = None;
                let ended = accepted && self.play.agree_draw().is_ok();
                self.apply_end(ended, now);
            }
            Event::DrawClaimed { claim, with } => {
                let ended = self.play.claim_draw(claim, with).is_ok();
                self.apply_end(ended, now);
            }
            Event::TakebackAsked { plies } => self.takeback = Some(Takeback { asked_here: false, plies }),
            Event::TakebackAnswered { accepted } => match self.takeback.take() {
                Some(Takeback { asked_here: true, plies }) if accepted => self.take_back(plies, now),
                // Declined: the lights guide the pieces back.
                _ => self.settle(now),
            },
            Event::TakenBack { plies } => self.take_back(plies, now),
            Event::Corrected { number } if usize::from(number).checked_add(1) == Some(self.play.len()) => {
                self.take_back(1, now);
            }
            Event::Hints { on } => self.hints = on,
            // A correction of a ply that is not the last one comes too late. Only boards answer challenges.
            Event::Corrected { .. } | Event::ChallengeAnswered { .. } => {}
        }
        self.note_stance(now);
        self.check_clock(now, &mut effects);
        effects
    }

    /// Applies an event to the game alone, without lights or offers: for events of this board that a loaded game does not include yet. An
    /// event that the rules do not allow is ignored.
    pub(crate) fn replay(&mut self, event: Event) {
        let play = &mut self.play;
        // Events that do not change the game, like an offer, have no effect here.
        let _ignored = match event {
            Event::Moved { number, ply, .. } if usize::from(number) == play.len() => play.play(ply).is_ok(),
            Event::TakenBack { plies } => (0..plies).all(|_| play.take_back().is_some()),
            Event::Corrected { number } if usize::from(number).checked_add(1) == Some(play.len()) => {
                play.take_back().is_some()
            }
            Event::Resigned { color } => play.resign(color).is_ok(),
            Event::DrawAnswered { accepted: true } => play.agree_draw().is_ok(),
            Event::DrawClaimed { claim, with } => play.claim_draw(claim, with).is_ok(),
            Event::Ended { verdict } => play.end(verdict).is_ok(),
            _ => false,
        };
    }

    /// Plays a ply that was not made on this board, and has it shown. Returns whether it was possible.
    pub(super) fn apply_ply(&mut self, number: u16, ply: Ply, now: Instant) -> bool {
        let earlier = self.play.position();
        if usize::from(number) != self.play.len() || self.play.play(ply).is_err() {
            return false;
        }
        self.draw_offer = None;
        self.takeback = None;
        self.sent = false;
        self.press_clock(earlier.situation().to_move(), now);
        let made = earlier.situation().made_footprint(ply);
        let changes_pieces = made.is_none_or(|made| (made.lifts | made.places | made.captured).any());
        match (changes_pieces, self.to_make) {
            (true, None) => {
                self.before = Some((earlier, ply));
                self.to_make = Some(ply);
            }
            (true, Some(_)) => {
                self.before = Some((earlier, ply));
                // The board is more than one ply behind: the lights guide to the position, not ply by ply.
                self.to_make = None;
                self.arranged = false;
            }
            // A promotion that is a ply of its own: no piece has to be moved for it.
            (false, None) => self.before = Some((earlier, ply)),
            // The ply before it is still shown, and leads to the same squares.
            (false, Some(_)) => {}
        }
        self.settle(now);
        true
    }

    fn apply_end(&mut self, ended: bool, now: Instant) {
        if ended {
            self.stop_clock(now);
            self.settle(now);
        }
    }
}
