use chess::Color;
use rules::Freeze;
use wire::link::{ClockRule, Clocks};

use crate::time::Instant;

/// A chess clock: it counts down for one side at a time, and a move presses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    rule: ClockRule,
    white_ms: u64,
    black_ms: u64,
    running: Option<(Color, Instant)>,
    /// The side whose own freeze has taken the rest of its time, although its clock does not run then.
    frozen_out: Option<Color>,
}

impl Clock {
    /// A clock that stands still until the first move.
    #[must_use]
    pub fn new(rule: ClockRule) -> Self {
        let base = u64::from(rule.base_ms);
        Self { rule, white_ms: base, black_ms: base, running: None, frozen_out: None }
    }

    /// The time control.
    #[must_use]
    pub const fn rule(&self) -> ClockRule {
        self.rule
    }

    /// What a side has left.
    #[must_use]
    pub fn left(&self, color: Color, now: Instant) -> u64 {
        let left = match color {
            Color::White => self.white_ms,
            Color::Black => self.black_ms,
        };
        match self.running {
            Some((running, since)) if running == color => left.saturating_sub(now.since(since)),
            _ => left,
        }
    }

    /// Whose clock runs.
    #[must_use]
    pub const fn running(&self) -> Option<Color> {
        match self.running {
            Some((color, _)) => Some(color),
            None => None,
        }
    }

    /// A side has moved: its clock stops and gets the increment, the other one starts.
    pub fn press(&mut self, mover: Color, now: Instant) {
        self.hand_over(!mover, now);
        let increment = u64::from(self.rule.increment_ms);
        let left = self.left_mut(mover);
        *left = left.saturating_add(increment);
    }

    /// The turn goes to this side without a move, as when one is taken back.
    pub fn hand_over(&mut self, to: Color, now: Instant) {
        self.stop(now);
        self.running = Some((to, now));
        self.frozen_out = None;
    }

    /// The move of a freezing piece has stopped the game: the mover loses this time, and the opponent, whose clock runs meanwhile, gains it.
    pub fn freeze(&mut self, freeze: Freeze) {
        let ms = u64::from(freeze.ms);
        let left = self.left_mut(freeze.mover);
        *left = left.saturating_sub(ms);
        self.frozen_out = (*left == 0).then_some(freeze.mover);
        let left = self.left_mut(!freeze.mover);
        *left = left.saturating_add(ms);
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Instant) {
        if let Some((color, _)) = self.running {
            let left = self.left(color, now);
            *self.left_mut(color) = left;
            self.running = None;
        }
    }

    /// The side whose time is up.
    #[must_use]
    pub fn flag(&self, now: Instant) -> Option<Color> {
        self.frozen_out.or_else(|| self.running().filter(|&color| self.left(color, now) == 0))
    }

    /// Another clock is the true one, and shows this.
    pub fn set(&mut self, clocks: Clocks, now: Instant) {
        self.white_ms = clocks.white_ms.into();
        self.black_ms = clocks.black_ms.into();
        self.running = clocks.running.map(|color| (color, now));
        self.frozen_out = None;
    }

    fn left_mut(&mut self, color: Color) -> &mut u64 {
        match color {
            Color::White => &mut self.white_ms,
            Color::Black => &mut self.black_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: ClockRule = ClockRule { base_ms: 60_000, increment_ms: 2_000 };

    #[test]
    fn a_freeze_that_takes_the_rest_of_the_time_flags_at_once() {
        let at = Instant::at;
        for (base_ms, flagged) in [(6_000, Some(Color::White)), (7_000, None)] {
            let mut clock = Clock::new(ClockRule { base_ms, increment_ms: 0 });
            clock.hand_over(Color::White, at(0));
            clock.press(Color::White, at(1_500));
            clock.freeze(Freeze { mover: Color::White, ms: 5_000 });
            assert_eq!(clock.flag(at(1_500)), flagged);
            assert_eq!(clock.left(Color::Black, at(1_500)), u64::from(base_ms) + 5_000);
            // The ply is taken back.
            clock.hand_over(Color::White, at(1_600));
            assert_eq!(clock.flag(at(1_600)), flagged, "its time is not given back, and its clock runs");
        }
    }

    #[test]
    fn runs_for_one_side_at_a_time() {
        let mut clock = Clock::new(RULE);
        let at = Instant::at;
        assert_eq!(clock.left(Color::White, at(50_000)), 60_000);
        clock.press(Color::White, at(50_000));
        assert_eq!(clock.running(), Some(Color::Black));
        assert_eq!(clock.left(Color::White, at(55_000)), 62_000);
        assert_eq!(clock.left(Color::Black, at(55_000)), 55_000);
        clock.press(Color::Black, at(55_000));
        assert_eq!(clock.left(Color::Black, at(70_000)), 57_000);
        assert_eq!(clock.left(Color::White, at(70_000)), 47_000);
        assert_eq!(clock.flag(at(116_999)), None);
        assert_eq!(clock.flag(at(117_000)), Some(Color::White));
    }

    #[test]
    fn a_stopped_clock_does_not_run_and_has_no_flag() {
        let mut clock = Clock::new(RULE);
        clock.press(Color::White, Instant::at(0));
        clock.stop(Instant::at(10_000));
        assert_eq!(clock.left(Color::Black, Instant::at(99_000)), 50_000);
        assert_eq!(clock.flag(Instant::at(999_000)), None);
    }

    #[test]
    fn a_freeze_moves_time_from_the_mover_to_the_opponent() {
        let mut clock = Clock::new(RULE);
        clock.press(Color::White, Instant::at(0));
        clock.freeze(Freeze { mover: Color::White, ms: 5_000 });
        assert_eq!(clock.left(Color::White, Instant::at(5_000)), 57_000);
        assert_eq!(clock.left(Color::Black, Instant::at(5_000)), 60_000);
    }

    #[test]
    fn can_be_set_to_the_clocks_of_the_relay() {
        let mut clock = Clock::new(RULE);
        clock.set(Clocks { white_ms: 100, black_ms: 200, running: Some(Color::White) }, Instant::at(1000));
        assert_eq!(clock.left(Color::White, Instant::at(1040)), 60);
        assert_eq!(clock.left(Color::Black, Instant::at(1040)), 200);
    }
}
