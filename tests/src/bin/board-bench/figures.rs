//! The figures with their targets.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use tests::bench::{Limit, Report, Target};

/// Target of the 99th percentile from lifting a piece to its light, including debouncing.
const LIFT_TO_LIGHT_MS: f64 = 20.0;
/// Target of the 99th percentile from the last touch of a move to its arrival at the relay.
const TOUCH_TO_RELAY_MS: f64 = 50.0;
/// Target of the maximum from plugging in the cable to the arrival of the move made meanwhile.
const RECONNECT_MS: f64 = 2_000.0;

/// All figures.
pub(crate) struct Figures {
    pub(crate) lift_to_light: Delays,
    pub(crate) touch_to_relay: Delays,
    pub(crate) relay_to_light: Delays,
    pub(crate) reconnect: Delays,
    /// Deepest stack use and size of the stack, in bytes.
    pub(crate) stack: (u32, u32),
    /// Scans that the firmware skipped.
    pub(crate) lost_scans: u32,
    /// Load average of the host before and after.
    pub(crate) load: [Option<f64>; 2],
}

/// Sorted times, in milliseconds.
pub(crate) struct Delays(Vec<f64>);

impl Delays {
    pub(crate) fn of(delays: &[Duration]) -> Self {
        let mut milliseconds: Vec<f64> = delays.iter().map(|delay| delay.as_secs_f64() * 1_000.0).collect();
        milliseconds.sort_unstable_by(f64::total_cmp);
        Self(milliseconds)
    }

    fn percentile(&self, percent: usize) -> f64 {
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        self.0.get(rank - 1).copied().unwrap_or(f64::NAN)
    }

    fn line(&self, what: &str) -> String {
        let [p50, p99, max] = [50, 99, 100].map(|percent| self.percentile(percent));
        format!("  {what:38} p50 {p50:8.2}, p99 {p99:8.2}, max {max:8.2}, of {}\n", self.0.len())
    }

    fn json(&self) -> Value {
        let [p50, p99, max] = [50, 99, 100].map(|percent| self.percentile(percent));
        json!({ "p50": p50, "p99": p99, "max": max, "samples": self.0.len() })
    }
}

impl Figures {
    fn delays(&self) -> [(&'static str, &'static str, &Delays); 4] {
        [
            ("lift_to_light", "lift to light", &self.lift_to_light),
            ("touch_to_relay", "last touch to what the relay says of it", &self.touch_to_relay),
            ("relay_to_light", "move at the opponent to light", &self.relay_to_light),
            ("reconnect", "cable in to session resumed", &self.reconnect),
        ]
    }
}

impl Report for Figures {
    fn text(&self) -> String {
        let load = self.load.map(|load| load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}")));
        let mut text =
            format!("The board in the emulator, in milliseconds of this machine (load {} to {})\n", load[0], load[1]);
        text.extend(self.delays().iter().map(|(_, words, delays)| delays.line(words)));
        // Writing to a string does not fail.
        let _ = writeln!(text, "  stack {} of {} bytes, {} scans lost", self.stack.0, self.stack.1, self.lost_scans);
        text.extend(self.targets().iter().map(Target::line));
        text
    }

    fn json(&self) -> Value {
        let delays: serde_json::Map<String, Value> =
            self.delays().into_iter().map(|(name, _, delays)| (name.to_owned(), delays.json())).collect();
        json!({
            "clock": "this machine's, from outside the emulator, which counts no instructions",
            "load": self.load,
            "delay_ms": delays,
            "stack_bytes": { "deepest": self.stack.0, "of": self.stack.1 },
            "scans_lost": self.lost_scans,
            "targets": self.targets().iter().map(Target::json).collect::<Vec<_>>(),
        })
    }

    fn targets(&self) -> Vec<Target> {
        let target = |what: &str, figure, most| Target::new(what, figure, Limit::AtMost(most));
        vec![
            target("lift to light, p99, ms", self.lift_to_light.percentile(99), LIFT_TO_LIGHT_MS),
            target("last touch to relay, p99, ms", self.touch_to_relay.percentile(99), TOUCH_TO_RELAY_MS),
            target("cable in to session resumed, max, ms", self.reconnect.percentile(100), RECONNECT_MS),
            target("scans lost", self.lost_scans.into(), 0.0),
        ]
    }
}
