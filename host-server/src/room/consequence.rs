//! What follows by itself: from the rules, or because time has passed.

use chess::{Color, DrawReason, Outcome, WinReason};

use super::ending::Ending;
use super::fact::Fact;
use super::name::GameId;
use super::seat::{Presence, Seated};
use super::time::Time;
use super::{Phase, Room};

/// Nobody is quicker than this in coming back, and a player who sits down comes only after that. In milliseconds.
const LEAST: u64 = 1_000;

/// How long a player who went after the game is waited for: for another game, and because lines break. In milliseconds.
const LINGER: u64 = 15_000;

/// How long a room is kept in which nobody has ever sat down. In milliseconds.
const UNUSED: u64 = 600_000;

impl Room {
    /// The next thing that has to happen by itself, if there is one. Whether it has to is a matter of when something was
    /// received; what begins by it begins now.
    pub(super) fn consequence(&self, judged: Time, now: Time, dice: u64) -> Option<Fact> {
        match self.phase {
            Phase::Waiting if self.are_both_here() => Some(match self.terms.countdown {
                0 => Fact::Began { game: GameId(dice.max(1)), swapped: false },
                countdown => Fact::Counting { until: now.after(countdown) },
            }),
            Phase::Counting { .. } if !self.are_both_here() => Some(Fact::Halted),
            Phase::Counting { until } if judged >= until => {
                Some(Fact::Began { game: GameId(dice.max(1)), swapped: false })
            }
            Phase::Counting { .. } | Phase::Closed => None,
            Phase::Playing => self.end(judged).map(Fact::Ended),
            Phase::Waiting | Phase::Over => self.leaver(judged).or_else(|| self.close(judged)),
        }
    }

    /// When something may have to happen by itself.
    #[must_use]
    pub fn due(&self) -> Option<Time> {
        match self.phase {
            Phase::Closed => None,
            Phase::Counting { until } => Some(until),
            Phase::Playing => {
                let falls = self.clock.and_then(|clock| clock.falls()).map(|(_, at)| at);
                self.given_up().map(|(at, _)| at).into_iter().chain(falls).min()
            }
            Phase::Waiting | Phase::Over if self.is_empty() => Some(self.empty_until()),
            Phase::Waiting | Phase::Over => {
                Color::ALL.into_iter().filter_map(|color| self.out_of_patience(color)).min()
            }
        }
    }

    fn are_both_here(&self) -> bool {
        self.seats.iter().all(|seat| seat.as_ref().is_some_and(Seated::is_here))
    }

    fn is_empty(&self) -> bool {
        self.seats.iter().all(Option::is_none)
    }

    /// When the others are out of patience with a player who is away.
    fn out_of_patience(&self, color: Color) -> Option<Time> {
        let patience = match self.phase {
            Phase::Over => self.terms.grace.min(LINGER),
            _ => self.terms.grace,
        };
        match self.seat(color)?.presence {
            Presence::Away(since) => Some(since.after(patience.max(LEAST))),
            Presence::Here(_) => None,
        }
    }

    /// When a game ends because players are away, and who has won then. If both are away, the one who still may come back
    /// can also still win, so it ends when neither may.
    fn given_up(&self) -> Option<(Time, Ending)> {
        Some(match Color::ALL.map(|color| self.out_of_patience(color)) {
            [None, None] => return None,
            [Some(at), None] => (at, Ending::disconnect(Some(Color::Black))),
            [None, Some(at)] => (at, Ending::disconnect(Some(Color::White))),
            [Some(white), Some(black)] => (white.max(black), Ending::disconnect(None)),
        })
    }

    /// How the game ends now, if it does.
    fn end(&self, now: Time) -> Option<Ending> {
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.into());
        }
        if let Some((fallen, at)) = self.clock.and_then(|clock| clock.falls())
            && now >= at
        {
            let outcome = if self.game.position().can_mate(!fallen) {
                Outcome::Win { winner: !fallen, by: WinReason::Time }
            } else {
                Outcome::Draw(DrawReason::TimeAgainstBareKing)
            };
            return Some(outcome.into());
        }
        self.given_up().filter(|&(at, _)| now >= at).map(|(_, ending)| ending)
    }

    /// A player who was away for too long loses the seat.
    fn leaver(&self, now: Time) -> Option<Fact> {
        let is_gone = |&color: &Color| self.out_of_patience(color).is_some_and(|at| now >= at);
        Color::ALL.into_iter().find(is_gone).map(|color| Fact::Left { color })
    }

    /// A room in which nobody sits any more closes.
    fn close(&self, now: Time) -> Option<Fact> {
        (self.is_empty() && now >= self.empty_until()).then_some(Fact::Closed)
    }

    /// How long a room may stay open in which nobody sits: not at all, if somebody has.
    const fn empty_until(&self) -> Time {
        if self.was_used { Time(0) } else { self.opened_at.after(UNUSED) }
    }
}
