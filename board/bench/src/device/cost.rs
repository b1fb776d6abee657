//! Counts the instructions of the playing surface.

use core::hint::black_box;

use board::{Instant, Surface};
use chess::Bitboard;
use rules_bench::counter;
use wire::link::Event;

/// One scan. It is not inlined, as in the firmware.
#[inline(never)]
fn scan(surface: &mut Surface, raw: Bitboard, now: Instant) {
    black_box(&surface.scan(raw, now));
}

#[inline(never)]
fn render(surface: &mut Surface, now: Instant) {
    black_box(&surface.render(now));
}

/// The instructions of one scan.
pub(crate) fn of_scan(surface: &mut Surface, raw: Bitboard, now: Instant) -> u64 {
    of(|| scan(surface, raw, now))
}

/// The instructions of applying an event of the remote opponent.
pub(crate) fn of_event(surface: &mut Surface, event: Event, now: Instant) -> u64 {
    of(|| {
        black_box(&surface.apply(event, now));
    })
}

/// The instructions of rendering one frame.
pub(crate) fn of_frame(surface: &mut Surface, now: Instant) -> u64 {
    of(|| render(surface, now))
}

/// The instructions of some work, without those of the counter.
fn of(work: impl FnOnce()) -> u64 {
    let ((), empty) = counter::count(|| ());
    let ((), whole) = counter::count(work);
    whole.saturating_sub(empty)
}

/// The mean instructions of a scan while the reeds read these values in turn. The difference between a run and one twice as long cancels the
/// instructions around the scans. Advances `now`.
pub(crate) fn of_scans(surface: &mut Surface, raws: [Bitboard; 2], now: &mut u64) -> u64 {
    const RUN: u64 = 1000;
    let mut run = |scans: u64| {
        let ((), instructions) = counter::count(|| {
            for _ in 0..scans / 2 {
                for raw in raws {
                    *now += 1;
                    scan(surface, raw, Instant::at(*now));
                }
            }
        });
        instructions
    };
    let once = run(RUN);
    let twice = run(2 * RUN);
    (twice - once).div_ceil(RUN)
}
