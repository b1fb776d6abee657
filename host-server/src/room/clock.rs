use chess::Color;
use wire::link::{ClockRule, Clocks};

use super::seat::index;
use super::time::Time;

/// What the players have left. It stands still until the first move, as it does on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    rule: ClockRule,
    left: [u64; 2],
    running: Option<(Color, Time)>,
}

impl Clock {
    /// A clock by this rule. Who has nothing but the increment has it for the first move, too; and nobody can play with
    /// nothing at all, which is therefore no clock.
    pub(super) fn new(rule: ClockRule) -> Option<Self> {
        let base = if rule.base_ms == 0 { rule.increment_ms } else { rule.base_ms };
        (base > 0).then(|| Self { rule, left: [base.into(); 2], running: None })
    }

    /// What a side has left, in milliseconds.
    #[must_use]
    pub fn left(&self, color: Color, now: Time) -> u64 {
        let left = self.left[index(color)];
        match self.running {
            Some((running, since)) if running == color => left.saturating_sub(now.since(since)),
            _ => left,
        }
    }

    /// Whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// As the link shows it.
    #[must_use]
    pub fn shown(&self, now: Time) -> Clocks {
        let shown = |color| self.left(color, now).try_into().unwrap_or(u32::MAX);
        Clocks { white_ms: shown(Color::White), black_ms: shown(Color::Black), running: self.running() }
    }

    /// How long the side whose clock runs has been thinking.
    pub(super) fn thought(&self, now: Time) -> u64 {
        self.running.map_or(0, |(_, since)| now.since(since))
    }

    /// When the flag falls, if nothing happens before, and whose.
    pub(super) fn falls(&self) -> Option<(Color, Time)> {
        let (color, since) = self.running?;
        Some((color, since.after(self.left[index(color)])))
    }

    /// A side has moved, and took so long for it. The other one's time runs from when that became known.
    pub(super) fn press(&mut self, mover: Color, took: u64, at: Time) {
        self.hand_over(Some(!mover), took, at);
        let left = &mut self.left[index(mover)];
        *left = left.saturating_add(u64::from(self.rule.increment_ms));
    }

    /// The turn goes to a side, or to nobody, after whoever had it took so long.
    pub(super) fn hand_over(&mut self, to: Option<Color>, took: u64, at: Time) {
        if let Some((color, _)) = self.running {
            let left = &mut self.left[index(color)];
            *left = left.saturating_sub(took);
        }
        self.running = to.map(|color| (color, at));
    }

    /// Nobody's time runs any more.
    pub(super) fn stop(&mut self, at: Time) {
        self.hand_over(None, self.thought(at), at);
    }
}
