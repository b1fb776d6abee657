//! How many instructions the brain takes.

use core::hint::black_box;

use board::{Brain, Instant};
use chess::Bitboard;
use rules_bench::counter;

/// One scan, called as the firmware does: from elsewhere, a thousand times a second.
#[inline(never)]
fn scan(brain: &mut Brain, raw: Bitboard, now: Instant) {
    black_box(&brain.scan(raw, now));
}

#[inline(never)]
fn frame(brain: &mut Brain, now: Instant) {
    black_box(&brain.frame(now));
}

/// What one scan takes.
pub(crate) fn of_scan(brain: &mut Brain, raw: Bitboard, now: Instant) -> u64 {
    of(|| scan(brain, raw, now))
}

/// What the light of one moment takes.
pub(crate) fn of_frame(brain: &mut Brain, now: Instant) -> u64 {
    of(|| frame(brain, now))
}

/// What some work takes, without what counting takes.
fn of(work: impl FnOnce()) -> u64 {
    let ((), empty) = counter::count(|| ());
    let ((), whole) = counter::count(work);
    whole.saturating_sub(empty)
}

/// What a scan takes on average, when the reeds read these in turn: a run, and one twice as long, so that what is around
/// them cancels. The time goes on.
pub(crate) fn of_scans(brain: &mut Brain, raws: [Bitboard; 2], now: &mut u64) -> u64 {
    const RUN: u64 = 1000;
    let mut run = |scans: u64| {
        let ((), instructions) = counter::count(|| {
            for _ in 0..scans / 2 {
                for raw in raws {
                    *now += 1;
                    scan(brain, raw, Instant::at(*now));
                }
            }
        });
        instructions
    };
    let once = run(RUN);
    let twice = run(2 * RUN);
    (twice - once).div_ceil(RUN)
}
