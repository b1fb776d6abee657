use board::{Clock, Instant};
use chess::Color;

use super::picture::Clocks;

/// From here on the tenths of a second count, in milliseconds.
const TENTHS: u64 = 20_000;

/// What a clock shows.
pub(super) fn read(clock: &Clock, now: Instant) -> Clocks {
    let shown = |color| show(clock.left(color, now));
    Clocks { white: shown(Color::White), black: shown(Color::Black), running: clock.running() }
}

/// When it shows something else, if it runs.
pub(super) fn next_change(clock: &Clock, now: Instant) -> Option<Instant> {
    let left = clock.left(clock.running()?, now).checked_sub(1)?;
    let step = if left < TENTHS { 100 } else { 1000 };
    Some(now.after(left % step + 1))
}

/// Minutes and seconds; a clock that has any time left never shows none.
fn show(left: u64) -> String {
    if left <= TENTHS {
        let tenths = left.div_ceil(100);
        format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
    } else {
        let seconds = left.div_ceil(1000);
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::link::ClockRule;

    #[test]
    fn time_is_shown_in_minutes_and_at_the_end_in_tenths() {
        assert_eq!(show(300_000), "5:00");
        assert_eq!(show(299_999), "5:00");
        assert_eq!(show(299_000), "4:59");
        assert_eq!(show(19_950), "0:20.0");
        assert_eq!(show(1), "0:00.1");
        assert_eq!(show(0), "0:00.0");
    }

    #[test]
    fn a_clock_changes_by_itself_only_while_it_runs() {
        let mut clock = Clock::new(ClockRule { base_ms: 60_000, increment_ms: 0 });
        assert_eq!(next_change(&clock, Instant::at(0)), None);
        clock.press(Color::White, Instant::at(500));
        let mut now = Instant::at(500);
        for _ in 0..200 {
            let shown = read(&clock, now);
            let next = next_change(&clock, now).unwrap();
            assert_eq!(read(&clock, Instant::at(next.milliseconds() - 1)), shown);
            assert_ne!(read(&clock, next), shown);
            now = next;
        }
    }
}
