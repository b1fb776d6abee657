//! What hands have done becomes a game.

use chess::{Color, DrawClaim, Game, Position, Role, Square};
use wire::link::{Event, Seat, Table};

use super::{Deed, Deeds, Referee, Takeback, ended_by_a_move};
use crate::hand::{KingsResult, Reading};
use crate::time::Instant;

/// A king that went to the centre so recently may only have been on its way to show a result.
const ON_ITS_WAY: u64 = 10_000;

/// For so long after it, a move that ended the game can be taken back.
const REGRET: u64 = 5_000;

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Referee {
    pub(super) fn read(&mut self, reading: Reading, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        match reading {
            Reading::PutBack => self.put_back(game, now),
            Reading::Moved(mv) if self.to_make == Some(mv) => {
                self.to_make = None;
                self.moved_at = now;
                self.settle(game, now);
            }
            Reading::Moved(mv) => self.play(mv, game, now, deeds),
            Reading::MovedTwice(first, second) => {
                self.play(first, game, now, deeds);
                self.play(second, game, now, deeds);
            }
            Reading::Corrected(mv) => {
                self.take_back(1, game, now);
                deeds.say(Event::TakenBack { plies: 1 });
                self.play(mv, game, now, deeds);
            }
            Reading::TakenBack => self.taken_back(game, now, deeds),
            Reading::Kings(result) => self.kings(result, game, now, deeds),
            Reading::StartPosition => self.start_again(game, now, deeds),
        }
    }

    /// The wood looks as the game says. If it has only now come to that, the game can begin, or go on.
    fn put_back(&mut self, game: &Game, now: Instant) {
        if !self.arranged {
            self.moved_at = now;
            self.settle(game, now);
        }
    }

    fn taken_back(&mut self, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        // When a game is over, pieces go back to be set up again, the last one perhaps first. Only a mate that nobody
        // meant may be taken back, and only at once.
        if game.outcome().is_some() && !(ended_by_a_move(game) && now.since(self.moved_at) < REGRET) {
            return;
        }
        match (self.seat, self.takeback) {
            (Seat::Both, _) => {
                self.take_back(1, game, now);
                deeds.say(Event::TakenBack { plies: 1 });
            }
            // Making it on the wood is the answer.
            (_, Some(Takeback { asked_here: false, plies })) => {
                deeds.say(Event::TakebackAnswered { accepted: true });
                self.take_back(plies, game, now);
            }
            (_, Some(Takeback { asked_here: true, .. })) => {}
            (seat, None) => {
                // The last move of this player may be one ply back or two.
                let plies = if seat.has(game.position().turn()) { 2 } else { 1 };
                if game.moves().len() >= usize::from(plies) && game.outcome().is_none() {
                    self.takeback = Some(Takeback { asked_here: true, plies });
                    deeds.say(Event::TakebackAsked { plies });
                }
            }
        }
    }

    fn kings(&mut self, result: KingsResult, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        if game.outcome().is_some() {
            return;
        }
        match self.seat {
            Seat::Both => {
                if self.was_king_on_its_way(game, now) {
                    game.take_back();
                    deeds.say(Event::TakenBack { plies: 1 });
                }
                let ended = match (result.winner(), claimable(game)) {
                    (Some(winner), _) => game.resign(!winner).is_ok(),
                    (None, Some(claim)) => game.claim_draw(claim).is_ok(),
                    (None, None) => game.agree_draw().is_ok(),
                };
                if ended {
                    self.look_back(game);
                    self.over(game, now, deeds);
                }
            }
            Seat::Nobody => {}
            Seat::White | Seat::Black => {
                let us = if self.seat == Seat::White { Color::White } else { Color::Black };
                match result.winner() {
                    // One can give up, but not declare oneself the winner.
                    Some(winner) if winner == us => {}
                    Some(_) => {
                        if game.resign(us).is_ok() {
                            deeds.say(Event::Resigned { color: us });
                            self.settle(game, now);
                        }
                    }
                    None if self.draw_offer == Some(!us) => {
                        self.draw_offer = None;
                        if game.agree_draw().is_ok() {
                            deeds.say(Event::DrawAnswered { accepted: true });
                            self.settle(game, now);
                        }
                    }
                    None => self.ask_for_draw(us, game, now, deeds),
                }
            }
        }
    }

    /// A draw that the rules grant is claimed; otherwise the opponent is asked.
    fn ask_for_draw(&mut self, us: Color, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        match claimable(game).filter(|_| game.position().turn() == us) {
            Some(claim) => {
                if game.claim_draw(claim).is_ok() {
                    deeds.say(Event::DrawClaimed { claim, with: None });
                    self.settle(game, now);
                }
            }
            None => {
                if self.draw_offer.replace(us).is_none() {
                    deeds.say(Event::DrawOffered { color: us });
                }
            }
        }
    }

    /// Whether the last move was a king's, to the centre, just now: then it was no move.
    fn was_king_on_its_way(&self, game: &Game, now: Instant) -> bool {
        self.before.is_some_and(|(_, last)| {
            let king = game.position().of_role(Role::King).has(last.to());
            king && CENTRE.contains(&last.to()) && now.since(self.moved_at) < ON_ITS_WAY
        })
    }

    /// All pieces stand as at the start: a new game, unless somebody far away still plays the old one.
    fn start_again(&mut self, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        if self.seat != Seat::Both && game.outcome().is_none() {
            return;
        }
        game.restart(Position::start());
        deeds.push(Deed::Begin);
        // What was agreed with somebody far away is over with that game.
        let hints = if self.seat == Seat::Both { self.hints } else { Table::LOCAL.hints };
        let table = Table { hints, ..Table::LOCAL };
        let clock = self.clock.take();
        self.sit_down(&table, game, now);
        // The same people play on with the same time, once the first of them has moved.
        self.clock = clock.map(|clock| clock.afresh());
    }
}

/// What a draw could be claimed for.
fn claimable(game: &Game) -> Option<DrawClaim> {
    DrawClaim::ALL.into_iter().find(|&claim| game.can_claim(claim))
}
