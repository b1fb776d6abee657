use chess::Color;
use rules::Freeze;
use wire::link::{ClockRule, Clocks};

use super::seat::index;
use super::time::Time;

/// The chess clock. No side's time runs before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    rule: ClockRule,
    /// Remaining milliseconds, without what has passed since `running`.
    left: [u64; 2],
    running: Option<Running>,
}

/// The side whose time runs, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    color: Color,
    since: Time,
}

/// When the flag of a side falls if it does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlagFall {
    pub(super) color: Color,
    pub(super) at: Time,
}

impl Clock {
    /// A clock by this rule. Without base time the increment is the time for the first move; without either there is no clock.
    pub(super) fn new(rule: ClockRule) -> Option<Self> {
        let base = if rule.base_ms == 0 { rule.increment_ms } else { rule.base_ms };
        (base > 0).then(|| Self { rule, left: [base.into(); 2], running: None })
    }

    /// The remaining time of a side, in milliseconds.
    #[must_use]
    pub fn left(&self, color: Color, now: Time) -> u64 {
        let left = self.left[index(color)];
        match self.running {
            Some(Running { color: running, since }) if running == color => left.saturating_sub(now.since(since)),
            _ => left,
        }
    }

    /// The side whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|running| running.color)
    }

    /// The clock as the link to boards represents it.
    #[must_use]
    pub fn shown(&self, now: Time) -> Clocks {
        let shown = |color| self.left(color, now).try_into().unwrap_or(u32::MAX);
        Clocks { white_ms: shown(Color::White), black_ms: shown(Color::Black), running: self.running() }
    }

    /// How long the running side has been thinking, in milliseconds.
    pub(super) fn thought(&self, now: Time) -> u64 {
        self.running.map_or(0, |running| now.since(running.since))
    }

    /// When the flag of the running side falls. The flag of a side that a freeze has left without time has fallen already.
    pub(super) fn flag_fall(&self) -> Option<FlagFall> {
        let Running { color, since } = self.running?;
        if let Some(color) = Color::ALL.into_iter().find(|&color| self.left[index(color)] == 0) {
            return Some(FlagFall { color, at: since });
        }
        Some(FlagFall { color, at: since.after(self.left[index(color)]) })
    }

    /// A side has moved after `took` milliseconds. The time of the side that plays the next ply runs from the time of the entry. The increment
    /// is for a turn, which may have several plies.
    pub(super) fn press(&mut self, mover: Color, next: Color, took: u64, at: Time) {
        self.hand_over(Some(next), took, at);
        if next != mover {
            let left = &mut self.left[index(mover)];
            *left = left.saturating_add(u64::from(self.rule.increment_ms));
        }
    }

    /// The running side could not move until now: its time runs from now on, and it gets back at most this many milliseconds.
    pub(super) fn credit(&mut self, most: u64, at: Time) {
        if let Some(Running { since, .. }) = &mut self.running {
            *since = at.min(since.after(most)).max(*since);
        }
    }

    /// Moves time from the player who caused a freeze to the opponent.
    pub(super) fn freeze(&mut self, Freeze { mover, ms }: Freeze) {
        let [mover, opponent] = [index(mover), index(!mover)];
        self.left[mover] = self.left[mover].saturating_sub(ms.into());
        self.left[opponent] = self.left[opponent].saturating_add(ms.into());
    }

    /// Subtracts the thinking time of the running side, then starts the time of the given side, or stops the clock.
    pub(super) fn hand_over(&mut self, to: Option<Color>, took: u64, at: Time) {
        if let Some(Running { color, .. }) = self.running {
            let left = &mut self.left[index(color)];
            *left = left.saturating_sub(took);
        }
        self.running = to.map(|color| Running { color, since: at });
    }

    pub(super) fn stop(&mut self, at: Time) {
        self.hand_over(None, self.thought(at), at);
    }
}
