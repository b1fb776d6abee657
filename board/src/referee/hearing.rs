//! What comes over the link becomes light, and then a game.

use chess::Game;
use wire::link::Event;

use super::{Deeds, Referee, Takeback, finish};
use crate::time::Instant;

impl Referee {
    /// Something has happened at the other end of the link.
    ///
    /// It has been judged there, but nothing is taken on trust: what the rules do not allow here is not done.
    pub fn hear(&mut self, event: Event, game: &mut Game, now: Instant) -> Deeds {
        let mut deeds = Deeds::default();
        match event {
            Event::Moved { ply, mv, .. } => self.hear_move(ply, mv, game, now),
            Event::Resigned { color } => self.hear_end(game.resign(color).is_ok(), game, now),
            Event::Ended { outcome } => {
                finish(game, outcome);
                self.hear_end(game.outcome().is_some(), game, now);
            }
            Event::DrawOffered { color } => self.draw_offer = Some(color),
            Event::DrawAnswered { accepted } => {
                self.draw_offer = None;
                if accepted {
                    self.hear_end(game.agree_draw().is_ok(), game, now);
                }
            }
            Event::DrawClaimed { claim, with } => {
                let granted = match with {
                    Some(mv) => game.claim_draw_with(mv, claim),
                    None => game.claim_draw(claim),
                };
                self.hear_end(granted.is_ok(), game, now);
            }
            Event::TakebackAsked { plies } => self.takeback = Some(Takeback { asked_here: false, plies }),
            Event::TakebackAnswered { accepted } => match self.takeback.take() {
                Some(Takeback { asked_here: true, plies }) if accepted => self.take_back(plies, game, now),
                // The wood has to be put right again.
                _ => self.settle(game, now),
            },
            Event::TakenBack { plies } => self.take_back(plies, game, now),
            Event::Hints { on } => self.hints = on,
        }
        if self.hand.stance() != self.stance {
            self.stance = self.hand.stance();
            self.stance_since = now;
        }
        self.look_at_clock(game, now, &mut deeds);
        deeds
    }

    fn hear_move(&mut self, ply: u16, mv: chess::Move, game: &mut Game, now: Instant) {
        let earlier = *game.position();
        if usize::from(ply) != game.moves().len() || game.play(mv).is_err() {
            return;
        }
        self.draw_offer = None;
        self.takeback = None;
        if let Some(clock) = &mut self.clock {
            clock.press(earlier.turn(), now);
        }
        self.before = Some((earlier, mv));
        if self.to_make.replace(mv).is_some() {
            // The wood is more than one move behind: it is not led move by move, but to the position.
            self.to_make = None;
            self.arranged = false;
        }
        self.settle(game, now);
    }

    fn hear_end(&mut self, ended: bool, game: &Game, now: Instant) {
        if ended {
            if let Some(clock) = &mut self.clock {
                clock.stop(now);
            }
            self.settle(game, now);
        }
    }
}
