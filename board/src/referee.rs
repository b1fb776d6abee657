//! The one who decides: what hands do becomes a game, what comes over the link becomes light, and nobody else changes
//! the game.
//!
//! The wood and the game may differ: an opponent's move is played in the game when it comes, and on the wood when a hand
//! has made it. Until they agree, the lights show the way.

mod deeds;
mod hands;
mod hearing;
mod scene;

use chess::{Bitboard, Color, Game, Move, Outcome, Position, WinReason};
use wire::link::{Clocks, Event, Seat, Table};

use crate::clock::Clock;
use crate::debounce::Scan;
use crate::hand::{Hand, Looking, Stance};
use crate::settings::HandSettings;
use crate::time::Instant;

pub use deeds::{Deed, Deeds};

/// Keeps a game between the wood and the world.
#[derive(Clone, Debug)]
pub struct Referee {
    seat: Seat,
    hints: bool,
    clock: Option<Clock>,
    hand: Hand,
    /// Whether the wood has been brought to where the game was when it began or came in.
    arranged: bool,
    /// A move of the opponent that the game has and the wood has not.
    to_make: Option<Move>,
    /// The position before the last move, and the move.
    before: Option<(Position, Move)>,
    draw_offer: Option<Color>,
    takeback: Option<Takeback>,
    /// When the last move was made, for the thought that goes into the next.
    moved_at: Instant,
    /// When the stance of the hand last changed, for lights that say one thing first and then another.
    stance_since: Instant,
    stance: Stance,
    online: bool,
}

/// Somebody wants to take moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Takeback {
    asked_here: bool,
    plies: u8,
}

impl Referee {
    /// A referee for two people who begin a game here, at a board that looks like this.
    #[must_use]
    pub fn new(settings: HandSettings, start: &Position, occupied: Bitboard, now: Instant) -> Self {
        let mut referee = Self {
            seat: Seat::Both,
            hints: true,
            clock: None,
            hand: Hand::new(settings, *start, occupied),
            arranged: false,
            to_make: None,
            before: None,
            draw_offer: None,
            takeback: None,
            moved_at: now,
            stance_since: now,
            stance: Stance::Settled,
            online: true,
        };
        referee.settle_at(start, None, now);
        referee
    }

    /// A game begins or comes in, at this table. The wood is brought to it first.
    pub fn sit_down(&mut self, table: &Table<'_>, game: &Game, now: Instant) {
        self.seat = table.seat;
        self.hints = table.hints;
        self.clock = table.clock.map(Clock::new);
        self.draw_offer = None;
        self.takeback = None;
        self.to_make = None;
        self.moved_at = now;
        self.arranged = false;
        self.look_back(game);
        self.settle(game, now);
    }

    /// The same referee after the board was turned round, or its switches are read otherwise: what is occupied has to be
    /// looked at anew.
    #[must_use]
    pub(crate) fn moved_to(&self, settings: HandSettings, game: &Game, occupied: Bitboard, now: Instant) -> Self {
        let mut referee = self.clone();
        referee.hand = Hand::new(settings, *game.position(), occupied);
        referee.arranged = false;
        referee.settle(game, now);
        referee
    }

    /// Takes over other settings of the hand.
    pub fn set(&mut self, settings: HandSettings) {
        self.hand.set(settings);
    }

    /// Whether the relay can be reached.
    pub fn set_online(&mut self, online: bool) {
        self.online = online;
    }

    /// The relay's clocks are the true ones.
    pub fn set_clocks(&mut self, clocks: Clocks, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.set(clocks, now);
        }
    }

    /// The clock, if there is one.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Whose hands move the pieces here.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// How things stand between the hands and the board.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.hand.stance()
    }

    /// What is occupied.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.hand.occupied()
    }

    /// Squares whose magnet or switch is too weak.
    #[must_use]
    pub const fn weak(&self) -> Bitboard {
        self.hand.weak()
    }

    /// Takes in a scan of the reeds.
    pub fn scan(&mut self, scan: &Scan, game: &mut Game, now: Instant) -> Deeds {
        let mut deeds = Deeds::default();
        let reading = self.hand.scan(scan, now);
        if let Some(reading) = reading {
            self.read(reading, game, now, &mut deeds);
        }
        if self.hand.stance() != self.stance {
            self.stance = self.hand.stance();
            self.stance_since = now;
        }
        self.look_at_clock(game, now, &mut deeds);
        deeds
    }

    /// A fallen flag ends a game that is played here; elsewhere the relay has the word.
    fn look_at_clock(&mut self, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        let Some(clock) = &mut self.clock else { return };
        if self.seat == Seat::Both
            && let Some(color) = clock.flag(now)
            && game.flag(color).is_ok()
        {
            clock.stop(now);
            self.over(game, now, deeds);
        }
    }

    /// Says that the game is over, and how.
    fn over(&mut self, game: &Game, now: Instant, deeds: &mut Deeds) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
        if let Some(outcome) = game.outcome() {
            deeds.say(Event::Ended { outcome });
        }
        self.settle(game, now);
    }

    /// Plays a move that a hand has made here.
    fn play(&mut self, mv: Move, game: &mut Game, now: Instant, deeds: &mut Deeds) {
        let (earlier, ply) = (*game.position(), game.moves().len());
        if game.play(mv).is_err() {
            return self.settle(game, now);
        }
        if self.draw_offer.take().is_some_and(|by| !self.seat.has(by)) {
            // Who plays on has declined.
            deeds.say(Event::DrawAnswered { accepted: false });
        }
        if self.takeback.take().is_some_and(|takeback| !takeback.asked_here) {
            deeds.say(Event::TakebackAnswered { accepted: false });
        }
        let thought_ms = u32::try_from(now.since(self.moved_at)).unwrap_or(u32::MAX);
        deeds.say(Event::Moved { ply: u16::try_from(ply).unwrap_or(u16::MAX), mv, thought_ms });
        self.moved_at = now;
        self.before = Some((earlier, mv));
        if let Some(clock) = &mut self.clock {
            clock.press(earlier.turn(), now);
            if game.outcome().is_some() {
                clock.stop(now);
            }
        }
        self.settle(game, now);
    }

    /// Takes back so many plies of the game.
    fn take_back(&mut self, plies: u8, game: &mut Game, now: Instant) {
        for _ in 0..plies {
            game.take_back();
        }
        self.takeback = None;
        self.draw_offer = None;
        self.to_make = None;
        if let Some(clock) = &mut self.clock {
            clock.hand_over(game.position().turn(), now);
            if game.moves().is_empty() {
                // Before the first move nobody's time runs.
                clock.stop(now);
            }
        }
        self.look_back(game);
        self.settle(game, now);
    }

    /// Finds the position before the last move by playing the game again: after a move was taken back there is no other
    /// way to know it.
    fn look_back(&mut self, game: &Game) {
        self.before = game.moves().split_last().map(|(&last, earlier)| {
            let start = *game.start();
            let position = earlier.iter().fold(start, |position, &mv| position.play(mv).unwrap_or(position));
            (position, last)
        });
    }

    /// Tells the hand where the game stands, and what to look for.
    fn settle(&mut self, game: &Game, now: Instant) {
        self.settle_at(game.position(), game.outcome().map(|_| ended_by_a_move(game)), now);
    }

    /// The same for a game that stands at this position, and was ended, if it was, by a move or by the players.
    fn settle_at(&mut self, position: &Position, ended: Option<bool>, now: Instant) {
        self.arrange(position);
        let looking = match self.to_make {
            _ if !self.arranged => Looking::ForNothing,
            Some(mv) => Looking::ForThis(mv),
            None if ended.is_some() => Looking::ForNothing,
            None if self.seat == Seat::Both => Looking::ForMoves,
            None if self.seat.has(position.turn()) => Looking::ForOwnMove,
            None => Looking::ForNothing,
        };
        // While the wood lacks a move, it stands where the game stood before it.
        let (wood, before) = match (self.to_make, self.before) {
            (Some(_), Some((earlier, _))) if self.arranged => (earlier, None),
            // When players have ended a game, pieces go back to be set up again, and nothing is taken back.
            _ if ended == Some(false) => (*position, None),
            (_, before) => (*position, before),
        };
        self.hand.settle(&wood, before, looking, now);
    }

    /// Sees whether the wood has come to where the game stands, if it was not there; or to where it stood before the move
    /// that is to be made.
    fn arrange(&mut self, position: &Position) {
        if self.arranged {
            return;
        }
        let wood = self.hand.occupied();
        if wood == position.occupied() {
            self.arranged = true;
            // Hands were quicker than the news of the move.
            self.to_make = None;
        } else if let (Some(_), Some((earlier, _))) = (self.to_make, self.before) {
            self.arranged = wood == earlier.occupied();
        }
    }
}

/// Makes a game end as somebody else says it did. What follows from the moves is known here already.
fn finish(game: &mut Game, outcome: Outcome) {
    let _ = match outcome {
        Outcome::Win { winner, by: WinReason::Resignation } => game.resign(!winner),
        Outcome::Win { winner, by: WinReason::Time } => game.flag(!winner),
        Outcome::Win { by: WinReason::Checkmate, .. } => Ok(()),
        Outcome::Draw(_) => game.agree_draw(),
    };
}

/// Whether it was a move that ended the game, and not a word of the players or a clock.
fn ended_by_a_move(game: &Game) -> bool {
    game.position().is_checkmate() || game.position().is_stalemate()
}
