//! Readings of the hand become plies, offers and results.

use chess::{Color, DrawClaim};
use rules::{Ply, Start};
use wire::link::{Event, GameInfo, Seat};

use super::{Effect, Effects, Referee};
use crate::hand::{CENTRE, KingsResult, ON_ITS_WAY, Reading};
use crate::offers::Takeback;
use crate::time::Instant;

/// How long a ply that ended the game can be taken back, in milliseconds.
const TAKEBACK_AFTER_END: u64 = 5_000;

impl Referee {
    pub(super) fn read(&mut self, reading: Reading, now: Instant, effects: &mut Effects) {
        match reading {
            Reading::PutBack => self.put_back(now),
            Reading::Moved(ply) if self.to_make == Some(ply) => {
                self.to_make = None;
                self.moved_at = now;
                self.settle(now);
            }
            Reading::Moved(ply) => self.play_here(ply, now, effects),
            Reading::MovedTwice(first, second) => self.play_all_here([first, second], now, effects),
            // A ply that ended the game is corrected only at once: later the pieces are set up again.
            Reading::Corrected(_) | Reading::CorrectedTo(_)
                if self.play.verdict().is_some() && !self.may_undo_end(now) => {}
            Reading::MovedSeveral(moves) => {
                // The opponent's ply is in the game already.
                let is_made = self.to_make.is_some_and(|ply| moves.iter().next() == Some(ply));
                if is_made {
                    self.to_make = None;
                    self.moved_at = now;
                }
                self.play_all_here(moves.iter().skip(usize::from(is_made)), now, effects);
            }
            Reading::CorrectedTo(moves) => self.correct(moves.iter(), now, effects),
            Reading::Corrected(ply) => self.correct([ply], now, effects),
            Reading::Withdrawn => self.withdraw(now, effects),
            Reading::TakenBack => self.taken_back(now, effects),
            Reading::Kings(result) => self.kings(result, now, effects),
            Reading::StartPosition => self.start_again(now, effects),
        }
    }

    /// The last ply was another one, and these are that one and what followed.
    fn correct(&mut self, plies: impl IntoIterator<Item = Ply>, now: Instant, effects: &mut Effects) {
        self.remove_plies(1, now);
        effects.send(Event::TakenBack { plies: 1 });
        self.play_all_here(plies, now, effects);
    }

    /// The pieces match the game. If they did not before, the game can start, or go on.
    fn put_back(&mut self, now: Instant) {
        if !self.arranged {
            self.moved_at = now;
            self.settle(now);
        }
    }

    /// The piece of the last ply, which was just sent, is lifted again: the ply is undone, and the next one is read from where the piece is.
    fn withdraw(&mut self, now: Instant, effects: &mut Effects) {
        let Some(number) = self.play.len().checked_sub(1).and_then(|number| u16::try_from(number).ok()) else { return };
        if !self.may_withdraw(now) {
            return self.settle(now);
        }
        self.take_back(1, now);
        effects.send(Event::Corrected { number });
    }

    /// Whether the ply that ended the game may be taken back or corrected: only if no player, clock or claim ended it, and only at once.
    pub(super) fn may_undo_end(&self, now: Instant) -> bool {
        self.ended_by_a_ply() && now.since(self.moved_at) < TAKEBACK_AFTER_END
    }

    fn taken_back(&mut self, now: Instant, effects: &mut Effects) {
        // After a game the pieces are set up again, maybe the last one first. Only an unintended mate may be taken back, and only at once.
        let ended = self.play.verdict().is_some();
        if ended && !self.may_undo_end(now) {
            return;
        }
        if self.computer_side().is_some() {
            return self.take_back_from_computer(now, effects);
        }
        match (self.seat, self.offers.takeback) {
            (Seat::Both, _) => {
                self.take_back(1, now);
                effects.send(Event::TakenBack { plies: 1 });
            }
            // Undoing the ply on the board accepts the opponent's request.
            (_, Some(Takeback { asked_here: false, plies })) => {
                effects.send(Event::TakebackAnswered { accepted: true });
                if self.play.is_told() {
                    // Only the relay knows the earlier turn. Until it comes, the pieces are where they should be.
                    self.offers.takeback = Some(Takeback { asked_here: true, plies });
                } else {
                    self.take_back(plies, now);
                }
            }
            (_, Some(Takeback { asked_here: true, .. })) => {}
            (seat, None) => {
                // The last ply of this player is one or two plies back.
                let plies = if seat.has(self.play.turn().to_move) { 2 } else { 1 };
                if self.play.len() >= usize::from(plies) && !ended {
                    self.offers.takeback = Some(Takeback { asked_here: true, plies });
                    effects.send(Event::TakebackAsked { plies });
                }
            }
        }
    }

    fn kings(&mut self, result: KingsResult, now: Instant, effects: &mut Effects) {
        if self.play.verdict().is_some() {
            return;
        }
        if let Some(computer) = self.computer_side() {
            return self.kings_against_computer(computer, result, now, effects);
        }
        let us = match self.seat {
            Seat::Both => return self.kings_of_both(result, now, effects),
            Seat::Neither => return,
            Seat::White => Color::White,
            Seat::Black => Color::Black,
        };
        match result.winner() {
            // A player can resign, but not claim the win.
            Some(winner) if winner == us => {}
            Some(_) => {
                if self.play.resign(us).is_ok() {
                    effects.send(Event::Resigned { color: us });
                    self.settle(now);
                }
            }
            None if self.offers.draw == Some(!us) => {
                self.offers.draw = None;
                if self.play.agree_draw().is_ok() {
                    effects.send(Event::DrawAnswered { accepted: true });
                    self.settle(now);
                }
            }
            None => self.ask_for_draw(us, now, effects),
        }
    }

    fn kings_of_both(&mut self, result: KingsResult, now: Instant, effects: &mut Effects) {
        if self.was_king_on_its_way(now) {
            self.shorten(1, now);
            effects.send(Event::TakenBack { plies: 1 });
        }
        let ended = match (result.winner(), self.claimable()) {
            (Some(winner), _) => self.play.resign(!winner).is_ok(),
            (None, Some(claim)) => self.play.claim_draw(claim, None).is_ok(),
            (None, None) => self.play.agree_draw().is_ok(),
        };
        if ended {
            self.announce_end(now, effects);
        }
    }

    /// Claims a draw that the rules grant; otherwise offers one.
    fn ask_for_draw(&mut self, us: Color, now: Instant, effects: &mut Effects) {
        match self.claimable().filter(|_| self.play.turn().to_move == us) {
            Some(claim) => {
                if self.play.claim_draw(claim, None).is_ok() {
                    effects.send(Event::DrawClaimed { claim, with: None });
                    self.settle(now);
                }
            }
            None => {
                if self.offers.draw.replace(us).is_none() {
                    effects.send(Event::DrawOffered { color: us });
                }
            }
        }
    }

    /// Whether the last ply brought a king to the centre just now: then it was part of the result and no ply.
    pub(super) fn was_king_on_its_way(&self, now: Instant) -> bool {
        self.before.known().is_some_and(|(_, last)| {
            let is_king = self.play.turn().royal.has(last.to());
            is_king && CENTRE.has(last.to()) && now.since(self.moved_at) < ON_ITS_WAY
        })
    }

    /// All pieces stand on the start squares: starts a new local game, unless a remote game is still running.
    pub(super) fn start_again(&mut self, now: Instant, effects: &mut Effects) {
        // The snapshot of the new game replaces queued events, so the end of a remote game has to reach the relay first.
        if self.seat != Seat::Both && (self.play.verdict().is_none() || self.unacknowledged) {
            return;
        }
        self.restart(now, effects);
    }

    /// Starts a new local game.
    pub(super) fn restart(&mut self, now: Instant, effects: &mut Effects) {
        effects.push(Effect::Begin);
        // An agreement with a remote opponent ends with that game.
        let hints = if self.seat == Seat::Both { self.hints } else { GameInfo::LOCAL.hints };
        self.begin(&Start::CHESS, &GameInfo { hints, clock: self.local_clock, ..GameInfo::LOCAL }, now);
        if self.opponent.settings.is_on {
            self.opponent.settings = self.opponent.settings.for_next_game();
            effects.push(Effect::Computer(self.opponent.settings));
        }
    }

    /// What a draw could be claimed for now.
    pub(super) fn claimable(&self) -> Option<DrawClaim> {
        DrawClaim::ALL.into_iter().find(|&claim| self.play.can_claim(claim))
    }
}
