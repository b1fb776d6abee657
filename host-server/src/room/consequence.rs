//! Decides what is due without a command: by the rules of the game, or by timeout.

use chess::Color;
use rules::{Verdict, Why};

use super::attempt::Stamp;
use super::clock::FlagFall;
use super::fact::Fact;
use super::name::GameId;
use super::seat::{Ability, Presence, Seated};
use super::time::Time;
use super::{Phase, Room};

/// Lower bound of the grace period, in milliseconds: a player connects only after taking the seat.
const MIN_GRACE: u64 = 1_000;

/// How long a player may be disconnected after the game before the seat is free, in milliseconds.
const GRACE_AFTER_GAME: u64 = 15_000;

/// The same for a player who may come back to a rematch while no other player can take the seat, in milliseconds: a telephone that is locked
/// is disconnected within seconds.
const KEPT_AFTER_GAME: u64 = 3_600_000;

/// Disconnections of a room that are written at once. From then on a relay waits, twice as long after each further
/// [`DISCONNECTIONS_PER_STEP`], because a player who reconnects all the time would otherwise lengthen the log without bound.
const PROMPT_DISCONNECTIONS: u32 = 100;
const DISCONNECTIONS_PER_STEP: u32 = 50;

/// The first of those waits, and the longest, in milliseconds.
const FIRST_WAIT: u64 = 5_000;
const LONGEST_WAIT: u64 = 600_000;

/// How long a room stays open in which no player has ever taken a seat, in milliseconds.
const UNUSED_TIMEOUT: u64 = 600_000;

/// How long a game may pause that keeps a board occupied, in milliseconds: seven days. If a game that a room follows goes on later, another
/// room follows it.
const UNTOUCHED_TIMEOUT: u64 = 7 * 86_400_000;

/// How long an invitation is valid, in milliseconds.
const INVITATION: u64 = 86_400_000;

impl Room {
    /// The next fact that is due, if there is one. Timeouts are judged by the time of receipt; a countdown starts now.
    pub(super) fn consequence(&self, stamp: Stamp) -> Option<Fact> {
        let Stamp { received, now, write_id } = stamp;
        let began = || Fact::Began { game: GameId(write_id.max(1)), swapped: false, start: None };
        match self.phase {
            Phase::Waiting if self.lacks_computer().is_some() => self.seat_computer(write_id),
            Phase::Waiting if self.can_begin() => Some(match self.terms.countdown {
                0 => began(),
                countdown => Fact::CountdownStarted { until: now.after(countdown) },
            }),
            Phase::Counting { .. } if !self.can_begin() => Some(Fact::CountdownStopped),
            Phase::Counting { until } if received >= until => Some(began()),
            Phase::Counting { .. } | Phase::Closed => None,
            Phase::Playing => self.end(received).map(|verdict| Fact::Ended(verdict.into())),
            Phase::Waiting | Phase::Over => self.leaver_at(received).or_else(|| self.close(received)),
        }
    }

    /// When the next timeout is due, if one is pending.
    #[must_use]
    pub fn due(&self) -> Option<Time> {
        match self.phase {
            Phase::Closed => None,
            Phase::Counting { until } => Some(until),
            Phase::Playing => {
                let falls = self.clock.and_then(|clock| clock.flag_fall()).map(|fall| fall.at);
                self.abandoned().map(|(at, _)| at).into_iter().chain(falls).chain(self.untouched_until()).min()
            }
            Phase::Waiting | Phase::Over if self.is_empty() => Some(self.empty_until()),
            Phase::Waiting | Phase::Over => Color::ALL.into_iter().filter_map(|color| self.seat_ends(color)).min(),
        }
    }

    /// Whether the game begins as soon as the player at this side is connected.
    #[must_use]
    pub fn begins_with(&self, color: Color) -> bool {
        let is_here = |side| side == color || self.seat(side).is_some_and(Seated::is_here);
        self.phase == Phase::Waiting && self.terms.countdown == 0 && self.has_both(is_here)
    }

    /// Until when an absent player can return without a disadvantage: then the opponent can claim the win, or the game is lost.
    /// `None` if the player is connected, or if absence has no consequence.
    #[must_use]
    pub fn absence_ends(&self, color: Color) -> Option<Time> {
        if self.phase != Phase::Playing || (self.can_both_return() && !self.is_claimable()) {
            return None;
        }
        self.grace_ends(color)
    }

    /// Whether an absence during a game has a consequence, as far as is known before all players are there.
    #[must_use]
    pub fn limits_absence(&self) -> bool {
        let can_return = |seated: &Seated| seated.player.ability != Ability::Documented;
        self.is_claimable() || !self.seats.iter().flatten().all(|seated| can_return(seated))
    }

    /// Whether an opponent may end the game because a player who can come back is absent. A computer never does.
    const fn is_claimable(&self) -> bool {
        self.terms.clock.is_some() && self.terms.computer.is_none()
    }

    /// How long a relay waits before it writes that a player has disconnected, in milliseconds. If the player is back by then, nothing
    /// is written.
    #[must_use]
    pub const fn disconnection_wait(&self) -> u64 {
        let Some(further) = self.disconnections.checked_sub(PROMPT_DISCONNECTIONS) else { return 0 };
        let doublings = further / DISCONNECTIONS_PER_STEP;
        // `min` of integers is not const.
        if doublings >= 7 { LONGEST_WAIT } else { FIRST_WAIT << doublings }
    }

    /// Whether each player has a client that comes back: absence alone loses no game then.
    fn can_both_return(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.ability(color).is_some_and(|ability| ability != Ability::Documented))
    }

    fn can_claim(&self, color: Color) -> bool {
        self.ability(color) == Some(Ability::Claims)
    }

    fn ability(&self, color: Color) -> Option<Ability> {
        self.seat(color).map(|seated| seated.player.ability)
    }

    /// Whether a game can begin.
    fn can_begin(&self) -> bool {
        self.has_both(|color| self.seat(color).is_some_and(Seated::is_here))
    }

    /// Whether both players are there, given who is connected. The host of an invitation need not be: no clock runs before the first
    /// move, and the guest would otherwise have to come back at the same time.
    fn has_both(&self, is_here: impl Fn(Color) -> bool) -> bool {
        let can_claim = Color::ALL.into_iter().all(|color| self.can_claim(color));
        let is_first_game = self.terms.by_invitation && self.games == 0 && self.computer().is_none() && can_claim;
        let may_be_away = |color| is_first_game && self.host == Some(color) && is_here(!color);
        Color::ALL.into_iter().all(|color| self.seat(color).is_some() && (is_here(color) || may_be_away(color)))
    }

    /// Whether no person has a seat.
    fn is_empty(&self) -> bool {
        self.seats.iter().flatten().all(|seated| seated.player.is_unconnected())
    }

    /// When the grace period of a disconnected player ends. A player who was away when the game began has the whole period from then on.
    fn grace_ends(&self, color: Color) -> Option<Time> {
        let (grace, from) = match self.phase {
            Phase::Over if self.keeps_seat(color) => (KEPT_AFTER_GAME, Time(0)),
            Phase::Over => (self.terms.grace.min(GRACE_AFTER_GAME), Time(0)),
            Phase::Playing => (self.terms.grace, self.began_at),
            _ => (self.terms.grace, Time(0)),
        };
        match self.seat(color)?.presence {
            Presence::Away(since) => Some(since.max(from).after(grace.max(MIN_GRACE))),
            Presence::Here(_) => None,
        }
    }

    /// Whether an absent player keeps the seat for long after a game: in a room for two, where the opponent waits for a rematch. A board is
    /// such an opponent only for a short time, because others can challenge it; its client cannot claim.
    fn keeps_seat(&self, color: Color) -> bool {
        let can_return = self.ability(color).is_some_and(|ability| ability != Ability::Documented);
        let is_waiting = self.seat(!color).is_some_and(|other| other.player.is_computer()) || self.can_claim(!color);
        self.terms.by_invitation && can_return && is_waiting
    }

    /// When a disconnected player loses the seat, outside a game.
    fn seat_ends(&self, color: Color) -> Option<Time> {
        let grace = self.grace_ends(color)?;
        let is_invitation = self.terms.by_invitation && self.games == 0 && self.host == Some(color);
        Some(if is_invitation { grace.max(self.opened_at.after(INVITATION)) } else { grace })
    }

    /// When a game ends because players are disconnected, and how.
    fn abandoned(&self) -> Option<(Time, Verdict)> {
        if self.can_both_return() {
            return self.abandoned_while_both_can_return();
        }
        // If both are disconnected, a player who may still come back can still win, so the game ends when the later grace period does.
        Some(match Color::ALL.map(|color| self.grace_ends(color)) {
            [None, None] => return None,
            [Some(at), None] => (at, won_by(Color::Black)),
            [None, Some(at)] => (at, won_by(Color::White)),
            [Some(white), Some(black)] => (white.max(black), Verdict::Abandoned),
        })
    }

    /// The same between players who can come back. With a clock, the opponent decides by a claim, or the grace period if the opponent's client
    /// cannot claim. Without a clock no player loses, but an opponent who is gone does not occupy a board for ever.
    fn abandoned_while_both_can_return(&self) -> Option<(Time, Verdict)> {
        let away = |color| match self.seat(color)?.presence {
            Presence::Away(since) => Some(since),
            Presence::Here(_) => None,
        };
        let (absent, since) = match Color::ALL.map(away) {
            [Some(white), Some(black)] => (None, white.max(black)),
            [Some(since), None] => (Some(Color::White), since),
            [None, Some(since)] => (Some(Color::Black), since),
            [None, None] => return None,
        };
        let since = since.max(self.moved_at);
        match absent.filter(|&absent| !self.seat(!absent).is_some_and(|seated| seated.player.is_computer())) {
            // No person is there.
            None => Some((since.after(self.terms.longest_absence), Verdict::Abandoned)),
            Some(absent) if self.can_claim(!absent) => None,
            Some(absent) if self.clock.is_some() => self.grace_ends(absent).map(|at| (at, won_by(!absent))),
            Some(absent) if self.is_early() => self.grace_ends(absent).map(|at| (at, Verdict::Aborted)),
            Some(_) => Some((since.after(UNTOUCHED_TIMEOUT), Verdict::Abandoned)),
        }
    }

    /// How the game ends now, if it does: by the rules, on time, or by disconnection.
    fn end(&self, now: Time) -> Option<Verdict> {
        if let Some(verdict) = self.game.verdict() {
            return Some(verdict);
        }
        if let Some(FlagFall { color: fallen, at }) = self.clock.and_then(|clock| clock.flag_fall())
            && now >= at
        {
            return Some(self.game.verdict_on_time(fallen));
        }
        if self.untouched_until().is_some_and(|at| now >= at) {
            return Some(Verdict::Abandoned);
        }
        self.abandoned().filter(|&(at, _)| now >= at).map(|(_, verdict)| verdict)
    }

    /// When a game on a board is given up because no piece was moved.
    fn untouched_until(&self) -> Option<Time> {
        self.terms.board.as_ref().map(|_| self.last_at.after(UNTOUCHED_TIMEOUT))
    }

    /// A player whose grace period has ended loses the seat.
    fn leaver_at(&self, now: Time) -> Option<Fact> {
        let is_gone = |&color: &Color| self.seat_ends(color).is_some_and(|at| now >= at);
        Color::ALL.into_iter().find(is_gone).map(|color| Fact::Left { color })
    }

    /// An empty room closes.
    fn close(&self, now: Time) -> Option<Fact> {
        (self.is_empty() && now >= self.empty_until()).then_some(Fact::Closed)
    }

    /// When an empty room closes: at once, if a seat was ever taken. A room that follows a board stays open for a while after its game.
    const fn empty_until(&self) -> Time {
        match (self.host.is_some(), self.verdict) {
            (true, _) => Time(0),
            (false, None) => self.opened_at.after(UNUSED_TIMEOUT),
            (false, Some(_)) => self.last_at.after(UNUSED_TIMEOUT),
        }
    }
}

const fn won_by(winner: Color) -> Verdict {
    Verdict::Won { winner, why: Why::Abandonment }
}
