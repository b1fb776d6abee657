//! Limits of a search, and time management.

/// When a search ends. Without any limit it ends at the greatest depth, or when the caller stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the last iteration.
    pub depth: Option<u8>,
    /// Nodes; the search ends exactly there, so that it is the same on every machine.
    pub nodes: Option<u64>,
    /// Time for the move, which the caller measures and passes to [`Engine::step`](crate::Engine::step).
    pub time: Option<Time>,
}

/// Time for a move in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Time for this move.
    Move(u32),
    /// A clock: the engine decides how much of it this move deserves.
    Clock {
        /// Time left.
        remaining_ms: u32,
        /// Added after each move.
        increment_ms: u32,
        /// Moves to the next time control; none if the time is for the rest of the game.
        moves_to_go: Option<u8>,
    },
}

/// When to stop, in milliseconds since the start of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadlines {
    /// No further iteration is started. It moves with the stability of the best move.
    pub(crate) soft_ms: u32,
    /// An iteration is interrupted.
    pub(crate) hard_ms: u32,
}

/// Reserve for the delays between engine and clock.
const OVERHEAD_MS: u32 = 40;
/// Moves that a game is expected to last from any move on.
const EXPECTED_MOVES: u32 = 28;

impl Deadlines {
    pub(crate) fn new(time: Option<Time>) -> Self {
        match time {
            None => Self { soft_ms: u32::MAX, hard_ms: u32::MAX },
            Some(Time::Move(ms)) => {
                Self { soft_ms: u32::MAX, hard_ms: ms.saturating_sub(OVERHEAD_MS.min(ms / 4)).max(1) }
            }
            Some(Time::Clock { remaining_ms, increment_ms, moves_to_go }) => {
                let usable = remaining_ms.saturating_sub(OVERHEAD_MS.min(remaining_ms / 2)).max(1);
                let moves = moves_to_go.map_or(EXPECTED_MOVES, |moves| u32::from(moves).clamp(1, EXPECTED_MOVES));
                let share = usable.checked_div(moves).unwrap_or(usable).saturating_add(increment_ms / 4 * 3);
                // One move may take three shares, but never more than half of the clock unless it is the last before the control.
                let most = if moves == 1 { usable } else { usable / 2 };
                Self { soft_ms: (share / 4 * 3).min(most).max(1), hard_ms: share.saturating_mul(3).min(most).max(1) }
            }
        }
    }

    /// Whether the next iteration is worth starting. A best move that has not changed for iterations needs less time.
    pub(crate) const fn allows_iteration(self, elapsed_ms: u32, stable_iterations: u32) -> bool {
        if self.soft_ms == u32::MAX {
            return elapsed_ms < self.hard_ms;
        }
        let percent = match stable_iterations {
            0 => 160,
            1 => 120,
            2 => 95,
            3 => 80,
            _ => 65,
        };
        (elapsed_ms as u64) < self.soft_ms as u64 * percent / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_used_up() {
        for remaining_ms in [0, 1, 30, 100, 1000, 60_000, 5_400_000, u32::MAX] {
            for increment_ms in [0, 100, 30_000, u32::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let deadlines = Deadlines::new(Some(Time::Clock { remaining_ms, increment_ms, moves_to_go }));
                    assert!(deadlines.soft_ms <= deadlines.hard_ms, "{deadlines:?}");
                    assert!(deadlines.hard_ms <= remaining_ms.max(1), "{remaining_ms} {deadlines:?}");
                }
            }
        }
    }

    #[test]
    fn a_clock_of_five_minutes_gives_a_move_some_seconds() {
        let clock = Time::Clock { remaining_ms: 300_000, increment_ms: 0, moves_to_go: None };
        let Deadlines { soft_ms, hard_ms } = Deadlines::new(Some(clock));
        assert!((5_000..12_000).contains(&soft_ms) && (20_000..40_000).contains(&hard_ms), "{soft_ms} {hard_ms}");
    }

    #[test]
    fn an_unstable_best_move_gets_more_time() {
        let deadlines = Deadlines { soft_ms: 1000, hard_ms: 4000 };
        assert!(deadlines.allows_iteration(1500, 0) && !deadlines.allows_iteration(1500, 1));
        assert!(deadlines.allows_iteration(640, 9) && !deadlines.allows_iteration(660, 9));
    }
}
